"""The labels of classes as the texts that a model knows."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

_LARGEST = 1e15 - 1  # whole number that the program reads as a class
_MISSING = {"", "na", "n/a", "nan", "null", "?"}


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
        if not any(text != text.strip() or text.lower() in _MISSING or _is_number(text) for text in texts):
            return tuple(texts)
    return tuple(json.dumps(str(v), ensure_ascii=False) for v in values)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def saved(classes: npt.NDArray[Any]) -> dict[str, Any]:
    """Return labels as JSON."""
    return {"type": classes.dtype.str if classes.dtype != object else "object", "labels": classes.tolist()}


def restored(document: dict[str, Any]) -> npt.NDArray[Any]:
    """Return the labels that `saved` wrote."""
    return np.array(document["labels"], dtype=document["type"])
