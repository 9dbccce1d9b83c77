"""The regressor of scikit-learn's API."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.exceptions import DataConversionWarning

from ._estimator import Callback, Estimator
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

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Sequence[tuple[Any, Any]] | None = None,
        eval_names: Sequence[str] | None = None,
        callbacks: Sequence[Callback] | None = None,
    ) -> TSKRegressor:
        """Train a model on all rows.

        Parameters
        ----------
        X : array-like or frame of shape (N, M)
            Features: numbers, or categories in a frame or an array of objects.
        y : array-like or frame of shape (N,) or (N, C)
            One target, or C of them.
        sample_weight : array-like of shape (N,), optional
            Weights of rows: 2 counts as two rows, 0 leaves the row out.
        eval_set : list of (X, y), optional
            Sets to measure every ten iterations, or as validate_every says: the curves are in evals_result_. With early_stopping the first
            that is not (X, y) itself chooses the best iteration, and no rows of X are set aside.
        eval_names : list of str, optional
            Names of these sets; by default valid_0, valid_1, ..., and training for (X, y) itself.
        callbacks : list of callables, optional
            Each receives the `Progress` of the training; `StopTraining` raised in one ends it, and keeps the best model so far.

        Raises
        ------
        SettingError
            If a parameter is not valid: a ValueError.
        DataError, ValueError, TypeError
            If the table is not valid.
        TrainingError, KeyboardInterrupt
            If the training fails, or was interrupted: then the estimator holds the model so far.
        """
        target = _numbers(y)
        if np.asarray(y).ndim == 2 and len(target.columns) == 1:
            message = "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,)."
            warnings.warn(message, DataConversionWarning, stacklevel=2)
        self._train((X, y), target, sample_weight, (eval_set, eval_names), callbacks)
        return self

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

    def _saved(self) -> dict[str, Any]:
        return {}

    def _restore(self, own: dict[str, Any]) -> None:
        """Take up what `_saved` returned."""


def _numbers(y: Any) -> Table:
    """Return the targets as columns of numbers."""
    target = target_of(y)
    return Table(tuple(Column(column.name, numbers_of(column)) for column in target.columns), target.rows)
