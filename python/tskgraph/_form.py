"""The form of a predictor: what the document of ``tskgraph export --to json`` says.

See package export of tskgraph: its types Form and Member have the same fields and say what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ._node import Floats, Ints

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
class Column:
    """A column that predictions need, and its features."""

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
class Calibration:
    """Residuals of intervals and sets."""

    samples: int
    residuals: Floats
    minimum: float
    power: float
    scales: Floats | None


@dataclass(frozen=True)
class Form:
    """All that a prediction needs."""

    kind: str  # numbers, quantiles or classes
    target: str
    unit: str
    order: tuple[str, ...]
    columns: tuple[Column, ...]
    features: int  # F
    outputs: tuple[Output, ...]
    min_firing: float
    least_level: float
    power_limit: float
    max_log: float
    members: tuple[Member, ...]
    calibration: Calibration | None
