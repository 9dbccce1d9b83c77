"""Models of MLflow: with the library where it is installed, else with what it is called with."""

from __future__ import annotations

import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import trained

import tskgraph.mlflow
from tskgraph.model import Model

Get = Callable[[str], Model]
ROWS = {name: values for name, values in trained.table(50, 2).items() if name in trained.COLUMNS}


class Recorded:
    """Stands for a class of MLflow, and keeps the arguments."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.args, self.options = args, options


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Install a module mlflow that loads what is logged at once, as pyfunc does, and return the arguments of its calls."""
    made: list[dict[str, Any]] = []

    def write(loader_module: str, data_path: str, **options: Any) -> Any:
        loaded = sys.modules[loader_module]._load_pyfunc(data_path)
        made.append(options)
        return loaded

    def log_model(name: str, loader_module: str, data_path: str, **options: Any) -> Any:
        return write(loader_module, data_path, name=name, **options)

    def save_model(path: str, loader_module: str, data_path: str, **options: Any) -> Any:
        return write(loader_module, data_path, path=path, **options)

    for name, content in {
        "mlflow": {},
        "mlflow.pyfunc": {"log_model": log_model, "save_model": save_model},
        "mlflow.models": {"ModelSignature": Recorded},
        "mlflow.types": {"ColSpec": Recorded, "ParamSchema": Recorded, "ParamSpec": Recorded, "Schema": Recorded},
    }.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    return made


def test_log(calls: list[dict[str, Any]], model_of: Get, tmp_path: pathlib.Path) -> None:
    number, classes = model_of("number"), model_of("classes")
    loaded = tskgraph.mlflow.log_model(number, "pages", registered_model_name="heating")
    options = calls[0]
    assert options["name"] == "pages" and options["registered_model_name"] == "heating"
    assert options["pip_requirements"] == [f"tskgraph=={tskgraph.__version__}"]
    columns = {spec.args[1]: spec.args[0] for spec in options["signature"].options["inputs"].args[0]}
    assert columns["length"] == "double" and columns["day"] == "string"
    np.testing.assert_array_equal(loaded.predict(ROWS), number.predict(ROWS))
    both = loaded.predict(ROWS, params={"interval": 0.9})
    np.testing.assert_array_equal(np.stack([both["low"], both["high"]], -1), number.predict_interval(ROWS, 0.9))

    tskgraph.mlflow.save_model(classes, tmp_path / "saved")
    assert calls[1]["path"] == str(tmp_path / "saved")
    loaded = tskgraph.mlflow.log_model(classes)
    np.testing.assert_array_equal(loaded.predict(ROWS, {"probabilities": True}), classes.predict_proba(ROWS))
    assert list(loaded.predict(ROWS)) == list(classes.predict(ROWS))


def test_real(model_of: Get, tmp_path: pathlib.Path) -> None:
    mlflow = pytest.importorskip("mlflow")
    path = str(tmp_path / "saved")
    tskgraph.mlflow.save_model(model_of("number"), path)
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    np.testing.assert_array_equal(mlflow.pyfunc.load_model(path).predict(frame), model_of("number").predict(ROWS))
    assert tskgraph.mlflow.load_model(path) == model_of("number")


def test_missing(monkeypatch: pytest.MonkeyPatch, model_of: Get) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(ModuleNotFoundError, match="mlflow"):
        tskgraph.mlflow.log_model(model_of("number"))
