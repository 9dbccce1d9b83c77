"""Documents that are damaged, hostile or of other versions are errors that name the field."""

from __future__ import annotations

import copy
import json
import pathlib
from typing import Any

import numpy as np
import pytest
from conftest import refused

from tskgraph.errors import ModelError, SettingError
from tskgraph.model import Model


def document() -> dict[str, Any]:
    """Return a document of one input, two rules with curves, a transform and a calibration."""
    grade = {"arguments": 2, "steps": [["sub", 0, 1], ["square", 2], ["const", -0.5], ["mul", 3, 4]], "result": 5}
    rules = [{"if": [0], "parameters": [[c]], "weights": [[1.0, c]]} for c in (-1.0, 1.0)]
    member = {
        "inputs": [{"feature": 0, "mean": 2.0, "sd": 0.5, "missing": 0.0, "power": {"lambda": 0.5, "mean": 0.0, "sd": 1.0}}],
        "components": None, "grade": grade, "join": {"arguments": 2, "steps": [["add", 0, 1]], "result": 2}, "weight": None,
        "log_space": True, "membership": "gaussian", "tnorm": "product", "defuzzification": "tsk", "parameters": 1, "rules": rules,
        "knots": [[-1.0, 0.0, 2.0]], "curves": [[0.0, 0.5, 0.0]], "outputs": 1, "link": "identity",
        "targets": [{"mean": 5.0, "scale": 2.0, "low": "-Infinity", "high": 9.0}], "uncovered": [5.0],
    }  # fmt: skip
    return {
        "format": "tskgraph predictor", "version": 1, "tskgraph": "0", "kind": "numbers", "target": "y", "unit": "m", "order": ["a", "b"],
        "columns": [{
            "name": "b", "unit": "", "encoding": "numeric", "levels": None, "first": 0, "width": 1, "min": 0.0, "max": 4.0,
            "marks": {"texts": [], "numbers": []},
        }],
        "features": [{"name": "b", "column": 0, "missing": 2.0}],
        "outputs": [{"name": "y", "unit": "m", "level": None, "column": "y_predicted"}],
        "constants": {"min_firing": 1e-300, "least_level": 1e-308, "power_limit": 8.0, "max_log": 18.0},
        "members": [member], "calibration": {
            "samples": 9, "residuals": [0.5] * 9, "minimum": 0.0, "power": 0.0, "scales": None, "low": ["-Infinity"], "high": [9.0],
        },
        "description": {}, "model": "{}",
    }  # fmt: skip


def test_intervals_are_within_the_range() -> None:
    given = document()
    x = np.array([[1.0, 1.0]])
    value = float(Model(given).predict(x)[0])
    given["calibration"]["low"] = [value - 0.25]
    np.testing.assert_allclose(Model(given).predict_interval(x, 0.9), [[value - 0.25, 9.0]])


def test_spread_and_sides() -> None:
    given = document()
    given["calibration"].update(
        below=[0.25] * 9,
        above=[0.5] * 9,
        spread={"level": 0.0, "curves": [{"feature": -1, "missing": 0.0, "knots": [0.0, 16.0], "values": [0.0, float(np.log(2))]}]},
    )
    model = Model(given)
    assert model.predict([[0, 2.0]]) == pytest.approx([8.0])
    np.testing.assert_allclose(model.predict_interval([[0, 2.0]], 0.5), [[8 - 0.5**0.5, 8 + 0.5**0.5]])
    np.testing.assert_allclose(model.predict_interval([[0, 2.0]], 0.5, side="upper")[:, 1], [8 + 0.5 * 2**0.5])
    np.testing.assert_allclose(model.predict_interval([[0, 2.0]], 0.5, side="lower")[:, 0], [8 - 0.25 * 2**0.5])
    refused(SettingError, "side is 'left'", model.predict_interval, [[0, 2.0]], 0.5, side="left")


def test_the_document_is_valid() -> None:
    model = Model(document())
    assert model.predict([[0, 2.0], [0, 4.0]])[0] == pytest.approx(5 + 2 * (1 + 0.5))
    assert model.predict_interval([[0, 2.0]], 0.9).tolist() == [[7.5, 8.5]]


# A path in the document, the value to put there, and what the message says.
FAULTS: list[tuple[str, Any, str]] = [
    ("format", "tskgraph model", "a model file, not a predictor"),
    ("format", "other", "format is not"),
    ("version", 2, "version is 2; this package reads versions up to 1: install a newer version"),
    ("version", "1", "version: expected an integer, got a text"),
    ("version", True, "version: expected an integer"),
    ("kind", "__import__('os')", "kind: .* is none of numbers"),
    ("target", "\ud800", "target: not a text of Unicode"),
    ("target", 3, "target: expected a text, got a number"),
    ("order", ["a", "a"], "order: the same text occurs twice"),
    ("order", ["a"], r"columns\[0\].name: is not a name of order"),
    ("columns", {}, "columns: expected a list, got an object"),
    ("columns.0.encoding", "hash", r"columns\[0\].encoding: 'hash' is none of"),
    ("columns.0.levels", ["x"], r"columns\[0\].levels: does not go with"),
    ("columns.0.marks.numbers", ["-"], r"columns\[0\].marks.numbers"),
    ("columns.0.marks.texts", ["-", "-"], r"columns\[0\].marks.texts: the same text occurs twice"),
    ("columns.0.first", 1, r"columns\[0\].first: must lie between 0 and 0"),
    ("columns.0.first", 10**400, r"columns\[0\].first"),
    ("features", [], "features: expected 1 features"),
    ("features.0.missing", "Infinity", r"features\[0\].missing: must not be infinite"),
    ("outputs", [], "outputs: expected at least 1"),
    ("outputs.0.level", 0.5, r"outputs\[0\].level: only a quantile"),
    ("constants.min_firing", 0, "constants.min_firing: must be above zero"),
    ("constants.max_log", "NaN", "constants.max_log: must be finite, got nan"),
    ("constants.max_log", "1e3", "constants.max_log: expected a number, got a text"),
    ("constants.max_log", 10**400, "constants.max_log: too large"),
    ("members", [], "members: expected at least 1"),
    ("members.0.inputs.0.feature", 1, r"members\[0\].inputs\[0\].feature: must lie between 0 and 0"),
    ("members.0.inputs.0.sd", 0.0, r"members\[0\].inputs\[0\].sd: must be above zero"),
    ("members.0.inputs.0.power", 1, r"members\[0\].inputs\[0\].power: expected an object, got a number"),
    ("members.0.components", [[1.0, 2.0]], r"members\[0\].components\[0\]: expected 1 numbers, got 2"),
    ("members.0.grade.steps.0", ["eval", 0, 1], r"members\[0\].grade.steps\[0\]\[0\]: 'eval' is none of"),
    ("members.0.grade.steps.0", ["sub", 0, 2], r"members\[0\].grade.steps\[0\]\[2\]: must lie between 0 and 1"),
    ("members.0.grade.steps.0", ["sub", 0], r"members\[0\].grade.steps\[0\]: sub has another number of operands"),
    ("members.0.grade.result", 6, r"members\[0\].grade.result: must lie between 0 and 5"),
    ("members.0.grade.result", -1, r"members\[0\].grade.result"),
    ("members.0.join.arguments", 3, r"members\[0\].join.arguments"),
    ("members.0.log_space", 1, r"members\[0\].log_space: expected true or false"),
    ("members.0.parameters", 2, r"members\[0\].rules\[0\].parameters\[0\]: expected 2 numbers, got 1"),
    ("members.0.rules", [], r"members\[0\].rules: expected at least 1"),
    ("members.0.rules.1.if", [1], r"members\[0\].rules\[1\].if\[0\]: must lie between 0 and 0"),
    ("members.0.rules.1.if", [0, 0], r"members\[0\].rules\[1\].if: must increase"),
    ("members.0.rules.1.parameters", [["NaN"]], r"members\[0\].rules\[1\].parameters: must not be NaN"),
    ("members.0.rules.1.weights", [[1.0]], r"members\[0\].rules\[1\].weights\[0\]: expected 2 numbers, got 1"),
    ("members.0.rules.1.weights", [[1.0, "Infinity"]], r"members\[0\].rules\[1\].weights\[0\]\[1\]: must be finite"),
    ("members.0.knots", None, r"members\[0\].curves: must be there if and only if knots are"),
    ("members.0.knots", [[0.0]], r"members\[0\].knots\[0\]: must be no knots, or two"),
    ("members.0.knots", [[0.0, 0.0, 1.0]], r"members\[0\].knots\[0\]"),
    ("members.0.curves", [[0.0]], r"members\[0\].curves\[0\]: expected 3 numbers"),
    ("members.0.curves", [], r"members\[0\].curves: expected 1 or 2 curves, got 0"),
    ("members.0.link", "softmax", r"members\[0\].link: 'softmax' is none of identity, log"),
    ("members.0.outputs", 2, r"members\[0\].outputs: must lie between 1 and 1"),
    ("members.0.targets", [], r"members\[0\].targets: expected 1 targets, got 0"),
    ("members.0.targets.0.low", 10.0, r"members\[0\].targets\[0\].low: must not exceed high"),
    ("members.0.uncovered", [], r"members\[0\].uncovered: expected 1 numbers, got 0"),
    ("calibration.samples", 0, "calibration.samples: must lie"),
    ("calibration.residuals", [], "calibration.residuals: must not be negative"),
    ("calibration.residuals", [0.5, 0.25], "calibration.residuals: must not be negative, increase"),
    ("calibration.residuals", [-1.0], "calibration.residuals"),
    ("calibration.power", 2.0, "calibration.power: must be 0, or from 0.5 to 1"),
    ("calibration.above", [1.0, 2.0, 3.0], "calibration.above: expected"),
    ("calibration.spread", {"level": 0.0}, "calibration.spread.curves is missing"),
    ("calibration.spread", {"level": 0.0, "curves": [{"feature": 9, "missing": 0.0, "knots": [0.0, 1.0], "values": [0.0, 1.0]}]},
     r"calibration.spread.curves\[0\].feature"),
    ("calibration.spread", {"level": 0.0, "curves": [{"feature": 0, "missing": 0.0, "knots": [1.0, 1.0], "values": [0.0, 1.0]}]},
     r"calibration.spread.curves\[0\].knots: must be two"),
    ("calibration.low", [10.0], "calibration.low: must not exceed high"),
    ("calibration.high", [1.0, 2.0], "calibration.high: expected 1 numbers"),
    ("calibration.scales", [1.0], "calibration.scales: must be there for several targets"),
    ("description", [], "description: expected an object"),
    ("model", {}, "model: expected a text, got an object"),
    ("more", 1, "the document: unknown field 'more'"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), FAULTS)
def test_faults_are_named(path: str, value: Any, message: str) -> None:
    faulty = document()
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    at: Any = faulty
    for part in parents:
        at = at[part]
    at[last] = value
    refused(ModelError, message, Model, faulty)


def test_every_field_is_needed() -> None:
    def drop(value: Any, path: str) -> list[tuple[Any, str, str]]:
        children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        own = [(value, name, path) for name in value] if isinstance(value, dict) else []
        return own + [found for name, child in children for found in drop(child, f"{path}.{name}")]

    count = len(drop(document(), ""))
    assert count > 60
    for n in range(count):
        faulty = document()
        parent, name, _ = drop(faulty, "")[n]
        del parent[name]
        refused(ModelError, f"{name} is missing|format is not|expected an integer", Model, faulty)


@pytest.mark.parametrize(
    "text",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"format": NaN}', b'{"version": 1, "version": 1}', b'{"a": Infinity}',
        json.dumps(document()).encode()[:-30], b"1" * 5000, b'{"format": "tskgraph predictor"}',
    ],
)  # fmt: skip
def test_what_is_no_document(text: bytes, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(text)
    refused(ModelError, r"model.json: ", Model.load, path)
    with pytest.raises(FileNotFoundError):
        Model.load(tmp_path / "none.json")


VALUES = (
    None, True, 0, 1, -1, 10**400, 1e308, 5e-324, 0.5, "NaN", "Infinity", "-Infinity", "", "const", "exp", [], {}, [1], [[1.0]], "\ud800",
)  # fmt: skip


def places_of(value: Any) -> list[tuple[Any, Any]]:
    """Return all places in a document: a list or an object, with an index or a name."""
    keys = list(value if isinstance(value, dict) else range(len(value))) if isinstance(value, (dict, list)) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places_of(value[key])]


def test_changes_at_random_are_faults_or_predict() -> None:
    random = np.random.default_rng(1)
    outcomes = {True: 0, False: 0}
    for _ in range(600):
        changed = document()
        for _ in range(random.integers(1, 4)):
            places = places_of(changed)
            parent, key = places[random.integers(len(places))]
            if random.random() < 0.8:
                parent[key] = copy.deepcopy(VALUES[random.integers(len(VALUES))])
            else:
                del parent[key]
        try:
            model = Model(changed)
        except ModelError:
            outcomes[False] += 1
            continue
        rows = {"a": [0.0, 1.0, np.nan], "b": [np.nan, -1e300, 2.0]}
        assert model.predict({**rows, **{column: [0.0] * 3 for column in model.columns if column not in rows}}).shape == (3,)
        outcomes[True] += 1
    assert min(outcomes.values()) > 20
