"""The regressor of scikit-learn's API."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.exceptions import DataConversionWarning

from ._estimator import Estimator
from ._settings import RegressorSettings
from ._table import Column, Table, numbers_of, target_of
from ._training import Progress


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

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, callback: Callable[[Progress], None] | None = None) -> TSKRegressor:
        """Train a model on all rows.

        Parameters
        ----------
        X : array-like or frame of shape (N, M)
            Features: numbers, or categories in a frame or an array of objects.
        y : array-like or frame of shape (N,) or (N, C)
            One target, or C of them.
        sample_weight : array-like of shape (N,), optional
            Weights of rows: 2 counts as two rows, 0 leaves the row out.
        callback : callable, optional
            Receives the `Progress` of the training.

        Returns
        -------
        TSKRegressor
            The estimator.

        Raises
        ------
        SettingError
            If a parameter is not valid: a ValueError.
        DataError, ValueError, TypeError
            If the table is not valid.
        TrainingError
            If the training fails.
        KeyboardInterrupt
            If the training was interrupted. The estimator holds the model so far.
        """
        target = _numbers(y)
        if np.asarray(y).ndim == 2 and len(target.columns) == 1:
            message = "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,)."
            warnings.warn(message, DataConversionWarning, stacklevel=2)
        self._train(X, target, sample_weight, callback)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return predictions.

        Returns
        -------
        ndarray of shape (N,) or (N, C)
            Of a model of quantiles, the one that is nearest to the median.
        """
        rows, model = self._features(X), self._fitted()
        if model.kind == "quantiles":
            return model.predict_quantiles(rows)[:, int(np.argmin(np.abs(np.asarray(model.levels) - 0.5)))]
        return model.predict(rows)

    def predict_quantiles(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the quantiles of a model with loss="quantile", [N, Q], at the levels of the parameter quantiles."""
        return self._fitted().predict_quantiles(self._features(X))

    def _saved(self) -> dict[str, Any]:
        return {}

    def _restore(self, own: dict[str, Any]) -> None:
        """Take up what `_saved` returned."""


def _numbers(y: Any) -> Table:
    """Return the targets as columns of numbers."""
    target = target_of(y)
    return Table(tuple(Column(column.name, numbers_of(column)) for column in target.columns), target.rows)
