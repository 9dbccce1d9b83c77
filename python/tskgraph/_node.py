"""JSON values that know their path, so that every fault of a document is an error that names the field."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from .errors import ModelError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def parse(text: str | bytes) -> Any:
    """Parse a JSON document in which no object has a field twice; another text is a ModelError."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except ModelError:
        raise
    except (ValueError, RecursionError) as error:
        raise ModelError(f"not a JSON document: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise ModelError(f"the field {next(n for n in names if names.count(n) > 1)!r} occurs twice in an object")
    return record


def _constant(name: str) -> NoReturn:
    raise ModelError(f"{name} is not a number of JSON: expected the text {name!r}")


class Node:
    """A value of a document with its path, such as ``members[0].rules``."""

    __slots__ = ("path", "value")

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def fault(self, message: str) -> ModelError:
        """Return an error that names the field."""
        return ModelError(f"{self.path or 'the document'}: {message}")

    def record(self, *names: str, optional: Sequence[str] = ()) -> Mapping[str, Node]:
        """Return the fields of an object, which must have these names and no others but optional ones, which are null if absent."""
        if not isinstance(self.value, dict):
            raise self.fault(f"expected an object, got {_kind(self.value)}")
        prefix = self.path + "." if self.path else ""
        for name in names:
            if name not in self.value:
                raise ModelError(f"{prefix}{name} is missing")
        for name in self.value:
            if name not in names and name not in optional:
                raise self.fault(f"unknown field {name[:40]!r}")
        return {name: Node(self.value.get(name), prefix + name) for name in (*names, *optional)}

    def length(self) -> int:
        """Return the number of items of a list."""
        if not isinstance(self.value, list):
            raise self.fault(f"expected a list, got {_kind(self.value)}")
        return len(self.value)

    def items(self, at_least: int = 0) -> list[Node]:
        """Return the items of a list."""
        if (count := self.length()) < at_least:
            raise self.fault(f"expected at least {at_least} items, got {count}")
        return [Node(item, f"{self.path}[{i}]") for i, item in enumerate(self.value)]

    def exactly(self, count: int, what: str) -> list[Node]:
        """Return the items of a list of so many."""
        if self.length() != count:
            raise self.fault(f"expected {count} {what}, got {len(self.value)}")
        return self.items()

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            raise self.fault(f"expected a text, got {_kind(self.value)}")
        try:
            self.value.encode()
        except UnicodeEncodeError as error:
            raise self.fault(f"not a text of Unicode characters: {error.reason}") from error
        return self.value

    def one_of(self, *choices: str) -> str:
        """Return a text that is one of several."""
        if (text := self.text()) not in choices:
            raise self.fault(f"{text[:40]!r} is none of {', '.join(choices)}")
        return text

    def boolean(self) -> bool:
        """Return true or false."""
        if not isinstance(self.value, bool):
            raise self.fault(f"expected true or false, got {_kind(self.value)}")
        return self.value

    def integer(self, low: int, high: int) -> int:
        """Return an integer of a range, the ends included."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.fault(f"expected an integer, got {_kind(self.value)}")
        if not low <= self.value <= high:
            raise self.fault(f"must lie between {low} and {high}")
        return self.value

    def number(self) -> float:
        """Return a number, which may be a text for what is not finite."""
        value = self.value
        if isinstance(value, str) and value in _NOT_FINITE:
            return _NOT_FINITE[value]
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise self.fault(f"expected a number, got {_kind(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fault("too large for a number of 64 bits")
        return number

    def finite(self) -> float:
        """Return a finite number."""
        if not math.isfinite(number := self.number()):
            raise self.fault(f"must be finite, got {number}")
        return number

    def positive(self) -> float:
        """Return a finite number above zero."""
        if not (number := self.finite()) > 0:
            raise self.fault(f"must be above zero, got {number}")
        return number

    def floats(self, length: int | None = None, *, finite: bool = True) -> Floats:
        """Return a list of numbers [length]."""
        count = self.length()
        if length is not None and count != length:
            raise self.fault(f"expected {length} numbers, got {count}")
        if all(type(v) is float for v in self.value) and np.isfinite(array := np.array(self.value, dtype=np.float64)).all():
            return array
        return np.array([item.finite() if finite else item.number() for item in self.items()], dtype=np.float64)

    def matrix(self, rows: int, columns: int, *, finite: bool = True) -> Floats:
        """Return a list of lists of numbers [rows, columns]."""
        items = self.exactly(rows, "rows")
        return np.array([item.floats(columns, finite=finite) for item in items], dtype=np.float64).reshape(rows, columns)

    def texts(self) -> list[str]:
        """Return a list of texts that differ."""
        texts = [item.text() for item in self.items()]
        if len(set(texts)) < len(texts):
            raise self.fault("the same text occurs twice")
        return texts


def _kind(value: Any) -> str:
    names: Sequence[tuple[type, str]] = (
        (bool, "true or false"),
        (dict, "an object"),
        (list, "a list"),
        (str, "a text"),
        (type(None), "null"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "a number")
