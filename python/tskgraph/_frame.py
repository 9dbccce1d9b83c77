"""Frames of pandas, polars and other libraries, and mappings, as named columns."""

from __future__ import annotations

import collections
import ctypes
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._column import TRUTHS, Column, joined, of_codes, of_texts, quoted, refuse_dates, to_float


class Frame(NamedTuple):
    """A table with named columns: the values of column i are a Column, or what `column_of` takes."""

    names: list[Any]
    values: Callable[[int], Any]
    rows: int


def frame_of(X: Any) -> Frame | None:
    """Return a frame or mapping as named columns; None if X is neither."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(X, pandas.DataFrame):
        return Frame(X.columns.tolist(), lambda i: X.iloc[:, i], len(X))
    if polars is not None and isinstance(X, polars.LazyFrame):
        raise TypeError("X is a LazyFrame, which has no rows yet: pass X.collect()")
    if polars is not None and isinstance(X, polars.DataFrame):
        return Frame(list(X.columns), X.to_series, X.height)
    if isinstance(X, Mapping):
        columns = list(X.values())
        return Frame(list(X), columns.__getitem__, _length(columns[0]) if columns else 0)
    if hasattr(X, "__dataframe__"):
        frame = X.__dataframe__()
        names = list(frame.column_names())
        return Frame(names, lambda i: column_of_frame(names[i], frame.get_column(i)), frame.num_rows())
    if hasattr(X, "__arrow_c_stream__"):
        raise TypeError(
            f"X is a {type(X).__name__} of Arrow, without the dataframe interchange protocol: pass a frame, such as polars.DataFrame(X)"
        )
    return None


def _length(values: Any) -> int:
    if not hasattr(values, "__len__") or isinstance(values, (str, bytes)):
        raise ValueError(f"expected a mapping from names to columns of values, got the value {values!r:.100}: write it as a list")
    return len(values)


def own_names(given: list[Any]) -> list[str] | None:
    """Return the names of a frame; None if none of them is text."""
    if any(isinstance(name, tuple) for name in given):
        raise TypeError(
            "the columns have several levels of names: join them, such as X.columns = ['_'.join(map(str, c)) for c in X.columns]"
        )
    kinds = sorted({"str" if isinstance(name, str) else type(name).__name__ for name in given})
    if "str" not in kinds:
        return None
    if len(kinds) > 1:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{kinds} as feature name / column name types. Convert them all to strings, by X.columns = X.columns.astype(str) for example."
        )
    check_names(given)
    return [str.__str__(name) for name in given]


def check_names(names: Sequence[str]) -> None:
    """Refuse names that a model cannot have: empty, with blanks around, used twice or not valid Unicode."""
    for place, name in enumerate(names):
        if not name:
            raise ValueError(f"column {place + 1} of {len(names)} has an empty name: name it, or leave it out")
        if name.strip() != name:
            raise ValueError(f"column {quoted(name)} has blanks around its name: remove them, such as X.columns = X.columns.str.strip()")
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"the name {quoted(name)} of column {place + 1} is not valid Unicode: rename the column") from error
    twice = [name for name, count in collections.Counter(names).items() if count > 1]
    if twice:
        raise ValueError(
            f"the column name {quoted(twice[0])} is used {list(names).count(twice[0])} times: names must be unique: rename or drop columns"
        )


def imported_pandas() -> Any:
    """Return the package pandas."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install pandas") from error
    return pandas


# Kinds of types, and how missing values are marked.
_LETTERS = {0: "i", 1: "u", 2: "f"}
_BOOLEAN, _STRING, _DATETIME, _CATEGORICAL = 20, 21, 22, 23
_SENTINEL, _BIT_MASK, _BYTE_MASK = 2, 3, 4


def column_of_frame(name: str, column: Any) -> Column:
    """Return a column of what `__dataframe__` returns; other than numbers, booleans, texts and categories are a TypeError."""
    return joined([_part(name, part) for part in (column.get_chunks() if column.num_chunks() > 1 else [column])])


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
