"""The estimators within scikit-learn: all of its checks, and its own estimators around them."""

from __future__ import annotations

import re
from typing import Any

import joblib
import numpy as np
import pytest
import sklearn
from conftest import Arrays
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingClassifier, VotingRegressor
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks, estimator_html_repr

from tskgraph import TSKClassifier, TSKRegressor

ESTIMATORS = (TSKRegressor, TSKClassifier)

# How many checks scikit-learn has for each estimator; of versions that are not listed, at least those of 1.2.
COUNTS = {(1, 2): (48, 50), (1, 9): (61, 63)}

EXPECTED = {
    f"check_sample_weight_equivalence_on_{kind}_data": "mini-batches draw a weighted row once, repeated ones often; a class needs 3 rows"
    for kind in ("dense", "sparse")
}
SKIPPED = {"check_array_api_input"}  # by scikit-learn, without SCIPY_ARRAY_API


def checks_of(cls: Any) -> list[tuple[Any, Any]]:
    """Return the checks of an estimator that is quick to train."""
    estimator = cls(race=[], rules=4, iterations=300)
    generate = getattr(estimator_checks, "estimator_checks_generator", None)
    return list(generate(estimator) if generate else estimator_checks.check_estimator(estimator, generate_only=True))


def name_of(check: Any) -> str:
    """Return the name of the function of a check."""
    while hasattr(check, "func"):
        check = check.func
    return str(check.__name__)


@pytest.mark.parametrize("place", [0, 1])
def test_number_of_checks(place: int) -> None:
    version = tuple(int(part) for part in re.findall(r"\d+", sklearn.__version__)[:2])
    count = len(checks_of(ESTIMATORS[place]))
    if version in COUNTS:
        assert count == COUNTS[version][place]
    else:
        assert count >= COUNTS[1, 2][place]


def cases() -> list[Any]:
    """Return the checks as parameters of a test."""
    found = []
    for cls in ESTIMATORS:
        for place, (estimator, check) in enumerate(checks_of(cls)):
            name = name_of(check)
            marks = [pytest.mark.xfail(reason=EXPECTED[name], strict=True)] if name in EXPECTED else []
            found.append(pytest.param(estimator, check, id=f"{cls.__name__}-{place}-{name}", marks=marks))
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("binary")
@pytest.mark.parametrize(("estimator", "check"), cases())
def test_check(estimator: Any, check: Any) -> None:
    try:
        check(estimator)
    except Exception as error:
        if type(error).__name__ == "SkipTest" and name_of(check) in SKIPPED:
            pytest.skip(str(error))
        raise


pytestmark = pytest.mark.usefixtures("binary")

QUICK: dict[str, Any] = {"race": [], "rules": 4, "iterations": 200}


@pytest.fixture
def regressor() -> TSKRegressor:
    """Return a regressor that trains in a tenth of a second."""
    return TSKRegressor(**QUICK)


@pytest.fixture
def classifier() -> TSKClassifier:
    """Return a classifier that trains in a tenth of a second."""
    return TSKClassifier(**QUICK)


def test_pipeline(regressor: TSKRegressor, numbers: Arrays) -> None:
    X, y = numbers
    pipeline = make_pipeline(StandardScaler(), regressor).fit(X, y)
    assert pipeline.score(X, y) > 0.4
    assert not hasattr(pipeline, "transform")
    assert "StandardScaler" in estimator_html_repr(pipeline)
    assert pipeline[1].get_params() == regressor.get_params()


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_grid_search(backend: str, regressor: TSKRegressor, numbers: Arrays) -> None:
    with joblib.parallel_backend(backend):
        search = GridSearchCV(regressor, {"rules": [2, np.int64(6)], "l2": np.array([0.001])}, cv=2, n_jobs=2).fit(*numbers)
    assert search.best_params_["rules"] == 6
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])


def test_cross_validation(regressor: TSKRegressor, classifier: TSKClassifier, numbers: Arrays, classes: Arrays) -> None:
    assert cross_val_score(regressor, *numbers, cv=3).mean() > 0.4
    assert cross_val_score(classifier, *classes, cv=3, scoring="neg_log_loss").mean() > -0.5
    proba = cross_val_predict(classifier, *classes, cv=3, method="predict_proba")
    assert (proba.argmax(axis=1) == classes[1]).mean() > 0.85


def test_meta_classifiers(classifier: TSKClassifier, classes: Arrays) -> None:
    words = np.array(["b", "a", "c"])[classes[1]]
    for model in (CalibratedClassifierCV(classifier, cv=2), StackingClassifier([("tsk", classifier)], LogisticRegression(), cv=2)):
        assert model.fit(classes[0], words).score(classes[0], words) > 0.85


def test_meta_regressors(regressor: TSKRegressor, numbers: Arrays) -> None:
    X, y = numbers
    models = [
        VotingRegressor([("tsk", regressor), ("linear", LinearRegression())]),
        BaggingRegressor(regressor, n_estimators=2, random_state=1),
        TransformedTargetRegressor(regressor, func=np.arcsinh, inverse_func=np.sinh),
    ]
    for model in models:
        assert model.fit(X, y).score(X, y) > 0.3
    assert MultiOutputRegressor(regressor).fit(X, np.c_[y, -y]).predict(X).shape == (200, 2)


def test_inspection(regressor: TSKRegressor, numbers: Arrays) -> None:
    X, y = numbers
    regressor.set_params(iterations=1000).fit(X, y)
    importance = permutation_importance(regressor, X, y, n_repeats=2, random_state=1).importances_mean
    assert (importance > 0).all()
    average = partial_dependence(regressor, X, [0], kind="average")["average"][0]
    assert np.ptp(average) > 0.5
