"""scikit-learn's checks of estimators, all of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
import sklearn
from sklearn.utils import estimator_checks

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
