"""Columns of frames with the dataframe interchange protocol, https://data-apis.org/dataframe-protocol/latest."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from ._column import TRUTHS, Column, of_codes, quoted
from ._convert import of_texts, refuse_dates, to_float

__all__ = ["column_of_frame"]

# Kinds of types, and how missing values are marked.
_LETTERS = {0: "i", 1: "u", 2: "f"}
_BOOLEAN, _STRING, _DATETIME, _CATEGORICAL = 20, 21, 22, 23
_SENTINEL, _BIT_MASK, _BYTE_MASK = 2, 3, 4


def column_of_frame(name: str, column: Any) -> Column:
    """Return a column of what `__dataframe__` returns.

    Raises
    ------
    TypeError
        If the column holds neither numbers, booleans, texts nor categories.
    """
    parts = [_part(name, part) for part in (column.get_chunks() if column.num_chunks() > 1 else [column])]
    if len(parts) == 1:
        return parts[0]
    if all(part.levels is None for part in parts):
        return Column(name, np.concatenate([part.values for part in parts]))
    codes: list[npt.NDArray[Any]] = []
    levels: list[str] = []
    for part in parts:
        codes.append(np.where(part.values < 0, -1, part.values + len(levels)))
        levels += part.levels or ()
    return of_codes(name, np.concatenate(codes), levels, ordered=all(part.ordered for part in parts), texts=parts[0].texts)


def _part(name: str, column: Any) -> Column:
    """Return a column of one chunk."""
    kind = int(column.dtype[0])
    if kind == _CATEGORICAL:
        codes, missing = _values(column)
        categories, ordered = column.describe_categorical["categories"], bool(column.describe_categorical["is_ordered"])
        if categories is None:
            raise TypeError(f"column {quoted(name)} is categorical without a dictionary of its categories: convert it to text")
        dictionary = _part(name, categories)
        codes = np.where(missing, -1, codes.astype(np.intp))
        if dictionary.levels is None:  # numbers
            return of_codes(name, codes, dictionary.values.tolist(), ordered=ordered)
        return Column(name, np.append(dictionary.values, -1)[codes], dictionary.levels, ordered)
    if kind == _STRING:
        return of_texts(name, _texts(column))
    if kind in _LETTERS:
        numbers, missing = _values(column)
        values = to_float(numbers)
        values[missing] = np.nan
        return Column(name, values)
    if kind == _BOOLEAN:
        truths, missing = _values(column)
        return Column(name, np.where(missing, -1, truths.astype(np.intp)), TRUTHS)
    if kind == _DATETIME:
        refuse_dates(name, f"M {column.dtype[2]}")
    raise TypeError(f"column {quoted(name)}: values of type {column.dtype} are neither numbers nor texts: convert the column")


def _size(column: Any) -> int:
    return int(column.size() if callable(column.size) else column.size)


def _values(column: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return the values of a column of fixed width, and where they are missing."""
    buffers = column.get_buffers()
    values = _array(buffers["data"], _size(column), column.offset)
    return values, _missing(column, buffers, values)


def _missing(column: Any, buffers: Any, values: npt.NDArray[Any] | None) -> npt.NDArray[np.bool_]:
    how, mark = column.describe_null
    if int(how) in (_BIT_MASK, _BYTE_MASK) and buffers["validity"] is not None:
        buffer, dtype = buffers["validity"]
        marks = (dtype[0], 1, *dtype[2:]) if int(how) == _BIT_MASK else dtype
        return np.asarray(_array((buffer, marks), _size(column), column.offset) == mark)
    if int(how) == _SENTINEL and values is not None:
        return np.asarray(values == mark)
    return np.zeros(_size(column), dtype=bool)


def _array(typed: tuple[Any, Any], size: int, offset: int) -> npt.NDArray[Any]:
    """Return a copy of so many values of a buffer with its type, from an offset."""
    buffer, dtype = typed
    width = int(dtype[1])
    if width == 1:
        first = offset // 8
        bits = np.unpackbits(_bytes(buffer, first, (offset + size + 7) // 8 - first), bitorder="little")
        return bits[offset - 8 * first :][:size]
    letter = _LETTERS.get(int(dtype[0]), "u")  # booleans of 8 bits
    byte = width // 8
    order = dtype[3] if dtype[3] in ("<", ">") else "="
    return _bytes(buffer, offset * byte, size * byte).view(np.dtype(f"{order}{letter}{byte}"))


def _bytes(buffer: Any, start: int, count: int) -> npt.NDArray[np.uint8]:
    if start + count > buffer.bufsize:
        raise ValueError(f"a buffer of the frame has {buffer.bufsize} bytes, and its column needs {start + count}")
    if not count:
        return np.zeros(0, dtype=np.uint8)
    return np.frombuffer(ctypes.string_at(buffer.ptr + start, count), dtype=np.uint8)


def _texts(column: Any) -> list[bytes | None]:
    """Return the texts of a column in UTF-8, None where one is missing."""
    size, buffers = _size(column), column.get_buffers()
    ends = _array(buffers["offsets"], size + 1, column.offset)
    raw = _bytes(buffers["data"][0], 0, int(ends[-1])).tobytes()
    ends = ends.tolist()
    texts: list[bytes | None] = [raw[a:b] for a, b in zip(ends, ends[1:])]
    for n in np.flatnonzero(_missing(column, buffers, None)).tolist():
        texts[n] = None
    return texts
