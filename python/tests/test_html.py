"""Rules and explanations as HTML and as frames: they add up, say what the model does, and run nothing."""

from __future__ import annotations

import html.parser
import pathlib
import re
from typing import Any

import numpy as np
import pytest
import trained
from conftest import refused
from test_explanation import BACKGROUND, ROWS

from tskgraph import DataError, Model, TSKClassifier, TSKRegressor, _html, show
from tskgraph._artifacts import Report
from tskgraph.rules import Rules

pytestmark = pytest.mark.usefixtures("binary")

pandas = pytest.importorskip("pandas")

HOSTILE = [
    '</script><script>alert("target")</script>',
    '"><b>',
    "<img src=x onerror=alert(1)>",
    "'\"&<!--",
    "</style><!-- <script>",
    "javascript:alert(1)",
    "'`${alert(3)}",
    "a\u2028\u202eb",
]
ALLOWED = {"div", "style", "p", "b", "code", "details", "summary", "span", "i", "ul", "li", "pre"}


class Reader(html.parser.HTMLParser):
    """Checks that elements are closed in order, and collects tags, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.said = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.said += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


@pytest.mark.parametrize("kind", trained.KINDS)
def test_rules_of_every_kind(model_of: Any, kind: str) -> None:
    model = model_of(kind)
    page = model._repr_html_()
    read = Reader(page)
    assert read.tags <= ALLOWED
    assert read.attributes <= {"class", "style", "open"}
    assert not any(word in page for word in ("http", "url(", "@import", "<script"))
    assert ", ".join(model.columns_used) in read.said
    for rule in model.rules:
        if kind.startswith("page"):
            assert rule.text.strip() in read.said
            continue
        assert f"{100 * rule.share:.1f}%" in read.said or len([r for r in model.rules if not r.conditions]) > 1
        assert all(condition.text in read.said for condition in rule.conditions)
        if rule.says:
            assert all(part in read.said for part in rule.says.split(", "))
        for line in rule.text.splitlines():
            if line.lstrip().startswith(("+", "-")) and model.rules.wording.get("rules"):
                assert line.split("  (")[0].strip() in read.said
    wording = model.rules.wording
    assert all(line in read.said for line in wording["readability"])
    assert kind.startswith("page") or page.count('<span class="key">THEN</span>') == sum(
        len(one.get("rules") or ()) for one in (wording, *(wording.get("members") or ()))
    )


def test_many_rules_are_folded(model_of: Any) -> None:
    document = model_of("number").document
    wording = document["description"]["wording"]
    listed = [rule for rule in wording["rules"] if not rule.get("idle")]
    wording["rules"] = listed * 10
    page = "".join(_html._member(wording, Rules(document).shares[0]))
    read = Reader(page)
    assert f"{len(listed) * 10 - 12} more rules" in read.said
    assert page.index("more rules") > page.index("THEN")


def test_estimator_before_and_after_fit(numbers: Any) -> None:
    estimator = TSKRegressor(preset="paper", rules=3, iterations=30)
    assert "Not fitted." in Reader(estimator._repr_html_()).said
    estimator.fit(*numbers)
    bundle = estimator._repr_mimebundle_()
    assert bundle["text/plain"] == repr(estimator)
    said = Reader(bundle["text/html"]).said
    assert "Not fitted." not in said and "TSKRegressor(iterations=30, preset='paper', rules=3)" in said and "THEN y is about" in said


SVG = {"svg", "path", "rect", "text", "circle", "title"}


def read(page: str) -> Reader:
    seen = Reader(page)
    assert seen.tags <= ALLOWED | SVG
    assert not any(word in page for word in ("http", "url(", "@import", "<script"))
    return seen


@pytest.mark.parametrize("kind", trained.KINDS)
def test_local(model_of: Any, kind: str) -> None:
    model = model_of(kind)
    rows = {name: values[:6] for name, values in ROWS.items()}
    found = model.explain_local(rows, model.predict(rows), background=BACKGROUND)
    said = read(found._repr_html_()).said
    assert all(f"row {n}" in said for n in range(1, 7))
    assert said.count("observed") == 6
    base = np.reshape(found.base, -1)
    totals = found.predictions.reshape(6, -1)
    for n in range(6):
        for start, total in zip(base, totals[n]):
            assert f"{start:.4g}, the mean, and the contributions of the columns make {total:.4g}" in said
    frame = found.to_frame()
    assert len(frame) == found.values.size
    by = ["row", "output"] if found.values.ndim == 3 else ["row"]
    sums = frame.groupby(by, sort=False)["value"].sum().to_numpy().reshape(totals.shape)
    np.testing.assert_allclose(sums + base, totals)
    assert ("error" in frame) == (found.errors is not None)
    assert frame[frame["row"] == 2]["column"].drop_duplicates().tolist() == list(found.feature_names)
    refused(ValueError, "X has 6 rows, but y has 5", model.explain_local, rows, model.predict(rows)[:5], background=BACKGROUND)


@pytest.mark.parametrize("kind", ["number", "targets", "quantiles", "classes", "count", "committee"])
def test_global(model_of: Any, kind: str) -> None:
    model = model_of(kind)
    found = model.explain_global(ROWS, BACKGROUND)
    seen = read(found._repr_html_())
    assert all(name in seen.said for name in model.columns_used)
    assert all(rule.says.split(", ")[0] in seen.said for rule in model.rules)
    np.testing.assert_array_equal(found.importances, np.abs(found.local.values).mean(axis=0))
    frame = found.to_frame()
    assert frame["importance"].is_monotonic_decreasing
    assert sorted(frame["importance"]) == sorted(found.importances.ravel())
    response = found.responses[0]
    at = {**ROWS, response.column: [float(response.x[7])] * len(ROWS[response.column])}
    mean = np.asarray({"classes": model.predict_proba, "quantiles": model.predict_quantiles}.get(kind, model.predict)(at)).mean(axis=0)
    np.testing.assert_allclose(response.y[:, 7], mean)
    assert {response.levels for response in found.responses} > {()}
    refused(ValueError, "X is None, and the model has no training rows", model.explain_global)


def test_strangers_write_no_markup(tmp_path: pathlib.Path) -> None:
    X = pandas.DataFrame({HOSTILE[0]: np.arange(60.0), HOSTILE[2]: HOSTILE[4:8] * 15, HOSTILE[7]: np.arange(60) % 9 * 1.0})
    number = pandas.Series(np.arange(60) % 7 * 1.0, name=HOSTILE[3])
    labels = pandas.Series(np.where(number > 3, HOSTILE[1], HOSTILE[0]), name=HOSTILE[5])
    regressor = TSKRegressor(race=[], rules=3, iterations=20, units={HOSTILE[0]: HOSTILE[6]}).fit(X, number)
    classifier = TSKClassifier(preset="paper", rules=3, iterations=30).fit(X, labels)
    shown = [
        view
        for model, y in ((regressor, number), (classifier, labels))
        for view in (model.explain_global(), model.explain_local(X[:3], y[:3]), model.rules_, model, model.model_)
    ]
    for one in shown:
        page = one._repr_html_()
        seen = Reader(page)
        assert seen.tags <= ALLOWED | SVG and not any(name.startswith("on") for name in seen.attributes)
        assert "alert(1)" in seen.said and not any(part in page for part in ("<script", "</script>", "\u202e", "\u2028"))
    show(*shown, path=tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script" not in page and all(one._repr_html_() in page for one in shown)


def test_show(model_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model: Model = model_of("number")
    refused(ValueError, r"no notebook here: give path=", show, model)
    for nothing in ((), (3,)):
        refused(TypeError, "has no HTML", show, *nothing)
    ipython = pytest.importorskip("IPython")
    given: list[Any] = []
    monkeypatch.setattr(ipython, "get_ipython", object)
    monkeypatch.setattr("IPython.display.display", given.append)
    show(model, model.rules)
    assert given[0].data == f"{model._repr_html_()}\n{model.rules._repr_html_()}"


def test_report_in_a_notebook(model_of: Any) -> None:
    y = np.array(trained.table(40, 2)["y"])
    page = model_of("number").report({name: values[:40] for name, values in trained.table(40, 2).items()}, y)
    assert isinstance(page, Report)
    assert page.lower().startswith("<!doctype html>")
    seen = Reader(page._repr_html_())
    assert seen.tags == {"iframe"}
    assert "allow-same-origin" not in page._repr_html_()
    refused(DataError, "no column 'width'", model_of("number").report, {"length": [1.0]}, [1.0])


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.7, 20.7), (1e-9, 3e-9), (1e12, 1.00001e12), (-5.0, -4.9)])
def test_ticks(low: float, high: float) -> None:
    found = _html.ticks(low, high)
    assert 2 <= len(found) <= 8
    assert low - 1e-9 * abs(low) <= found[0] and found[-1] <= high + 1e-9 * abs(high)
    assert len({f"{tick:.12g}" for tick in found}) == len(found)


def test_charts_of_constants() -> None:
    for chart in (
        _html.waterfall([("a", 0.0)], 0.0, "y"),
        _html.waterfall([], 3.0, "y"),
        _html.curves(np.array([1.0, 1.0]), np.array([[2.0, 2.0]]), ["y"], [], "x", "y"),
        _html.curves(np.arange(2.0), np.full((1, 2), np.nan), ["y"], ["u", "v"], "x", "y"),
    ):
        read(chart)
        assert not re.search(r"nan|inf", chart)
