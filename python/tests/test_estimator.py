"""TSKRegressor: parameters, losses, weights, validation, files, faults."""

from __future__ import annotations

import copy
import inspect
import pathlib
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Arrays, refused
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError

from tskgraph import BinaryNotFoundError, DataError, Model, ModelError, SettingError, TSKClassifier, TSKRegressor
from tskgraph import _estimator as estimator_module
from tskgraph._settings import KEYS

pytestmark = pytest.mark.usefixtures("binary")


def quick(**parameters: Any) -> TSKRegressor:
    """Return a regressor that trains in a tenth of a second."""
    return TSKRegressor(**{"race": [], "rules": 4, "iterations": 200, **parameters})


@pytest.fixture(scope="module")
def fitted(numbers: Arrays) -> TSKRegressor:
    """Return a regressor with intervals."""
    return quick(calibration=0.2).fit(*numbers)


@pytest.fixture(scope="module")
def plain(numbers: Arrays) -> TSKRegressor:
    """Return a regressor without intervals."""
    return quick().fit(*numbers)


def configured(monkeypatch: pytest.MonkeyPatch, model: Any, X: Any, y: Any, **fit: Any) -> dict[str, Any]:
    """Return the configuration that a fit trains with."""
    seen: dict[str, Any] = {}

    def train(job: Any, **_: Any) -> None:
        seen.update(job.config, table=job.table)
        raise InterruptedError

    monkeypatch.setattr(estimator_module, "train", train)
    with pytest.raises(InterruptedError):
        model.fit(X, y, **fit)
    return seen


@pytest.mark.parametrize("cls", [TSKRegressor, TSKClassifier])
def test_every_parameter_reaches_its_key(cls: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    special = {"missing": "mean", "validation": 0.25, "split": "chronological", "random_state": 7, "categorical": {"x0": "onehot"}}
    given = {name: special.get(name, f"value of {name}") for name in cls().get_params() if name in KEYS}
    seen = configured(monkeypatch, cls(**given), np.ones((8, 2)), np.arange(8) % 2)
    for name, value in given.items():
        assert seen[KEYS[name]] == value, name


def test_parameters_of_none_are_left_to_the_preset(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = configured(monkeypatch, TSKRegressor(), [[1.0], [2.0]], [1.0, 2.0])
    assert set(seen) - {"table"} == {
        *("preset", "task", "data.missing", "data.calibration", "data.target", "data.categorical"),
        *("data.train", "data.validation", "train.seed"),
    }


@pytest.mark.parametrize("cls", [TSKRegressor, TSKClassifier])
def test_help_describes_every_parameter(cls: Any) -> None:
    text = inspect.getdoc(cls) or ""
    for name in cls().get_params():
        assert f"\n{name} : " in text, name
    assert "n_iter_" in text


@pytest.mark.parametrize("preset", ["readable", "robust", "paper"])
def test_presets(preset: str, numbers: Arrays) -> None:
    model = TSKRegressor(preset=preset, race=[], iterations=50).fit(*numbers)
    assert model.summary_["rules"] in (range(2, 9) if preset == "readable" else [32])
    assert model.summary_["readability"]["preset"] == preset


def test_all_rows_are_for_training(numbers: Arrays, plain: TSKRegressor, fitted: TSKRegressor) -> None:
    assert plain.summary_["samples_train"] == 200
    assert fitted.summary_["samples_train"] == 160
    early = quick(early_stopping=True, validation=0.15).fit(*numbers)
    assert (early.summary_["samples_train"], early.summary_["samples_validation"], early.summary_["samples_test"]) == (170, 30, 0)


def test_early_stopping(numbers: Arrays) -> None:
    model = quick(early_stopping=True, patience=20, iterations=3000, learning_rate=0.3).fit(*numbers)
    assert model.n_iter_ < 3000
    assert model.summary_["samples_validation"] == 20
    assert len(model.history_) == model.n_iter_


def test_validation_that_leaves_no_rows() -> None:
    refused(ValueError, r"validation: 0\.1 of 3 rows", quick(early_stopping=True).fit, [[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0])


def test_intervals(numbers: Arrays, plain: TSKRegressor, fitted: TSKRegressor) -> None:
    X, y = numbers
    ends = fitted.predict_interval(X, 0.8)
    assert ends.shape == (200, 2)
    assert 0.6 < np.mean((ends[:, 0] <= y) & (y <= ends[:, 1])) < 1
    refused(ValueError, "calibration", plain.predict_interval, X)


def test_missing_values(numbers: Arrays) -> None:
    X, y = numbers[0].copy(), numbers[1]
    X[3, 1] = np.nan
    refused(ValueError, r"NaN: column 'x1', row 4: set missing=\"mean\"", quick().fit, X, y)
    model = quick(missing="mean").fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    X[3, 1] = np.inf
    refused(ValueError, "infinity", model.predict, X)
    refused(SettingError, "missing: 'drop'", quick(missing="drop").fit, *numbers)


def test_random_state(numbers: Arrays) -> None:
    X, y = numbers

    def predicted(state: Any, **parameters: Any) -> Any:
        return quick(random_state=state, init="kmeans", **parameters).fit(X, y).predict(X)

    assert (predicted(3) == predicted(np.int64(3), n_jobs=2)).all()
    assert (predicted(3) != predicted(4)).any()
    state = np.random.RandomState(5)
    first, second = predicted(state), predicted(state)
    assert (first != second).any()
    assert (first == predicted(np.random.RandomState(5))).all()


@pytest.mark.parametrize("loss", ["poisson", "gamma", "tweedie", "huber", "absolute", "mean", "sum"])
def test_losses(loss: str, numbers: Arrays) -> None:
    X, y = numbers
    y = np.exp(y / 2)
    model = quick(loss=loss, iterations=600).fit(X, y)
    assert model.score(X, y) > 0.4
    assert loss not in ("poisson", "gamma", "tweedie") or (model.predict(X) > 0).all()


def test_quantiles(numbers: Arrays, plain: TSKRegressor) -> None:
    X, y = numbers
    model = quick(loss="quantile", quantiles=[0.1, 0.45, 0.9], iterations=600).fit(X, y)
    quantiles = model.predict_quantiles(X)
    assert quantiles.shape == (200, 3)
    assert (np.diff(quantiles) >= 0).all()
    assert (model.predict(X) == quantiles[:, 1]).all()
    assert np.mean(y < quantiles[:, 2]) > 0.75
    refused(ValueError, "quantile", plain.predict_quantiles, X)


def test_several_targets(numbers: Arrays) -> None:
    X, y = numbers
    model = quick(iterations=600).fit(X, pd.DataFrame({"up": y, "down": -y}))
    assert model.model_.targets == ["up", "down"]
    assert model.predict(X).shape == (200, 2)
    assert model.score(X, np.c_[y, -y]) > 0.6
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert quick().fit(X, y[:, None]).predict(X).shape == (200,)


def test_weights(numbers: Arrays, plain: TSKRegressor) -> None:
    X, y = numbers
    weights = np.where(np.arange(200) < 150, 1.0, 0.0)
    assert (quick().fit(X, y, weights + 0.5).predict(X) != plain.predict(X)).any()
    refused(ValueError, "Negative", quick().fit, X, y, weights - 1)


def test_names_of_target_and_weights_may_be_those_of_features(numbers: Arrays) -> None:
    X = pd.DataFrame(numbers[0], columns=["y", "weight", "y_target"])
    model = quick().fit(X, pd.Series(numbers[1], name="y"), np.linspace(0.5, 1, 200))
    assert model.model_.columns == ["y", "weight", "y_target"]
    assert model.score(X, numbers[1]) > 0.4


def test_feature_names(numbers: Arrays, plain: TSKRegressor) -> None:
    X = pd.DataFrame(numbers[0], columns=["a", "b", "c"])
    model = quick().fit(X, numbers[1])
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    refused(ValueError, "same order", model.predict, X[["b", "a", "c"]])
    refused(ValueError, "unseen at fit time", model.predict, X.rename(columns={"a": "d"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert (model.predict(numbers[0]) == model.predict(X)).all()
    with pytest.raises(ValueError, match="expecting 3 features"), pytest.warns(UserWarning, match="valid feature names"):
        model.predict(numbers[0][:, :2])
    unnamed = quick().fit(X.set_axis([0, 1, 2], axis=1), numbers[1])
    assert not hasattr(unnamed, "feature_names_in_")
    assert (unnamed.predict(numbers[0]) == model.predict(X)).all() and unnamed.model_ == plain.model_


def test_interrupt_keeps_the_model(numbers: Arrays) -> None:
    X, y = numbers
    model = quick(iterations=10_000_000)

    def stop(progress: Any) -> None:
        if progress.stage == "training" and progress.done > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y, callbacks=[stop])
    assert 50 < model.n_iter_ < 10_000_000
    assert model.predict(X).shape == (200,)
    assert model.n_features_in_ == 3


@pytest.mark.parametrize("cls", [TSKRegressor, TSKClassifier])
def test_a_fit_that_fails_leaves_the_estimator_as_it_was(cls: Any, numbers: Arrays) -> None:
    X, y = numbers[0], numbers[1] > 0

    def stop(_: Any) -> None:
        raise ZeroDivisionError

    model = cls(race=[], rules=2, iterations=20)
    for fitted in (False, True):
        before, predicted = dict(vars(model)), model.predict(X) if fitted else None
        for given, fault in (
            ((X[:, :2], y[:5]), ValueError),
            ((pd.DataFrame(X, columns=["a", "b", "c"]), np.full(200, np.nan)), ValueError),
            ((np.c_[X, X], y, -np.ones(200)), ValueError),
            ((np.full((200, 1), 1.0), np.arange(200) % 3), DataError),
        ):
            with pytest.raises(fault):
                model.fit(*given)
            assert vars(model) == before
        with pytest.raises(ZeroDivisionError):
            model.fit(X[:, :1], np.arange(200) % 3, callbacks=[stop])
        if fitted:
            assert vars(model) == before
            assert (model.predict(X) == predicted).all()
        else:
            with pytest.raises(NotFittedError):
                model.predict(X)
            model.fit(X, y)
    model.fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    assert model.fit(X[:, :2], y).n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")


def test_invalid_parameters(numbers: Arrays) -> None:
    with pytest.raises(SettingError) as caught:
        quick(l2=-1).fit(*numbers)
    assert (caught.value.key, caught.value.parameter) == ("train.l2", "l2")
    refused(ValueError, "Invalid parameter 'lambda' for estimator TSKRegressor; its parameters: ", quick().set_params, **{"lambda": 1})
    for wrong, fault in ((quick().set_params, ValueError), (TSKRegressor, TypeError), (TSKClassifier, TypeError)):
        refused(fault, r"'iteration' for estimator TSK\w+: did you mean 'iterations'\?", wrong, iteration=3)
    refused(SettingError, "split", quick(split="column").fit, *numbers)


def test_save_and_load(numbers: Arrays, fitted: TSKRegressor, tmp_path: pathlib.Path) -> None:
    X, _ = numbers
    fitted.save(tmp_path / "model.json")
    loaded = TSKRegressor.load(tmp_path / "model.json")
    assert loaded.get_params() == fitted.get_params()
    assert (loaded.predict(X) == fitted.predict(X)).all()
    assert not hasattr(loaded, "feature_names_in_")
    assert (Model.load(tmp_path / "model.json").predict(X) == fitted.predict(X)).all()
    refused(ModelError, "TSKRegressor", TSKClassifier.load, tmp_path / "model.json")
    fitted.model_.save(tmp_path / "bare.json")
    assert (TSKRegressor.load(tmp_path / "bare.json").predict(pd.DataFrame(X, columns=["x0", "x1", "x2"])) == fitted.predict(X)).all()
    for old, new in {
        '"droprule":': '"drooprule":',
        '"levels":null,"values"': '"level":null,"values"',
        '"parameters":{': '"parameters":[],"p":{',
    }.items():
        text = (tmp_path / "model.json").read_text()
        assert old in text
        (tmp_path / "other.json").write_text(text.replace(old, new))
        refused(ModelError, "the field estimator is damaged", TSKRegressor.load, tmp_path / "other.json")


def test_rules(fitted: TSKRegressor) -> None:
    assert len(fitted.rules_) == fitted.summary_["rules"]
    assert fitted.rules_[0].conditions
    with pytest.raises(NotFittedError):
        quick().rules_  # noqa: B018
    assert not hasattr(quick(), "rules_")


def test_explanations_compare_with_training_rows(numbers: Arrays, plain: TSKRegressor, tmp_path: pathlib.Path) -> None:
    X, model = numbers[0], copy.deepcopy(plain)
    np.testing.assert_allclose(model.explain_local(X[:3]).predictions, model.predict(X[:3]))
    model.save(tmp_path / "model.json")
    np.testing.assert_allclose(TSKRegressor.load(tmp_path / "model.json").explain_local(X[:3]).predictions, model.predict(X[:3]))
    del model.background_
    model.save(tmp_path / "model.json")
    refused(ValueError, "background", TSKRegressor.load(tmp_path / "model.json").explain_local, X[:3])


def test_sparse_rows(numbers: Arrays) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    X, y = np.where(np.abs(numbers[0]) > 0.5, numbers[0], 0.0), numbers[1]
    model = quick().fit(sparse.csr_matrix(X), y)
    assert model.model_ == quick().fit(X, y).model_
    assert (model.predict(sparse.coo_matrix(X)) == model.predict(X)).all()
    refused(ValueError, "X has 2 features, but TSKRegressor is expecting 3", model.predict, sparse.csr_matrix(X[:, :2]))


def test_race(numbers: Arrays, plain: TSKRegressor) -> None:
    model = quick(race=[{"l2": 0.1}, {"l2": 0.5, "antecedents": 2}], race_splits=2, iterations=50).fit(*numbers)
    race = model.race_
    assert race["params"] == [{"l2": 0.1}, {"antecedents": 2, "l2": 0.5}] or race["params"] == [{"antecedents": 2, "l2": 0.5}, {"l2": 0.1}]
    frame = pd.DataFrame(race)
    assert len(frame) == 2
    assert set(frame["param_antecedents"]) == {None, 2}
    assert frame.loc[frame["chosen"], "rank_test_score"].tolist() == [1]
    assert (frame["mean_test_score"] < 0).all()
    assert (frame["n_splits"] <= 2).all()
    assert not hasattr(plain, "race_")
    assert not hasattr(quick(), "race_")


def test_copies(numbers: Arrays, fitted: TSKRegressor) -> None:
    X, _ = numbers
    for copied in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert (copied.predict(X) == fitted.predict(X)).all()
    with pytest.raises(NotFittedError):
        clone(fitted).predict(X)


def test_without_the_program(numbers: Arrays, fitted: TSKRegressor, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setenv("TSKGRAPH_BINARY", str(tmp_path / "missing"))
    loaded = pickle.loads(pickle.dumps(fitted))
    assert (loaded.predict(numbers[0]) == fitted.predict(numbers[0])).all()
    refused(BinaryNotFoundError, "missing", quick().fit, *numbers)


@pytest.mark.parametrize(
    ("X", "y", "fault"),
    [
        ([[1.0, 2.0]], [1.0], "1 sample"),
        ([[1.0], [1.0], [1.0], [1.0]], [1.0, 2.0, 3.0, 4.0], "constant"),
        ([[1.0], [2.0]], [1.0], "inconsistent numbers of samples"),
        ([[1.0], [2.0]], ["a", "b"], "number"),
    ],
)
def test_tables_that_cannot_be_learnt(X: Any, y: Any, fault: str) -> None:
    refused((ValueError, TypeError), fault, quick().fit, X, y)


@pytest.mark.parametrize("rows", [2, 3, 10])
def test_small_tables(rows: int) -> None:
    X = np.arange(rows, dtype=float)[:, None]
    assert np.isfinite(quick().fit(X, X[:, 0]).predict(X)).all()
    constant = quick().fit(np.c_[X, np.ones(rows)], np.full(rows, 7.0)).predict(np.c_[X, np.ones(rows)])
    np.testing.assert_allclose(constant, 7)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"early_stopping": "yes"}, "early_stopping: 'yes': want True or False"),
        ({"n_jobs": "all"}, "n_jobs: 'all': want a number of threads, -1"),
        ({"n_jobs": 0}, "n_jobs: 0: want a number of threads, -1"),
        ({"verbose": "yes"}, "verbose: 'yes': want 0 or 1"),
        ({"validation": "tenth"}, "validation: 'tenth': want a share of the rows"),
        ({"validation": 1.5}, "validation: 1.5: want a share of the rows"),
        ({"rules": "many"}, '^rules: "many": want a whole number'),
        ({"prune_gamma": -1}, "^prune_gamma: -1: must be at least 0"),
        ({"loss": "poison"}, "^loss: .* did you mean poisson"),
        ({"quantiles": [0.1, 0.9]}, r"^quantiles: \[0.1, 0.9\]: loss mean \(loss\) has no quantiles"),
    ],
)
def test_errors_name_the_parameter(numbers: Arrays, parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words) as caught:
        TSKRegressor(**{"race": [], "iterations": 1, **parameters}).fit(*numbers)
    assert caught.value.parameter == next(iter(parameters))


def test_weights_of_classes_are_named(numbers: Arrays) -> None:
    with pytest.raises(
        SettingError, match=r"class_weights: .*want 'balanced' or 'none'; for weights of your own give sample_weight to fit"
    ):
        TSKClassifier(class_weights={0: 1, 1: 3}).fit(numbers[0], numbers[1] > 0)
