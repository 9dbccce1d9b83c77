"""Takagi-Sugeno-Kang fuzzy models: readable rules that are learnt from tables."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from ._artifacts import show
    from ._progress import Progress
    from .classifier import TSKClassifier
    from .errors import BinaryNotFoundError, DataError, ModelError, SettingError, StopTraining, TrainingError, TskgraphError
    from .explanation import Explanation
    from .model import Model
    from .overview import GlobalExplanation
    from .regressor import TSKRegressor

__all__ = [
    "BinaryNotFoundError",
    "DataError",
    "Explanation",
    "GlobalExplanation",
    "Model",
    "ModelError",
    "Progress",
    "SettingError",
    "StopTraining",
    "TSKClassifier",
    "TSKRegressor",
    "TrainingError",
    "TskgraphError",
    "__version__",
    "show",
]

_MODULES = {
    "Explanation": "explanation",
    "GlobalExplanation": "overview",
    "Model": "model",
    "Progress": "_progress",
    "TSKClassifier": "classifier",
    "TSKRegressor": "regressor",
    "show": "_artifacts",
}
"""The modules of public names; those that are not listed are in errors."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: scikit-learn is needed by the estimators only."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("." + _MODULES.get(name, "errors"), __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
