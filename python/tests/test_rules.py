from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
import trained
from conftest import refused

from tskgraph import TSKRegressor
from tskgraph.errors import ModelError
from tskgraph.model import Model
from tskgraph.rules import Rules

ROWS = {name: values for name, values in trained.table(150, 2).items() if name in trained.COLUMNS}


@pytest.mark.parametrize("kind", trained.KINDS)
def test_text_is_that_of_show(binary: str, runs: Any, model_of: Any, kind: str) -> None:
    rules = model_of(kind).rules
    shown = trained.run(binary, "show", "--model", str(runs(kind)))
    pages = shown.count(" is the value of the one rule whose IF holds")
    beside = ("On the test part ", "To see what rules ")  # what show adds by the other runs
    assert str(rules) == "".join(line for line in shown.splitlines(keepends=True) if not line.startswith(beside))
    members = {rule.member for rule in rules}
    assert members == ({1, 2, 3} if kind in ("committee", "committee of classes") else {1, 2} if kind.startswith("committee") else {0})
    for rule in rules:
        assert rule.idle or rule.text in shown
        assert rule.text.startswith("Rule") and (pages > 1 or f"{rule.number}" in rule.text.splitlines()[0])
        words = " ".join(rule.text.split())  # lines of pages break within conditions
        assert all(condition.text in words for condition in rule.conditions)
        assert (rule.says.partition(" is ")[2] if pages else rule.says) in rule.text or len(rule.consequents) > 1
    for member in members:
        own = [rule for rule in rules if rule.member == member]
        assert [rule.number for rule in own] == list(range(1, len(own) + 1))
        assert sum(rule.share for rule in own) == pytest.approx(pages or 1)


def test_parts_of_a_rule(model_of: Any) -> None:
    model = model_of("number")
    for rule in model.rules:
        assert rule.consequents[0].output == "y"
        assert rule.rmse is None or rule.rmse > 0
        assert rule.terms == tuple(sorted(rule.terms, key=lambda term: -abs(term.effect)))
        for term in rule.terms:
            assert term.effect == pytest.approx(term.slope * (term.upper - term.lower))
        for condition in rule.conditions:
            if condition.column in ("length", "width"):
                assert set(condition.parameters) == {"c", "sigma"}
                assert condition.lower is None or f"{condition.lower:.6g}" in condition.text
            if condition.column == "day":
                assert condition.parameters == {} and (condition.lower, condition.upper) == (None, None)
        if rule.mean:
            assert f"about {rule.mean[0]:.1f}" in rule.says or rule.says.startswith("y is ")
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.rules[0].share = 1.0


@pytest.mark.parametrize("kind", ["number", "targets", "readable"])
def test_formulas_are_what_rules_say(model_of: Any, kind: str) -> None:
    model = model_of(kind)
    complete = [n for n in range(150) if all(ROWS[name][n] is not None for name in trained.COLUMNS)]
    rows = {name: [values[n] for n in complete] for name, values in ROWS.items()}
    features = {"length": np.array(rows["length"]), "width": np.array(rows["width"])}
    features["size"] = np.array([["S", "M", "L"].index(v) + 1.0 for v in rows["size"]])
    for level in set(rows["day"]):
        features[f"day={level}"] = np.array([float(v == level) for v in rows["day"]])
    said = model.predict_firing(rows).rule.reshape(len(complete), len(model.rules), -1)
    for r, rule in enumerate(model.rules):
        for c, consequent in enumerate(rule.consequents):
            by_hand = consequent.intercept + sum(slope * features[name] for name, slope in consequent.coefficients.items())
            for curve in consequent.curves or model.rules.curves:
                by_hand = by_hand + np.interp(features[curve.feature], curve.x, curve.y)
            np.testing.assert_allclose(by_hand, said[:, r, c], rtol=1e-9, atol=1e-9 * np.ptp(said))


def test_classes_say_probabilities(model_of: Any) -> None:
    model = model_of("classes")
    said = [rule for rule in model.rules if rule.mean]
    assert said
    for rule in said:
        assert sum(rule.mean) == pytest.approx(1)
        likely = model.classes[int(np.argmax(rule.mean))]
        assert rule.says.startswith(f"kind is {likely} (")
        assert [c.output for c in rule.consequents] == [f"score of {name}" for name in model.classes]


def test_sequence(model_of: Any) -> None:
    rules = model_of("number").rules
    assert len(rules) == 4 and rules[-1].number == 4 and [r.number for r in rules[1:3]] == [2, 3] and rules[0] in rules
    assert pickle.loads(pickle.dumps(rules)) == rules != model_of("readable").rules
    assert repr(rules) == "<4 rules of 'y': print them, or index them from 0>"


def test_summary(model_of: Any) -> None:
    model = model_of("number")
    summary, figures = model.rules.summary, model.document["description"]["readability"]
    assert summary is not None
    assert (summary.fidelity, summary.idle, summary.out_of_range) == (figures["fidelity"], figures["idle"], figures["out_of_range"])
    assert all(line in str(model.rules) and line in str(summary) for line in summary.lines)
    assert summary.remark in str(model.rules)
    document = model.document
    document["description"]["readability"] = None
    assert Model(document).rules.summary is None


@pytest.mark.usefixtures("binary")
def test_nearest_rows_of_a_large_table_keep_their_numbers() -> None:
    X = np.arange(5000.0).reshape(-1, 1)
    model = TSKRegressor(preset="paper", rules=3, iterations=30).fit(X, np.sin(X[:, 0] / 900)).model_
    nearest = [rule["local"]["nearest"] for rule in model.document["description"]["rules"]]
    assert [one["row"] for one in nearest] == [one["values"][0]["value"] + 1 for one in nearest]
    assert max(one["row"] for one in nearest) > 2000


def test_remark_is_loud(model_of: Any) -> None:
    document = model_of("number").document
    remark = "Do not read these rules one by one: alone, the strongest errs 9 times as much as the model."
    document["description"]["wording"]["remark"] = remark
    summary = Rules(document).summary
    assert summary is not None and str(summary).splitlines()[0] == remark
    assert f'<p class="warning">{remark}</p>' in Rules(document)._repr_html_()


def test_frame(model_of: Any) -> None:
    pytest.importorskip("pandas")
    rules = model_of("number").rules
    frame = rules.to_frame()
    assert list(frame.columns) == ["rule", "share", "samples", "if", "says", "text"]
    assert frame["share"].tolist() == [rule.share for rule in rules]
    assert frame["if"][0] == " and ".join(condition.text for condition in rules[0].conditions)
    assert model_of("committee").rules.to_frame()["member"].tolist() == [k for k in (1, 2, 3) for _ in range(4)]


@pytest.mark.parametrize(
    "path", [("description",), ("description", "wording"), ("description", "rules"), ("description", "wording", "rules")]
)
def test_damaged_description(model_of: Any, path: tuple[str, ...]) -> None:
    document = model_of("number").document
    at = document
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    refused(ModelError, "the description of the rules is damaged", Rules, document)


@pytest.mark.parametrize("kind", ["number", "classes", "committee", "components"])
def test_frame_by_column(model_of: Any, kind: str) -> None:
    pandas = pytest.importorskip("pandas")
    rules = model_of(kind).rules
    frame = rules.to_frame(by="column")
    names = ["rule", "column", "unit", "is", "lower", "upper", "level", "slope", "effect"]
    names = ["member"] * (kind == "committee") + names
    assert [name for name in frame.columns if name != "output"] == names
    assert ("output" in frame) == (kind == "classes")
    assert all(frame[name].dtype.kind == "f" for name in ("lower", "upper", "slope", "effect"))
    outputs = 3 if kind == "classes" else 1
    for rule in rules:
        own = frame[(frame["rule"] == rule.number) & (frame["member"] == rule.member if rule.member else True)]
        for condition in rule.conditions:
            said = own[own["column"] == condition.column]
            assert set(said["is"]) == {condition.words}
            assert said["lower"].isna().all() if condition.lower is None else (said["lower"] == condition.lower).all()
        slopes = [term.slope for one in rule.consequents for term in one.terms]
        assert sorted(own["slope"].dropna()) == sorted(slopes)
        assert len(own) >= outputs * len(rule.conditions)
    assert isinstance(frame, pandas.DataFrame)
    refused(ValueError, "want 'rule' or 'column'", rules.to_frame, by="member")
