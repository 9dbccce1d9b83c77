"""TSKClassifier: labels, probabilities, weights, sets."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Arrays, refused

from tskgraph import DataError, ModelError, TSKClassifier, TSKRegressor, _saving

pytestmark = pytest.mark.usefixtures("binary")


def quick(**parameters: Any) -> TSKClassifier:
    """Return a classifier that trains in a tenth of a second."""
    return TSKClassifier(**{"race": [], "rules": 4, "iterations": 200, **parameters})


@pytest.fixture(scope="module")
def fitted(classes: Arrays) -> TSKClassifier:
    """Return a classifier of whole numbers without sets."""
    return quick().fit(*classes)


LABELS = [
    np.array([0, 1, 2]),
    np.array([-5, 10, 9]),
    np.array([0.0, 1.0, 20.0]),
    np.array([10**17, 10**17 + 1000, 3]),
    np.array([True, False]),
    np.array(["setosa", "virginica", "versicolor"]),
    np.array(["10", "9", "1e1"]),
    np.array(["01", "1", "1.0"], dtype=object),
    np.array(["NA", "", "nan"]),
    np.array([" a", "a", "a "], dtype=object),
    np.array(["True", "true", "?"]),
    np.array(["null", "a\x00b", "\u00e9" * 500 + "\U0001f600"], dtype=object),
    np.array(['quoted "x"', "line\nbreak", "größer, <b>"], dtype=object),
]


@pytest.mark.parametrize("labels", LABELS, ids=lambda labels: ascii(labels)[:60])
def test_labels(labels: Any, classes: Arrays, tmp_path: pathlib.Path) -> None:
    X, kind = classes
    y = labels[kind % len(labels)]
    model = quick().fit(X, y)
    assert model.classes_.dtype == y.dtype
    assert model.classes_.tolist() == np.unique(y).tolist()
    assert model.score(X, y) > (0.9 if len(labels) == 3 else 0.6)
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), len(labels))
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (model.classes_[proba.argmax(axis=1)] == model.predict(X)).all()
    model.save(tmp_path / "model.json")
    loaded = TSKClassifier.load(tmp_path / "model.json")
    assert loaded.classes_.dtype == y.dtype
    assert (loaded.predict(X) == model.predict(X)).all()


def test_texts_are_kept_if_they_can_be() -> None:
    assert _saving.texts_of(np.array([3, 12])) == ("3", "12")
    assert _saving.texts_of(np.array(["a", "b c"])) == ("a", "b c")
    assert _saving.texts_of(np.array(["a", " a"])) == ('"a"', '" a"')


def test_one_class(classes: Arrays) -> None:
    X, kind = classes
    refused(ValueError, "one class only", quick().fit, X, np.zeros(len(X)))
    refused(ValueError, "one class only", quick().fit, X, kind, sample_weight=kind == 1)


def test_class_without_weight(classes: Arrays) -> None:
    X, kind = classes
    model = quick().fit(X, kind, sample_weight=kind != 1)
    assert model.classes_.tolist() == [0, 1, 2]
    assert (model.predict_proba(X)[:, 1] == 0).all()
    assert set(model.predict(X)) == {0, 2}
    assert (model.predict_log_proba(X)[:, 1] == -np.inf).all()


def test_rare_class(classes: Arrays) -> None:
    X, kind = classes
    y = np.where(np.arange(len(X)) == 7, 3, kind)
    refused(DataError, "at least 3 rows of each class", quick().fit, X, y)


def test_weights_of_classes(classes: Arrays, fitted: TSKClassifier) -> None:
    X, kind = classes
    rare = (kind == 0) & (np.arange(len(X)) % 5 == 0)
    plain, balanced = quick().fit(X, rare), quick(class_weights="balanced").fit(X, rare)
    assert balanced.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean()
    smooth = quick(label_smoothing=0.3).fit(X, kind)
    assert smooth.predict_proba(X).max() < fitted.predict_proba(X).max()


def test_sets(classes: Arrays, fitted: TSKClassifier) -> None:
    X, kind = classes
    model = quick(calibration=0.3).fit(X, np.array(["a", "b", "c"])[kind])
    sets = model.predict_set(X, 0.8)
    assert sets.shape == (240, 3)
    assert sets.dtype == bool
    assert sets[np.arange(240), kind].mean() > 0.7
    refused(ValueError, "calibration", fitted.predict_set, X)


def test_load_of_another_kind(fitted: TSKClassifier, tmp_path: pathlib.Path) -> None:
    fitted.save(tmp_path / "model.json")
    refused(ModelError, "predicts classes: load it with TSKClassifier", TSKRegressor.load, tmp_path / "model.json")


def test_report(classes: Arrays, tmp_path: pathlib.Path) -> None:
    X, kind = classes
    y = np.array(["NA", "01", ""])[kind]
    model = quick().fit(X, y)
    model.report(X, y, tmp_path / "report.html")
    assert "<html" in (tmp_path / "report.html").read_text()
    refused(ValueError, "a label that training did not have", model.report, X, np.full(len(X), "x"), tmp_path / "report.html")


def test_from_run_has_texts_as_labels(classes: Arrays, fitted: TSKClassifier, tmp_path: pathlib.Path) -> None:
    X, _ = classes
    (tmp_path / "model.json").write_bytes(fitted.model_.model_file())
    loaded = TSKClassifier.from_run(tmp_path / "model.json")
    assert loaded.predict(pd.DataFrame(X, columns=["x0", "x1"])).tolist() == [str(label) for label in fitted.predict(X)]
