"""Estimators in the files of models."""

from __future__ import annotations

import os
from typing import Any, TypeVar

import numpy as np

from . import _background
from ._configuration import plain
from ._reader import ESTIMATOR
from .errors import ModelError
from .model import Model

T = TypeVar("T")


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Save the model of a fitted estimator with its parameters. A RandomState is saved as None."""
    parameters = {name: plain(value) for name, value in estimator.get_params(deep=False).items()}
    if isinstance(parameters["random_state"], np.random.RandomState):
        parameters["random_state"] = None
    own: dict[str, Any] = {"class": type(estimator).__name__, "parameters": parameters, "named": hasattr(estimator, "feature_names_in_")}
    if estimator._background() is not None:
        own["background"] = _background.saved(estimator.background_)
    own.update(estimator._saved())
    Model({**estimator._fitted().document, ESTIMATOR: own}).save(path)


def estimator_of(cls: type[T], model: Model) -> T:
    """Return an estimator with a model, and with the parameters that its file holds.

    Raises
    ------
    ModelError
        If the model is not one of the class of estimators.
    """
    document = model.document
    own = document.pop(ESTIMATOR, {})
    wanted = "TSKClassifier" if model.kind == "classes" else "TSKRegressor"
    if wanted not in [base.__name__ for base in cls.__mro__]:
        raise ModelError(f"the model predicts {model.kind}: load it with {wanted} or Model")
    try:
        estimator: T = _restored(cls, Model(document), own)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"the field {ESTIMATOR} is damaged, or of another version of the package ({error!r}): use Model.load") from error
    return estimator


def _restored(cls: Any, model: Model, own: dict[str, Any]) -> Any:
    """Return an estimator by the field that `save` wrote; empty of a model that no estimator trained."""
    estimator = cls(**own.get("parameters", {}))
    estimator.model_ = model
    estimator.n_features_in_ = len(model.columns)
    if own.get("named", True):
        estimator.feature_names_in_ = np.asarray(model.columns, dtype=object)
    if "background" in own:
        estimator.background_ = _background.restored(own["background"])
    estimator._restore(own)
    return estimator
