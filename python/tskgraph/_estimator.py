"""What both estimators of scikit-learn's API share."""

from __future__ import annotations

import difflib
import os
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ._evaluation import curves_of, like, results_of, sets_of
from ._html import visible
from ._job import job_of, read_texts
from ._progress import Progress
from ._saving import background_of, estimator_of, save
from ._table import Column, Table, check_cells, table_of, target_of, weights_of
from ._training import Trained, train
from .errors import SettingError
from .model import Model, Views, html_of
from .rules import Rules

Callback = Callable[[Progress], object]
Self = TypeVar("Self", bound="Estimator")


class Estimator(Views, BaseEstimator):
    """Base class of TSKRegressor and TSKClassifier.

    Attributes
    ----------
    model_ : Model
        The model, which predicts without scikit-learn and the program.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str of shape (n_features_in_,)
        Names of the features, if X had names.
    n_iter_ : int
        Iterations of the training.
    best_iteration_ : int
        The iteration of the model: the one with the lowest error on the validation part, if there is one, else the last.
    evals_result_ : dict
        After a fit with eval_set: for each set, by name, and its metric the list of figures, as in LightGBM.
    evals_iterations_ : ndarray of int
        The iterations of these figures: every tenth, or as validate_every says, and the last.
    summary_ : dict
        Summary of the run: sizes, errors, readability.
    history_ : list of dict
        Figures of the iterations: iteration, loss, penalty and so on.
    race_ : dict
        If settings raced: each with its parameters and scores, as cv_results_ of GridSearchCV has them.
    background_ : Table
        At most 100 of the training rows, which explanations compare with. Pickles and saved files hold them: delete the attribute before
        you publish a model of confidential rows.
    rules_ : Rules
        The rules, with words, borders and terms.
    """

    _task: str
    model_: Model
    n_features_in_: int
    background_: Table

    def __new__(cls: type[Self], *_: Any, **parameters: Any) -> Self:
        """Refuse a parameter that does not exist."""
        check_parameters(cls, parameters, TypeError)
        made: Self = super().__new__(cls)
        return made

    def set_params(self: Self, **parameters: Any) -> Self:
        """Set parameters, as scikit-learn's estimators do; a name that is none of a parameter is a ValueError."""
        check_parameters(type(self), parameters, ValueError)
        super().set_params(**parameters)
        return self

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": self.missing != "error", "X_types": ["2darray", "sparse"]}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.sparse = True
        return tags

    def fit(
        self: Self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Sequence[tuple[Any, Any]] | None = None,
        eval_names: Sequence[str] | None = None,
        callbacks: Sequence[Callback] | None = None,
    ) -> Self:
        """Train a model on all rows.

        Parameters
        ----------
        X : array-like or frame of shape (N, M)
            Features: numbers, or categories in a frame or an array of objects.
        y : array-like or frame of shape (N,) or (N, C)
            One target, or C of them; of a classifier labels (N,): texts, whole numbers or booleans.
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
            If the table is not valid, or labels have one class only, or fewer than 3 rows of a class.
        TrainingError, KeyboardInterrupt
            If the training fails, or was interrupted: then the estimator holds the model so far.
        """
        target, own = self._target(y)
        self._train((X, y), target, sample_weight, (eval_set, eval_names), callbacks, **own)
        return self

    def _target(self, y: Any) -> tuple[Table, dict[str, Any]]:
        """Return the targets of fit as columns, and further attributes of the estimator."""
        raise NotImplementedError

    def _train(
        self, data: tuple[Any, Any], y: Table, sample_weight: Any, sets: tuple[Any, Any], callbacks: Sequence[Callback] | None, **own: Any
    ) -> None:
        """Train a model on the data that fit was given, (X, y), and keep it with further attributes. A training that fails changes nothing.

        y has the targets as columns, and sets are eval_set and eval_names. After an interrupt, a KeyboardInterrupt, the estimator holds the
        model so far, if there is one.
        """
        if callable(callbacks):
            raise TypeError("callbacks is a function: want a list of functions")
        features = read_texts(table_of(data[0]), self.categorical)
        check_cells(features, missing=self.missing != "error")
        _check_rows(y, features)
        weights = weights_of(sample_weight, features.rows)
        self._check_target(y if weights is None else y.taking(weights > 0), own)
        target, attributes = target_of(y, taken=features.names), attributes_of(data[0], features)

        def read(X: Any, y: Any, what: str) -> Table:
            table = table_of(X)
            compare(self, X, table, attributes.get("feature_names_in_"), len(features.columns))
            table = like(table, features)
            check_cells(table, missing=self.missing != "error", what=what)
            evaluated = self._evaluated_target(y, target, own)
            _check_rows(evaluated, table)
            return Table(table.columns + evaluated.columns, table.rows)

        watch = sets_of(*sets, Table(features.columns + target.columns, features.rows), read, validating=self.early_stopping)
        if watch and (self.members or 1) > 1:
            raise SettingError(f"members: {self.members}: eval_set evaluates a single model: leave one of them out", "train.members")
        job = job_of(self.get_params(deep=False), features, target, weights, watch, check_random_state(self.random_state))
        job.config["task"] = self._task
        trained = train(job, callbacks=callbacks or (), jobs=effective_n_jobs(self.n_jobs), verbose=self.verbose)
        if watch:
            own["evals_iterations_"], own["evals_result_"] = curves_of(watch, trained.metrics)
        self._keep(trained, background_=background_of(features if weights is None else features.taking(weights > 0)), **attributes, **own)

    def _check_target(self, y: Table, own: dict[str, Any]) -> None:
        """Refuse targets to train on. Of regression all are valid."""

    def _saved(self) -> dict[str, Any]:
        """Return what a file holds besides model and parameters."""
        return {}

    def _restore(self, own: dict[str, Any]) -> None:
        """Take up what `_saved` returned."""

    def _evaluated_target(self, y: Any, target: Table, own: dict[str, Any]) -> Table:
        """Return the targets of a further set, with the names of the targets of the training."""
        raise NotImplementedError

    def _keep(self, trained: Trained, **fitted: Any) -> None:
        """Keep the result of a training, and drop that of an earlier one."""
        fitted["model_"] = Model.from_json(trained.form)
        fitted["n_iter_"], fitted["best_iteration_"] = int(trained.summary["iterations"]), int(trained.summary["best_iteration"])
        parameters = {name: value for name, value in vars(self).items() if not name.endswith("_")}
        self.__dict__ = {**parameters, **fitted, "summary_": trained.summary, "history_": trained.metrics}
        if trained.interrupted:
            raise KeyboardInterrupt

    def _given(self, X: Any) -> Table:
        """Return the features as a table with the names of the training, after scikit-learn's checks."""
        check_is_fitted(self)
        if isinstance(X, Table):  # the rows that are kept
            return X
        own = getattr(self, "feature_names_in_", None)
        names = [f"x{i}" for i in range(self.n_features_in_)] if own is None else own
        if hasattr(X, "nnz") and X.shape[1] == len(names):  # only some columns need to become dense
            table = table_of(X, names=[str(name) for name in names], needed=self.model_.columns_used)
            check_cells(table, missing=self.missing != "error")
            return table
        table = table_of(X)
        compare(self, X, table, own, self.n_features_in_)
        table = Table(tuple(Column(str(n), c.values, c.levels) for n, c in zip(names, table.columns)), table.rows)
        check_cells(table, missing=self.missing != "error")
        return table

    def predict_interval(self, X: Any, level: float = 0.9, *, side: str = "both") -> npt.NDArray[np.float64]:
        """Return intervals that hold the target of a new row with a probability of at least level. It needs calibration > 0.

        They are lower and upper ends, [N, 2], of C targets [N, C, 2]; with side "lower" or "upper" only that one is a bound.
        """
        return self._model().predict_interval(self._given(X), level, side=side)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the estimator as one JSON file, which `load` and `Model.load` read."""
        save(self, path)

    @classmethod
    def load(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """Load an estimator or a model that `save` wrote. A file that is none, or of an estimator of another class, is a ModelError."""
        return estimator_of(cls, Model.load(path))

    @classmethod
    def from_run(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """Return an estimator with the model of a run's directory or a model.json, which needs the program."""
        return estimator_of(cls, Model.from_run(path))

    @property
    def race_(self) -> dict[str, Any]:
        """The race of settings of the last fit as scikit-learn has cv_results_, see `_evaluation.results_of`; absent without a race."""
        check_is_fitted(self)
        return results_of(getattr(self, "summary_", {}))

    @property
    def rules_(self) -> Rules:
        """The rules of the model."""
        return self._model().rules

    def _model(self) -> Model:
        check_is_fitted(self)
        return self.model_

    def _background(self) -> Table | None:
        return getattr(self, "background_", None)

    def _history(self) -> list[dict[str, Any]]:
        return getattr(self, "history_", [])

    def _repr_html_(self) -> str:
        return html_of(getattr(self, "model_", None), f"<p><code>{visible(repr(self))}</code></p>")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _check_rows(y: Table, features: Table) -> None:
    if y.rows != features.rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[features.rows, y.rows]}")


_SHOWN = 5  # names in a message


def attributes_of(X: Any, table: Table) -> dict[str, Any]:
    """Return n_features_in_ and, if X has names that are texts, feature_names_in_."""
    named = {"feature_names_in_": np.asarray(table.names, dtype=object)} if _named(X) else {}
    return {"n_features_in_": len(table.columns), **named}


def compare(estimator: Any, X: Any, table: Table, fitted: Sequence[str] | None, expected: int) -> None:
    """Compare an X with the names, if any, and the number of columns of that of the fit. Names on one side only are a warning."""
    name = type(estimator).__name__
    if _named(X) and fitted is None:
        warnings.warn(f"X has feature names, but {name} was fitted without feature names", stacklevel=4)
    elif not _named(X) and fitted is not None:
        warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature names", stacklevel=4)
    elif fitted is not None and table.names != list(fitted):
        raise ValueError(_difference(set(table.names), set(fitted)))
    if len(table.columns) != expected:
        raise ValueError(f"X has {len(table.columns)} features, but {name} is expecting {expected} features as input.")


def check_parameters(cls: Any, given: Collection[str], error: type[Exception]) -> None:
    """Raise an error of a type if an estimator has no parameter of a name that is given, with the nearest one."""
    names = cls._get_param_names()
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name.lower(), names, 1)
            hint = f": did you mean {near[0]!r}?" if near else f"; its parameters: {', '.join(names)}"
            raise error(f"Invalid parameter {name!r} for estimator {cls.__name__}{hint}")


def _named(X: Any) -> bool:
    """Report whether X has names of columns that are texts."""
    if hasattr(X, "columns") and not hasattr(X, "column_names"):  # columns of pyarrow are data
        return len(X.columns) > 0 and isinstance(X.columns[0], str)
    return hasattr(X, "__dataframe__") or isinstance(X, Mapping) or getattr(getattr(X, "dtype", None), "names", None) is not None


def _difference(given: Collection[str], fitted: Collection[str]) -> str:
    """Return scikit-learn's message for names that differ."""
    text = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    if unseen:
        text += "Feature names unseen at fit time:\n" + _list(unseen)
    if missing:
        text += "Feature names seen at fit time, yet now missing:\n" + _list(missing)
    if not unseen and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    return text


def _list(names: list[str]) -> str:
    return "".join(f"- {name}\n" for name in names[:_SHOWN]) + ("- ...\n" if len(names) > _SHOWN else "")
