"""The exceptions that the package raises."""

from __future__ import annotations

import re
from typing import Any

from ._settings import KEYS

__all__ = ["BinaryNotFoundError", "DataError", "ModelError", "SettingError", "TrainingError", "TskgraphError"]


_PARAMETERS = {key: name for name, key in KEYS.items()}

_KEY = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(_PARAMETERS, key=len, reverse=True)))})\b")


def by_parameters(message: str) -> str:
    """Return a message of the program that names parameters instead of the keys of config.yaml."""
    return _KEY.sub(lambda key: _PARAMETERS[key[0]], message)


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


class TrainingError(TskgraphError, RuntimeError):
    """Training failed: it diverged, was killed, or ran out of memory or disk space."""


class BinaryNotFoundError(TskgraphError, OSError):
    """The program tskgraph is missing, cannot be run on this machine, or has another version than the package."""
