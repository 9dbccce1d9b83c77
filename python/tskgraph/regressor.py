"""The regressor of scikit-learn's API."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.exceptions import DataConversionWarning

from ._estimator import Estimator
from ._settings import RegressorSettings
from ._table import Column, Table, numbers_of, target_of


class TSKRegressor(RegressorMixin, RegressorSettings, Estimator):  # noqa: D101
    __doc__ = f"""A Takagi-Sugeno-Kang fuzzy model that predicts numbers: means, quantiles, counts or costs, of one target or several.

    {RegressorSettings.__doc__}
    Attributes
    ----------
    {(Estimator.__doc__ or "").partition("----------")[2].strip()}

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0, 6, 200).reshape(-1, 1)
    >>> model = TSKRegressor(preset="readable").fit(X, np.sin(X[:, 0]))  # doctest: +SKIP
    >>> model.predict([[1.5]])  # doctest: +SKIP
    """

    _task = "regression"

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _target(self, y: Any) -> tuple[Table, dict[str, Any]]:
        target = _numbers(y)
        if np.asarray(y).ndim == 2 and len(target.columns) == 1:
            message = "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,)."
            warnings.warn(message, DataConversionWarning, stacklevel=3)
        return target, {}

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return predictions, [N] or [N, C]; of a model of quantiles the one that is nearest to the median."""
        return self._model().predict(self._given(X))

    def predict_quantiles(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the quantiles of a model with loss="quantile", [N, Q], at the levels of the parameter quantiles."""
        return self._model().predict_quantiles(self._given(X))

    def _evaluated_target(self, y: Any, target: Table, own: dict[str, Any]) -> Table:  # noqa: ARG002
        given = _numbers(y)
        if len(given.columns) != len(target.columns):
            raise ValueError(f"y of eval_set has {len(given.columns)} columns, and y has {len(target.columns)}")
        return Table(tuple(Column(one.name, column.values) for one, column in zip(target.columns, given.columns)), given.rows)


def _numbers(y: Any) -> Table:
    """Return the targets as columns of numbers."""
    target = target_of(y)
    return Table(tuple(Column(column.name, numbers_of(column)) for column in target.columns), target.rows)
