"""eval_set, callbacks and the curves that they give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Arrays, refused
from sklearn.metrics import log_loss

from tskgraph import SettingError, StopTraining, TrainingError, TSKClassifier, TSKRegressor

pytestmark = pytest.mark.usefixtures("binary")


def quick(cls: Any = TSKRegressor, **parameters: Any) -> Any:
    return cls(**{"race": [], "rules": 4, "iterations": 105, **parameters})


def rmse(model: Any, X: Any, y: Any) -> float:
    return float(np.sqrt(np.mean((model.predict(X) - y) ** 2)))


def test_a_curve_for_each_set(numbers: Arrays) -> None:
    X, y = numbers
    plain = quick(margin="none").fit(X[:150], y[:150])
    model = quick(margin="none").fit(X[:150], y[:150], eval_set=[(X[:150], y[:150]), (X[150:], y[150:]), (X[:40], y[:40])])
    assert model.model_ == plain.model_  # the sets do not change it
    assert model.evals_iterations_.tolist() == [*range(10, 101, 10), 105]
    assert list(model.evals_result_) == ["training", "valid_1", "valid_2"]
    for (name, curves), rows in zip(model.evals_result_.items(), (slice(150), slice(150, None), slice(40))):
        assert list(curves) == ["RMSE"], name
        assert len(curves["RMSE"]) == 11
        assert curves["RMSE"][-1] == pytest.approx(rmse(model, X[rows], y[rows])), name
    assert not hasattr(quick().fit(X, y), "evals_result_")


def test_names_and_single_pairs(numbers: Arrays) -> None:
    X, y = numbers
    model = quick().fit(X, y, eval_set=(X[:50], y[:50]), eval_names=['a="b", c'])
    assert list(model.evals_result_) == ['a="b", c']
    twice = quick().fit(X, y, eval_set=[(X, y), (X, y)], eval_names=["a", "b"]).evals_result_
    assert twice["a"]["RMSE"] == pytest.approx(twice["b"]["RMSE"])
    assert model.history_[9]["watched"] == {'a="b", c': model.evals_result_['a="b", c']["RMSE"][0]}
    for sets, names in (([(X, y)], ["a", "b"]), ([(X, y), (X, y)], ["a", "a"]), ([(X, y), (X, y)], None)):
        refused(ValueError, r"eval_names: .*: want a name of its own", quick().fit, X, y, eval_set=sets, eval_names=names)
    refused(ValueError, "eval_set: want", quick().fit, X, y, eval_set=[X])
    refused(ValueError, "expecting 3 features", quick().fit, X, y, eval_set=[(X[:, :2], y)])
    refused(ValueError, "inconsistent numbers of samples", quick().fit, X, y, eval_set=[(X, y[:9])])
    refused(ValueError, r"Input eval_set\[0\] contains NaN", quick().fit, X, y, eval_set=[(np.where(X > 0, X, np.nan), y)])
    refused(TypeError, "callbacks is a function: want a list", quick().fit, X, y, callbacks=print)
    refused(SettingError, "members: 2: eval_set", quick(members=2).fit, X, y, eval_set=[(X, y)])


@pytest.mark.parametrize("split", [None, "chronological"])
def test_the_first_other_set_validates(numbers: Arrays, split: str | None) -> None:
    X, y = numbers
    weights = np.linspace(0.5, 1, 150)
    model = quick(early_stopping=True, iterations=3000, patience=50, learning_rate=0.2, split=split, margin="none")
    model.fit(X[:150], y[:150], weights, eval_set=[(X[:150], y[:150]), (X[150:180], y[150:180]), (X[180:], y[180:])])
    assert (model.summary_["samples_train"], model.summary_["samples_validation"]) == (150, 30)
    curve = model.evals_result_["valid_1"]["RMSE"]
    assert model.n_iter_ == model.evals_iterations_[-1] < 3000
    assert model.best_iteration_ == model.evals_iterations_[np.argmin(curve)]
    assert rmse(model, X[150:180], y[150:180]) == pytest.approx(min(curve))
    with pytest.raises(SettingError, match="validation: eval_set has the rows"):
        quick(early_stopping=True, validation=0.1).fit(X, y, eval_set=[(X[:50], y[:50])])


def test_categories_and_classes(numbers: Arrays) -> None:
    X = pd.DataFrame(numbers[0], columns=["a", "b", "c"]).assign(word=["u", "v"] * 100, code=["1", "2"] * 100)
    y = np.where(numbers[1] > 0, "yes", "no")
    other = X[:60].assign(word=["v", "u", "new"] * 20, code=[1, 2] * 30)
    model = quick(TSKClassifier, early_stopping=True, missing="mean", categorical={"code": "onehot"})
    model.fit(X, y, eval_set=[(other, y[:60]), (X[100:], y[100:])])
    for (_, curves), (rows, labels) in zip(model.evals_result_.items(), ((other, y[:60]), (X[100:], y[100:]))):
        at = np.argmin(model.evals_result_["valid_0"]["log loss"])
        assert curves["log loss"][at] == pytest.approx(log_loss(labels, model.predict_proba(rows)))
    refused(ValueError, "a label that training did not have: 'maybe', row 2", model.fit, X, y, eval_set=[(X[:2], ["yes", "maybe"])])


def test_a_callback_that_stops(numbers: Arrays) -> None:
    X, y = numbers
    seen: list[Any] = []

    def stop(progress: Any) -> None:
        seen.append(progress)
        if progress.evaluations.get("valid_0", 9) < 1.5:
            raise StopTraining

    model = quick(iterations=10_000_000).fit(X[:150], y[:150], eval_set=[(X[150:], y[150:])], callbacks=[stop, lambda _: None])
    last = seen[-1]
    assert last.done <= model.n_iter_ < 10_000_000
    measured = [p.evaluations["valid_0"] for p in seen if p.evaluations]
    assert measured == model.evals_result_["valid_0"]["RMSE"][: len(measured)]
    assert model.predict(X).shape == (200,)

    def at_once(_: Any) -> None:
        raise StopTraining

    with pytest.raises(TrainingError, match="before there was a model"):
        quick(iterations=10_000_000, race=None, race_splits=50).fit(X, y, callbacks=[at_once])


def test_the_order_of_rows_does_not_count(numbers: Arrays) -> None:
    X = pd.DataFrame(numbers[0], columns=["a", "b", "c"]).assign(word=["u", "v", "w", "v"] * 50)
    weights, order = np.linspace(0, 2, 200), np.random.default_rng(1).permutation(200)
    for cls, y in ((TSKRegressor, numbers[1]), (TSKClassifier, numbers[1] > 0)):
        model = quick(cls, race=[{"l2": 0.1}, {"l2": 1.0}], race_splits=1, calibration=0.2, batch=32)
        want = model.fit(X, y, weights).predict(X)
        assert (model.fit(X.iloc[order], y[order], weights[order]).predict(X) == want).all()
    timed = quick(split="chronological", calibration=0.2)
    want = timed.fit(X, numbers[1]).predict(X)
    assert (timed.fit(X[::-1], numbers[1][::-1]).predict(X) != want).any()


def test_messages_name_the_rows_that_were_given(numbers: Arrays) -> None:
    X = pd.DataFrame(numbers[0], columns=["a", "b", "c"]).assign(size=["S", "M", "L", "M"] * 50)
    X.loc[137, "size"] = "XL"
    refused(ValueError, r'^row 138: column "size"', quick(categorical={"size": ["S", "M", "L"]}).fit, X, numbers[1])
