"""The form of a predictor, read from the document of ``tskgraph export --to json``.

Package export of tskgraph has the types Form and Member with the same fields, and says what they mean. A field of a document that is
missing, unknown or not valid is an error that names it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._node import Floats, Ints, Node
from .errors import ModelError

# Operations of formulas with their numbers of operands.
OPERANDS = {
    **dict.fromkeys(["add", "sub", "mul", "div", "min", "max"], 2),
    **dict.fromkeys(["neg", "square", "exp", "log", "sqrt", "abs", "relu", "tanh", "cos", "sigmoid"], 1),
}


@dataclass(frozen=True)
class Formula:
    """Operations in order: the name and the indices of operands, or "const" and its value. Values are the arguments, then the results."""

    arguments: int
    steps: tuple[tuple[str, tuple[int, ...], float], ...]
    result: int


@dataclass(frozen=True)
class Encoded:
    """A column that predictions need, encoded as features."""

    name: str
    unit: str
    encoding: str  # numeric, ordinal or onehot
    levels: tuple[str, ...]
    first: int
    width: int
    mark_texts: tuple[str, ...]  # of missing values, besides those that mark them in every table
    mark_numbers: Floats


@dataclass(frozen=True)
class Output:
    """A predicted number."""

    name: str
    unit: str
    level: float  # of a quantile; else NaN


@dataclass(frozen=True)
class Rule:
    """A rule, of whose IF part the conditions that always hold are left out."""

    inputs: Ints  # [n]
    parameters: Floats  # [n, P]
    weights: Floats  # [C, 1 + M]


@dataclass(frozen=True)
class Power:
    """The transform of Yeo and Johnson."""

    shape: float
    mean: float
    sd: float


@dataclass(frozen=True)
class Member:
    """A model of one rulebase."""

    features: Ints  # [M], of the inputs
    mean: Floats
    sd: Floats
    missing: Floats
    powers: Mapping[int, Power]  # by input
    limits: Mapping[int, tuple[float, float]]  # of z-scores, by input
    components: Floats | None  # [K, M]
    grade: Formula
    join: Formula
    weight: Formula | None
    log_space: bool
    parameters: int
    rules: tuple[Rule, ...]
    knots: tuple[Floats, ...]  # [M or K]; empty without curves
    curves: Floats | None  # [C or C R, all knots]
    outputs: int
    link: str
    targets: Floats  # [C, 4]: mean, scale, least and greatest response; none of classes
    uncovered: Floats


@dataclass(frozen=True)
class SpreadCurve:
    """A piecewise linear curve of a feature; -1 is the prediction."""

    feature: int
    missing: float
    knots: Floats
    values: Floats


@dataclass(frozen=True)
class Spread:
    """The logarithm of the scale of intervals: a level and curves."""

    level: float
    curves: tuple[SpreadCurve, ...]


@dataclass(frozen=True)
class Calibration:
    """Residuals of intervals and sets."""

    samples: int
    residuals: Floats
    below: Floats | None  # of bounds on one side
    above: Floats | None
    spread: Spread | None
    minimum: float
    power: float
    scales: Floats | None
    low: Floats  # of intervals, by target
    high: Floats


@dataclass(frozen=True)
class Form:
    """All that a prediction needs."""

    kind: str  # numbers, quantiles or classes
    target: str
    unit: str
    order: tuple[str, ...]
    columns: tuple[Encoded, ...]
    features: int  # F
    outputs: tuple[Output, ...]
    min_firing: float
    least_level: float
    power_limit: float
    max_log: float
    members: tuple[Member, ...]
    calibration: Calibration | None


FORMAT = "tskgraph predictor"
VERSION = 1
ESTIMATOR = "estimator"
"""The field that an estimator adds: its parameters."""

_MOST = 1 << 24  # of counts and indices

# The fields of a document, and those of a member.
_DOCUMENT = (
    *("format", "version", "tskgraph", "kind", "target", "unit", "order", "columns", "features", "outputs"),
    *("constants", "members", "calibration", "description", "model"),
)
_MEMBER = (
    *("inputs", "components", "grade", "join", "weight", "log_space", "membership", "tnorm", "defuzzification", "parameters"),
    *("rules", "knots", "curves", "outputs", "link", "targets", "uncovered"),
)
_INPUT = ("feature", "mean", "sd", "missing", "power")


def read(document: Any) -> Form:
    """Return the form of a document. One of another format or version, or with a faulty field, is a ModelError."""
    root = Node(document, "")
    _check_version(root)
    f = Node({name: value for name, value in document.items() if name != ESTIMATOR}, "").record(*_DOCUMENT)
    f["tskgraph"].text()
    f["model"].text()
    if not isinstance(f["description"].value, dict):
        raise f["description"].fault("expected an object")
    kind = f["kind"].one_of("numbers", "quantiles", "classes")
    order = f["order"].texts()
    columns = _columns(f["columns"], order)
    features = _features(f["features"], columns)
    outputs = _outputs(f["outputs"], kind)
    constants = f["constants"].record("min_firing", "least_level", "power_limit", "max_log")
    return Form(
        kind=kind,
        target=f["target"].text(),
        unit=f["unit"].text(),
        order=tuple(order),
        columns=columns,
        features=features,
        outputs=outputs,
        min_firing=constants["min_firing"].positive(),
        least_level=constants["least_level"].positive(),
        power_limit=constants["power_limit"].positive(),
        max_log=constants["max_log"].positive(),
        members=tuple(_member(node, kind, features, len(outputs)) for node in f["members"].items(1)),
        calibration=_calibration(f["calibration"], kind, len(outputs), features),
    )


def _check_version(root: Node) -> None:
    value = root.value
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        if isinstance(value, dict) and value.get("format") == "tskgraph model":
            raise ModelError("a model file, not a predictor: read it by Model.from_run")
        raise ModelError(f'not a model of this package: format is not "{FORMAT}"')
    version = Node(value.get("version"), "version").integer(1, _MOST)
    if version > VERSION:
        raise ModelError(f"version is {version}; this package reads versions up to {VERSION}: install a newer version of tskgraph")


def _columns(node: Node, order: list[str]) -> tuple[Encoded, ...]:
    columns: list[Encoded] = []
    first = 0
    for item in node.items():
        f = item.record("name", "unit", "encoding", "levels", "first", "width", "min", "max", "marks")
        encoding = f["encoding"].one_of("numeric", "ordinal", "onehot")
        levels = [] if encoding == "numeric" else f["levels"].texts()
        if (f["levels"].value is None) != (encoding == "numeric") or (encoding != "numeric" and not levels):
            raise f["levels"].fault(f"does not go with the encoding {encoding}")
        own = encoding == "numeric" and f["width"].value == 2  # the second feature is about missing cells
        width = len(levels) if encoding == "onehot" else 1 + own
        f["first"].integer(first, first)
        f["width"].integer(width, width)
        f["min"].number(), f["max"].number()
        name = f["name"].text()
        if name not in order or any(name == c.name for c in columns):
            raise f["name"].fault("is not a name of order, or occurs twice")
        marks = f["marks"].record("texts", "numbers")
        texts, numbers = tuple(marks["texts"].texts()), marks["numbers"].floats()
        columns.append(Encoded(name, f["unit"].text(), encoding, tuple(levels), first, width, texts, numbers))
        first += width
    return tuple(columns)


def _features(node: Node, columns: tuple[Encoded, ...]) -> int:
    """Return the number of features, which the columns imply."""
    owner = [i for i, c in enumerate(columns) for _ in range(c.width)]
    items = node.exactly(len(owner), "features, as the columns have")
    for place, item in zip(owner, items):
        f = item.record("name", "column", "missing")
        f["name"].text()
        f["column"].integer(place, place)
        if np.isinf(f["missing"].number()):
            raise f["missing"].fault("must not be infinite")
    return len(items)


def _outputs(node: Node, kind: str) -> tuple[Output, ...]:
    outputs: list[Output] = []
    for item in node.items(2 if kind == "classes" else 1):
        f = item.record("name", "unit", "level", "column")
        f["column"].text()
        level = float("nan")
        if kind == "quantiles":
            level = f["level"].positive()
            if level >= 1 or (outputs and level <= outputs[-1].level):
                raise f["level"].fault("must lie between 0 and 1, and increase")
        elif f["level"].value is not None:
            raise f["level"].fault("only a quantile has a level")
        outputs.append(Output(f["name"].text(), f["unit"].text(), level))
    if kind == "classes" and len({o.name for o in outputs}) < len(outputs):
        raise node.fault("two classes have the same name")
    return tuple(outputs)


def _calibration(node: Node, kind: str, outputs: int, features: int) -> Calibration | None:
    if node.value is None:
        return None
    f = node.record("samples", "residuals", "minimum", "power", "scales", "low", "high", optional=("below", "above", "spread"))
    samples = f["samples"].integer(1, 2**53)
    residuals = f["residuals"].floats()
    if not 1 <= len(residuals) <= samples or np.any(np.diff(residuals) < 0) or (kind != "quantiles" and residuals[0] < 0):
        raise f["residuals"].fault("must not be negative, increase, and be at most as many as the samples")
    below, above = _sided(f["below"], residuals), _sided(f["above"], residuals)
    power = f["power"].finite()
    if power != 0 and not 0.5 <= power <= 1:
        raise f["power"].fault("must be 0, or from 0.5 to 1")
    scales = None
    if f["scales"].value is not None:
        scales = f["scales"].floats(outputs)
        if np.any(scales <= 0):
            raise f["scales"].fault("must be above zero")
    if (scales is None) != (outputs == 1 or kind != "numbers"):
        raise f["scales"].fault("must be there for several targets, and for them only")
    targets = outputs if scales is not None else 1
    low, high = f["low"].floats(targets, finite=False), f["high"].floats(targets, finite=False)
    if not np.all(low <= high):
        raise f["low"].fault("must not exceed high")
    spread = _spread(f["spread"], features)
    if spread is not None and (scales is not None or kind != "numbers"):
        raise f["spread"].fault("is for one number")
    return Calibration(samples, residuals, below, above, spread, f["minimum"].finite(), power, scales, low, high)


def _sided(node: Node, residuals: Floats) -> Floats | None:
    if node.value is None:
        return None
    scores = node.floats(len(residuals))
    if np.any(np.diff(scores) < 0):
        raise node.fault("must increase")
    return scores


def _spread(node: Node, features: int) -> Spread | None:
    if node.value is None:
        return None
    f = node.record("level", "curves")
    curves: list[SpreadCurve] = []
    for item in f["curves"].items():
        c = item.record("feature", "missing", "knots", "values")
        knots = c["knots"].floats()
        if len(knots) < 2 or np.any(np.diff(knots) <= 0):
            raise c["knots"].fault("must be two or more, and ascend")
        curves.append(SpreadCurve(c["feature"].integer(-1, features - 1), c["missing"].finite(), knots, c["values"].floats(len(knots))))
    return Spread(f["level"].finite(), tuple(curves))


def _formula(node: Node, arguments: int) -> Formula:
    f = node.record("arguments", "steps", "result")
    f["arguments"].integer(arguments, arguments)
    steps: list[tuple[str, tuple[int, ...], float]] = []
    for item in f["steps"].items():
        parts = item.items(2)
        name = parts[0].one_of("const", *OPERANDS)
        if len(parts) != 1 + OPERANDS.get(name, 1):
            raise item.fault(f"{name} has another number of operands")
        if name == "const":
            steps.append((name, (), parts[1].number()))
        else:
            steps.append((name, tuple(p.integer(0, arguments + len(steps) - 1) for p in parts[1:]), 0.0))
    return Formula(arguments, tuple(steps), f["result"].integer(0, arguments + len(steps) - 1))


def _member(node: Node, kind: str, features: int, outputs: int) -> Member:
    f = node.record(*_MEMBER)
    for name in ("membership", "tnorm", "defuzzification"):
        f[name].text()
    inputs = [item.record(*_INPUT, optional=("low", "high")) for item in f["inputs"].items()]
    components = None
    if f["components"].value is not None:
        components = f["components"].matrix(f["components"].length(), len(inputs))
    width = len(inputs) if components is None else len(components)
    parameters = f["parameters"].integer(0, _MOST)
    link, C = _link(f["link"], f["outputs"], kind, outputs)
    rules = tuple(_rule(item, width, parameters, C) for item in f["rules"].items(1))
    knots, curves = _curves(f["knots"], f["curves"], width, C, len(rules))
    return Member(
        features=np.array([i["feature"].integer(0, features - 1) for i in inputs], dtype=np.intp),
        mean=np.array([i["mean"].finite() for i in inputs], dtype=np.float64),
        sd=np.array([i["sd"].positive() for i in inputs], dtype=np.float64),
        missing=np.array([i["missing"].finite() for i in inputs], dtype=np.float64),
        powers={m: _power(i["power"]) for m, i in enumerate(inputs) if i["power"].value is not None},
        limits={m: (i["low"].number(), i["high"].number()) for m, i in enumerate(inputs) if i["low"].value is not None},
        components=components,
        grade=_formula(f["grade"], 1 + parameters),
        join=_formula(f["join"], 2),
        weight=None if f["weight"].value is None else _formula(f["weight"], 1),
        log_space=f["log_space"].boolean(),
        parameters=parameters,
        rules=rules,
        knots=knots,
        curves=curves,
        outputs=C,
        link=link,
        targets=_targets(f["targets"], 0 if kind == "classes" else C),
        uncovered=f["uncovered"].floats(outputs),
    )


def _power(node: Node) -> Power:
    f = node.record("lambda", "mean", "sd")
    return Power(f["lambda"].finite(), f["mean"].finite(), f["sd"].positive())


def _link(node: Node, count: Node, kind: str, outputs: int) -> tuple[str, int]:
    """Return the link and the number of outputs of the rules."""
    links = {"numbers": ("identity", "log"), "quantiles": ("ordered",), "classes": ("softmax", "logit")}
    link = node.one_of(*links[kind])
    if (outputs != 1 and link == "log") or (outputs != 2 and link == "logit"):
        raise node.fault(f"does not go with {outputs} outputs")
    C = 1 if link == "logit" else outputs
    return link, count.integer(C, C)


def _rule(node: Node, width: int, parameters: int, outputs: int) -> Rule:
    f = node.record("if", "parameters", "weights")
    inputs = [item.integer(0, width - 1) for item in f["if"].items()]
    if any(a >= b for a, b in zip(inputs, inputs[1:])):
        raise f["if"].fault("must increase")
    values = f["parameters"].matrix(len(inputs), parameters, finite=False)
    if np.isnan(values).any():
        raise f["parameters"].fault("must not be NaN")
    return Rule(np.array(inputs, dtype=np.intp), values, f["weights"].matrix(outputs, 1 + width))


def _curves(knots: Node, curves: Node, width: int, outputs: int, rules: int) -> tuple[tuple[Floats, ...], Floats | None]:
    if (knots.value is None) != (curves.value is None):
        raise curves.fault("must be there if and only if knots are")
    if knots.value is None:
        return (), None
    items = knots.exactly(width, "lists, one for each input")
    places = tuple(item.floats() for item in items)
    for item, place in zip(items, places):
        if len(place) == 1 or np.any(np.diff(place) <= 0):
            raise item.fault("must be no knots, or two and more that increase")
    rows = curves.length()
    if rows not in (outputs, outputs * rules):
        raise curves.fault(f"expected {outputs} or {outputs * rules} curves, got {rows}")
    return places, curves.matrix(rows, sum(map(len, places)))


def _targets(node: Node, length: int) -> Floats:
    items = node.exactly(length, "targets")
    targets = np.empty((length, 4))
    for row, item in zip(targets, items):
        f = item.record("mean", "scale", "low", "high")
        row[:] = f["mean"].finite(), f["scale"].finite(), f["low"].number(), f["high"].number()
        if not row[2] <= row[3]:
            raise f["low"].fault("must not exceed high")
    return targets
