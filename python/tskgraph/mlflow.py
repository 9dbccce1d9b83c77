"""MLflow: models as pyfunc, which predict with NumPy alone and need no program."""

from __future__ import annotations

import inspect
import os
import tempfile
from collections.abc import Mapping
from typing import Any

from ._model import BaseModel
from ._version import __version__
from .model import Model, Views

__all__ = ["load_model", "log_model", "save_model"]

_FILE = "model.json"


def log_model(model: Views, name: str = "model", **options: Any) -> Any:
    """Log a model to the active run of MLflow as a pyfunc, with its signature and requirements.

    Parameters
    ----------
    model : Model or fitted estimator
    name : str
        Name of the logged model; in versions before 3 its artifact path.
    **options
        Further arguments of ``mlflow.pyfunc.log_model``, such as ``registered_model_name``.

    Returns
    -------
    ModelInfo
        What ``mlflow.pyfunc.log_model`` returns. ``mlflow.pyfunc.load_model`` of its ``model_uri`` predicts as the model does; its
        ``params`` are ``interval`` (a level, for a mapping with ``prediction``, ``low`` and ``high``) and ``probabilities`` (of classes).

    Raises
    ------
    ModuleNotFoundError
        If MLflow is missing.
    """
    import mlflow

    key = "name" if "name" in inspect.signature(mlflow.pyfunc.log_model).parameters else "artifact_path"
    return _write(mlflow.pyfunc.log_model, model, {key: name, **options})


def save_model(model: Views, path: str | os.PathLike[str], **options: Any) -> None:
    """Save a model as a directory that ``mlflow.pyfunc.load_model`` reads, see `log_model`; options are of ``mlflow.pyfunc.save_model``."""
    import mlflow

    _write(mlflow.pyfunc.save_model, model, {"path": os.fspath(path), **options})


def load_model(uri: str) -> Model:
    """Return the model at a URI of MLflow as it was logged, with all its methods."""
    import mlflow

    return Model.load(os.path.join(mlflow.artifacts.download_artifacts(uri), "data", _FILE))


def _write(to: Any, model: Views, options: dict[str, Any]) -> Any:
    of = model._model()
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, _FILE)
        of.save(path)
        given = {"signature": _signature(of), "pip_requirements": [f"tskgraph=={__version__}"], **options}
        return to(loader_module=__name__, data_path=path, **given)


def _signature(of: BaseModel) -> Any:
    """Return the signature of MLflow: columns of numbers and texts, any of which may be missing."""
    from mlflow.models import ModelSignature
    from mlflow.types import ColSpec, ParamSchema, ParamSpec, Schema

    numeric = {c["name"] for c in of.document["columns"] if not c.get("levels")}
    inputs = Schema([ColSpec("double" if name in numeric else "string", name, required=False) for name in of.columns_used])
    outputs = Schema([ColSpec("string" if of.classes else "double", name) for name in of.targets])
    params = [ParamSpec("interval", "double", 0.0), ParamSpec("probabilities", "boolean", False)]
    return ModelSignature(inputs=inputs, outputs=outputs, params=ParamSchema(params))


def _load_pyfunc(path: str) -> _Predictor:
    """Return what MLflow predicts with; it calls this function."""
    return _Predictor(Model.load(path))


class _Predictor:
    """A model with the interface of pyfunc."""

    def __init__(self, model: Model) -> None:
        self._of = model

    def predict(self, model_input: Any, params: Mapping[str, Any] | None = None) -> Any:
        params = params or {}
        if params.get("probabilities"):
            return self._of.predict_proba(model_input)
        level = params.get("interval") or 0.0
        predicted = self._of.predict(model_input)
        if not level:
            return predicted
        interval = self._of.predict_interval(model_input, level)
        return {"prediction": predicted, "low": interval[..., 0], "high": interval[..., 1]}
