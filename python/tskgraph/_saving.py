"""Estimators in the files of models: their parameters, labels of classes, and the training rows that explanations compare with."""

from __future__ import annotations

import json
import os
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ._column import MARKS, is_decimal
from ._form import ESTIMATOR
from ._job import plain
from ._table import Column, Table
from .errors import ModelError
from .model import Model

T = TypeVar("T")

_LARGEST = 1e15 - 1  # whole number that the program reads as a class
_BACKGROUND = 100  # rows that are kept, as many as the program compares with


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Save the model of a fitted estimator with its parameters. A RandomState is saved as None."""
    parameters = {name: plain(value) for name, value in estimator.get_params(deep=False).items()}
    if isinstance(parameters["random_state"], np.random.RandomState):
        parameters["random_state"] = None
    own: dict[str, Any] = {"class": type(estimator).__name__, "parameters": parameters, "named": hasattr(estimator, "feature_names_in_")}
    if estimator._background() is not None:
        own["background"] = [
            {"name": c.name, "levels": c.levels and list(c.levels), "values": [v if v == v else None for v in c.values.tolist()]}
            for c in estimator.background_.columns
        ]
    own.update(estimator._saved())
    Model({**estimator._model().document, ESTIMATOR: own}).save(path)


def estimator_of(cls: type[T], model: Model) -> T:
    """Return an estimator with a model, and with the parameters that its file holds.

    A model that is not one of the class of estimators is a ModelError.
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
        columns = tuple(map(_restored_column, own["background"]))
        estimator.background_ = Table(columns, len(columns[0].values))
    estimator._restore(own)
    return estimator


def _restored_column(column: dict[str, Any]) -> Column:
    levels = column["levels"]
    values = np.array(column["values"], dtype=np.float64 if levels is None else np.intp)
    return Column(column["name"], values, None if levels is None else tuple(levels))


def background_of(table: Table) -> Table:
    """Return at most 100 training rows at equal distances, which explanations compare with."""
    chosen = np.arange(min(_BACKGROUND, table.rows)) * table.rows // min(_BACKGROUND, table.rows)
    return table.taking(chosen)


def texts_of(classes: npt.NDArray[Any]) -> tuple[str, ...]:
    """Return a text for each label. No two are equal for the program, which trims texts, compares numbers and has marks of missing values.

    Labels are written as they are if these rules allow it, otherwise as JSON, in quotes.
    """
    values = classes.tolist()
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        if all(abs(v) <= _LARGEST for v in values):
            return tuple(str(int(v)) for v in values)
    else:
        texts = [str(v) for v in values]
        if not any(text != text.strip() or text.lower() in MARKS or is_decimal(text) for text in texts):
            return tuple(texts)
    return tuple(json.dumps(str(v), ensure_ascii=False) for v in values)


def saved_labels(classes: npt.NDArray[Any]) -> dict[str, Any]:
    """Return labels as JSON."""
    return {"type": classes.dtype.str if classes.dtype != object else "object", "labels": classes.tolist()}


def restored_labels(document: dict[str, Any]) -> npt.NDArray[Any]:
    """Return the labels that `saved_labels` wrote."""
    return np.array(document["labels"], dtype=document["type"])
