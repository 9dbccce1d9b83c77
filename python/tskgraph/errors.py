"""The exceptions that the package raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ._settings import KEYS

__all__ = ["BinaryNotFoundError", "DataError", "ModelError", "SettingError", "StopTraining", "TrainingError", "TskgraphError"]

_PARAMETERS = {key: name for name, key in KEYS.items()}

_KEY = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(_PARAMETERS, key=len, reverse=True)))})\b")


# What a message says that holds for the command alone, and what holds here. A table is standard input there, and its lines are rows.
_HERE: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile(r"^standard input:(\d+)(?::\d+)?: ", re.MULTILINE), r"row \1: "),
    (re.compile(r"^standard input: ", re.MULTILINE), ""),
    (re.compile(r"ignore (it|the column) \(data\.ignore\)"), r"leave \1 out of X"),
    (re.compile(r" \(data\.ignore\)|data\.ignore, "), ""),
    (re.compile(r"list it in data\.na"), "replace it by None"),
    (re.compile(r"set task: classification"), "use TSKClassifier"),
    (re.compile(r"^--to: ", re.MULTILINE), ""),
    (_KEY, lambda key: _PARAMETERS[key[0]]),
]  # fmt: skip


def in_python(message: str) -> str:
    """Return a message of the program for users of the package: rows of X, parameters instead of the keys of config.yaml."""
    for said, here in _HERE:
        message = said.sub(here, message)
    return message


class TskgraphError(Exception):
    """Base class of all exceptions of the package."""


class SettingError(TskgraphError, ValueError):
    """The value of a setting is not valid, or does not go with other settings.

    Attributes
    ----------
    key : str
        The key of the configuration, such as ``"train.l2"``; empty if the fault is not of one key.
    parameter : str
        The parameter that sets the key, such as ``"l2"``; of a key without one, its last part.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key

    @property
    def parameter(self) -> str:
        """The last part of the key."""
        return _PARAMETERS.get(self.key, self.key.rpartition(".")[2])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.key)


class DataError(TskgraphError, ValueError):
    """The table cannot be used: a column, a cell or the number of rows is at fault."""


class ModelError(TskgraphError, ValueError):
    """A model file is damaged, of another version or no model file."""


class StopTraining(Exception):  # noqa: N818
    """Raised by a callback of fit to end the training. The estimator keeps the best model so far, and fit returns."""


class TrainingError(TskgraphError, RuntimeError):
    """Training failed: it diverged, was killed, or ran out of memory or disk space."""


class BinaryNotFoundError(TskgraphError, OSError):
    """The program tskgraph is missing, cannot be run on this machine, or has another version than the package."""
