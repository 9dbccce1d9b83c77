from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import trained
from conftest import refused
from matplotlib import pyplot

from tskgraph import TSKClassifier, TSKRegressor, plots
from tskgraph.errors import ModelError
from tskgraph.explanation import Explanation

pytestmark = pytest.mark.usefixtures("binary")

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


TABLE = trained.table(150, 2)
ROWS = {name: TABLE[name] for name in trained.COLUMNS}


@pytest.fixture(autouse=True)
def ax() -> Iterator[Any]:
    """Return axes that are not pyplot's, draw them in the end, and close all figures, also those of tests before."""
    pyplot.close("all")
    figure = matplotlib.figure.Figure()
    axes = figure.add_subplot()
    yield axes
    figure.canvas.draw()
    pyplot.close("all")


def lines(axes: Any) -> dict[str, Any]:
    return {line.get_label(): line.get_xydata() for line in axes.get_lines()}


def test_memberships_are_the_formula(model_of: Any, ax: Any) -> None:
    model = model_of("number")
    assert model.plot_memberships("width", ax=ax) is ax
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "grade") and not pyplot.get_fignums()
    drawn = lines(ax)
    assert drawn
    for rule in model.rules:
        for grade in rule.grades:
            if grade.feature == "width":
                x, y = drawn[f"rule {rule.number}"].T
                np.testing.assert_allclose(y, np.exp(-0.5 * ((x - grade.parameters["c"]) / grade.parameters["sigma"]) ** 2), atol=1e-9)


def test_memberships_of_levels_are_products(model_of: Any, ax: Any) -> None:
    model = model_of("number")
    model.plot_memberships("day", ax=ax)
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert sorted(names) == ["mon", "tue, wed", "Ω"]
    for rule in model.rules:
        want = np.ones(len(names))
        for grade in rule.grades:
            for k, name in enumerate(names):
                if grade.feature.startswith("day="):
                    at = float(grade.feature == f"day={name}")
                    want[k] *= np.exp(-0.5 * ((at - grade.parameters["c"]) / grade.parameters["sigma"]) ** 2)
        np.testing.assert_allclose(lines(ax)[f"rule {rule.number}"][:, 1], want, atol=1e-9)


def test_faults_of_memberships(model_of: Any) -> None:
    refused(ValueError, "column 'weight', which the model does not have: length, ", model_of("number").plot_memberships, "weight")
    refused(ValueError, "member=4: the model has 3", model_of("committee").plot_memberships, "width", member=4)
    refused(ModelError, "principal components", model_of("components").plot_memberships, "width")
    assert not pyplot.get_fignums()


@pytest.mark.parametrize("kind", ["number", "targets", "classes", "binary", "quantiles", "committee"])
def test_response_is_the_mean_prediction(model_of: Any, ax: Any, kind: str) -> None:
    model = model_of(kind)
    model.plot_response("width", ROWS, ax=ax)
    drawn = lines(ax)
    expected = {"classes": model.classes, "quantiles": ["0.1", "0.5", "0.8"]}.get(model.kind, model.targets[:1])
    assert list(drawn) == (["yes"] if kind == "binary" else expected)
    (name, curve), x = list(drawn.items())[-1], 57
    at = {**ROWS, "width": [curve[x, 0]] * 150}
    predicted = {"classes": model.predict_proba, "quantiles": model.predict_quantiles}.get(model.kind, model.predict)(at)
    column = predicted if predicted.ndim == 1 else predicted[:, 0 if kind == "targets" else -1]
    assert curve[x, 1] == pytest.approx(column.mean(), rel=1e-12)
    assert name in ax.get_ylabel() if len(drawn) == 1 else ax.get_legend() is not None


def test_response_over_two_columns(model_of: Any, ax: Any) -> None:
    model = model_of("classes")
    model.plot_response(["width", "day"], ROWS, output="mid", ax=ax)
    (mesh,) = ax.collections
    values = mesh.get_array().reshape(3, -1)
    level = [text.get_text() for text in ax.get_yticklabels()].index("mon")
    grid = np.linspace(*(next((c["min"], c["max"]) for c in model.document["columns"] if c["name"] == "width")), values.shape[1])
    want = model.predict_proba({**ROWS, "width": [grid[4]] * 150, "day": ["mon"] * 150})[:, model.classes.index("mid")].mean()
    assert values[level, 4] == pytest.approx(want, rel=1e-12)
    assert ax.figure.axes[1].get_ylabel() == "probability of mid"


def test_faults_of_response(model_of: Any) -> None:
    model = model_of("classes")
    refused(ValueError, "output='huge': the outputs are high, low, mid", model.plot_response, "width", ROWS, output="huge")
    refused(ValueError, "features has 3 columns", model.plot_response, ["width", "day", "size"], ROWS)
    refused(ValueError, "the model has no training rows: pass some", model.plot_response, "width")
    assert not pyplot.get_fignums()


def test_rules(model_of: Any, ax: Any) -> None:
    model = model_of("number")
    model.plot_rules(ax=ax)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(100 * rule.share for rule in model.rules) and ax.get_xlabel() == "share of the firing [%]"
    assert any(text.get_text().startswith(f"rule {model.rules[0].number}") for text in ax.get_yticklabels())
    second = model_of("committee").plot_rules(member=2)
    assert len(second.patches) == 4 and pyplot.get_fignums()
    refused(ValueError, "member=5: the model has 3", model_of("committee").plot_rules, member=5)


def test_importance(ax: Any) -> None:
    values = np.array([[1.0, -3.0, 0.0], [-1.0, 5.0, 0.0]])
    found = Explanation(values, 0.0, None, values, ("a", "b$_1$", "c"), ("y",), "kW")
    plots.plot_importance(found, ax=ax)
    assert [bar.get_width() for bar in ax.patches] == [0.0, 1.0, 4.0]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["c", "a", r"b\$_1\$"]
    assert ax.get_xlabel() == "mean |Shapley value| of y [kW]"


def test_importance_of_rows(model_of: Any) -> None:
    model = model_of("number")
    some = {name: values[:20] for name, values in ROWS.items()}
    axes = model.plot_importance(some, ROWS)
    sizes = np.abs(model.explain_local(some, background=ROWS).values).mean(axis=0)
    np.testing.assert_array_equal(sorted(sizes), [bar.get_width() for bar in axes.patches])


def test_history(ax: Any) -> None:
    history = [
        {"iteration": n + 1, "loss": 5.0, "metric": "RMSE", "metric_batch": float(n % 2), "metric_validation": 3.0} for n in range(200)
    ]
    history[7]["metric_validation"] = None
    plots.plot_history(history, ax=ax)
    drawn = lines(ax)
    assert set(np.round(drawn["batches (running mean)"][5:-5, 1], 12)) == {0.5}
    assert len(drawn["validation"]) == 199 and (ax.get_xlabel(), ax.get_ylabel()) == ("iteration", "RMSE")
    refused(ValueError, "the history is empty", plots.plot_history, [])


def test_history_of_an_estimator(numbers: Any) -> None:
    X, y = numbers
    estimator = TSKRegressor(preset="paper", rules=3, iterations=60, early_stopping=True).fit(
        X, y, eval_set=[(X[:9], y[:9]), (X[9:], y[9:])]
    )
    drawn = lines(estimator.plot_history())
    for name, curve in estimator.evals_result_.items():
        assert drawn[name].tolist() == [list(point) for point in zip(estimator.evals_iterations_, curve["RMSE"])]
    assert len(drawn["batches (running mean)"]) == len(estimator.history_) and len(drawn["validation"]) > 0
    estimator.plot_response("x0")
    estimator.plot_importance()


def test_predictions(model_of: Any, ax: Any) -> None:
    model = model_of("targets")
    y = np.array([TABLE["y"], TABLE["z"]]).T
    model.plot_predictions(ROWS, y, target="z", ax=ax)
    (points,) = ax.collections
    np.testing.assert_allclose(points.get_offsets(), np.stack([y[:, 1], model.predict(ROWS)[:, 1]], axis=1))
    error = np.sqrt(np.mean((model.predict(ROWS)[:, 1] - y[:, 1]) ** 2))
    assert ax.get_title() == f"RMSE {error:.3g}" and ax.get_xlabel() == "z, observed"
    refused(ValueError, "y has 1 columns", model.plot_predictions, ROWS, TABLE["y"])
    refused(ValueError, "target='w': the targets are y, z", model.plot_predictions, ROWS, y, target="w")


def test_classes(model_of: Any, ax: Any) -> None:
    model = model_of("classes")
    model.plot_predictions(ROWS, TABLE["kind"], ax=ax)
    counts = np.asarray(ax.images[0].get_array())
    predicted = model.predict(ROWS)
    for i, observed in enumerate(model.classes):
        for j, other in enumerate(model.classes):
            assert counts[i, j] == sum(o == observed and p == other for o, p in zip(TABLE["kind"], predicted))
    assert ax.get_title() == f"{100 * np.mean(predicted == np.array(TABLE['kind'])):.1f}% right"
    assert [text.get_text() for text in ax.texts] == [str(count) for count in counts.ravel()]
    refused(ValueError, "a class that the model does not know: row 2", model.plot_predictions, ROWS, ["low", "huge", *TABLE["kind"][2:]])


@pytest.mark.parametrize("kind", ["classes", "binary"])
def test_calibration_is_the_program_s(binary: str, runs: Any, model_of: Any, ax: Any, kind: str, tmp_path: Any) -> None:
    target = {"classes": "kind", "binary": "both"}[kind]
    path = tmp_path / "test.csv"
    path.write_text(trained.csv_of({**ROWS, target: TABLE[target]}), encoding="utf-8")
    measured = json.loads(trained.run(binary, "evaluate", "--model", str(runs(kind)), "--data", str(path), "--json"))["classes"]
    model = model_of(kind)
    model.plot_calibration(ROWS, TABLE[target], ax=ax)
    ((line, _, (whiskers,)),) = ax.containers
    np.testing.assert_allclose(line.get_xydata(), [[b["predicted"], b["observed"]] for b in measured["calibration"]], rtol=1e-12)
    ends = np.array(whiskers.get_segments())[:, :, 1]
    np.testing.assert_allclose((ends[:, 1] - ends[:, 0]) / 2, [b["se"] for b in measured["calibration"]], atol=1e-12)
    assert ax.get_title() == f"calibration error {measured['calibration_error']:.3g}"
    refused(ValueError, "a class that the model does not know: row 1", model.plot_calibration, ROWS, ["huge", *TABLE[target][1:]])
    refused(ValueError, "y has 149 rows, X 150", model.plot_calibration, ROWS, TABLE[target][1:])
    refused(ValueError, "the model predicts numbers", model_of("number").plot_calibration, ROWS, TABLE["y"])


def test_classes_of_an_estimator(classes: Any) -> None:
    X, y = classes
    estimator = TSKClassifier(preset="paper", rules=3, iterations=60).fit(X, y == 1)
    axes = estimator.plot_predictions(X, y == 1)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["False", "True"]
    assert axes.get_title() == f"{100 * estimator.score(X, y == 1):.1f}% right"
    refused(ValueError, "y has a label that training did not have", estimator.plot_predictions, X, y)


def test_without_matplotlib(model_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.delattr(matplotlib, "pyplot")
    refused(ImportError, "plots need matplotlib: pip install matplotlib", model_of("number").plot_rules)
