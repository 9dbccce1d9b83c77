"""A column of a table, made of arrays, series and lists: numbers, or the codes of a category's levels, and the texts of levels."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

#: Levels of a column of booleans.
TRUTHS = ("False", "True")

# What tskgraph trims: the white space of Unicode. str.strip would also trim U+001C to U+001F.
_BLANKS = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

# A number of internal/data/table in Go.
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

# Texts that mark a missing value, in any case.
MARKS = frozenset(("", "?", "na", "n/a", "nan", "null"))


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of N rows: numbers as float64, NaN where one is missing, or codes of levels as intp, -1 where the value is missing."""

    name: str
    values: npt.NDArray[Any]
    levels: tuple[str, ...] | None = None  # texts that differ, in order of their codes; None of numbers
    ordered: bool = False  # whether this order means something: small, medium, large
    texts: bool = False  # whether the levels were found among texts, which may be numbers; else they are those of a category type


def quoted(name: object) -> str:
    """Return a name in quotes as messages show it: escaped and cut if it is long."""
    text = str(name)
    return repr(text if len(text) <= 100 else text[:97] + "...")


def is_missing(value: Any) -> bool:
    """Report whether a value, texts aside, is missing: None, NaN, NA or NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, (float, np.floating)) and value != value)


def level_text(value: Any) -> str | None:
    """Return the text of a level as tskgraph reads it from a table; None of a missing value.

    Blanks around a text do not count, and whole numbers have no decimal point: 3.0 is "3". A blank text, NA, N/A, NaN, null and ? in any
    case are missing, and so is what `is_missing` reports. A text that is not valid Unicode is a ValueError.
    """
    if is_missing(value):
        return None
    if isinstance(value, bytes):
        value = value.decode()
    elif isinstance(value, (bool, np.bool_)):
        return TRUTHS[int(value)]
    elif isinstance(value, Integral) and not 2**63 <= abs(int(value)) < 2**1023:  # others as the numbers of float64
        return str(int(value))
    elif isinstance(value, Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**63 else repr(number)
    text = (value if isinstance(value, str) else str(value)).strip(_BLANKS)
    text.encode()  # refuses lone surrogates
    return None if text.lower() in MARKS else text


def of_codes(name: str, codes: npt.NDArray[Any], values: Sequence[Any], **options: bool) -> Column:
    """Return the column whose row n has the level values[codes[n]]; -1 is missing, and so are values without a text."""
    texts = [_checked_text(name, value) for value in values]
    places = {text: k for k, text in enumerate(dict.fromkeys(text for text in texts if text is not None))}
    code = np.array([-1 if text is None else places[text] for text in texts] + [-1], dtype=np.intp)  # of each value; the last is that of -1
    return Column(name, code[codes], tuple(places), **options)


def joined(parts: Sequence[Column]) -> Column:
    """Return the rows of columns of one kind, those of the next below those of the one before."""
    first = parts[0]
    if first.levels is None or len(parts) == 1:
        return dataclasses.replace(first, values=np.concatenate([part.values for part in parts]))
    codes: list[npt.NDArray[Any]] = []
    levels: list[str] = []
    for part in parts:
        codes.append(np.where(part.values < 0, -1, part.values + len(levels)))
        levels += part.levels or ()
    return of_codes(first.name, np.concatenate(codes), levels, ordered=all(part.ordered for part in parts), texts=first.texts)


def _checked_text(name: str, value: Any) -> str | None:
    try:
        return level_text(value)
    except UnicodeError as error:
        raise ValueError(f"column {quoted(name)}: {quoted(value)} is not valid Unicode: correct the text ({error})") from error


def number_of(text: str) -> float:
    """Return the number that tskgraph reads in a text: a plain finite decimal, such as -1.5 or 2e3; NaN if it is none."""
    value = float(text) if _DECIMAL.fullmatch(text) else np.nan
    return value if abs(value) < np.inf else np.nan


def is_decimal(text: str) -> bool:
    """Report whether Python reads a text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def numbers_of(column: Column) -> npt.NDArray[np.float64]:
    """Return the numbers of a column, NaN where one is missing; False and True of booleans are 0 and 1.

    Texts that are not numbers, see `number_of`, are a TypeError.
    """
    if column.levels is None:
        return np.asarray(column.values, dtype=np.float64)
    if column.levels == TRUTHS:
        return np.where(column.values < 0, np.nan, column.values)
    numbers = np.array([*map(number_of, column.levels), np.nan])[column.values]
    wrong = np.flatnonzero(np.isnan(numbers) & (column.values >= 0))
    if len(wrong):
        text, where = column.levels[column.values[wrong[0]]], f"column {quoted(column.name)}, row {wrong[0] + 1}"
        raise TypeError(f"{where}: expected a number, got the text {quoted(text)}: convert the column to numbers")
    return np.asarray(numbers, dtype=np.float64)


def codes_of(column: Column, levels: Sequence[str]) -> npt.NDArray[np.intp]:
    """Return the index in levels of each row's level; -1 where training did not have it, -2 where the value is missing.

    The level of a number is the one of its text, see `level_text`. A column of booleans has the levels False and True in any case; 0
    and 1 are these too if there are no other levels.
    """
    place = {level: k for k, level in enumerate(levels)}
    truths = sorted(levels, key=str.lower) if {level.lower() for level in levels} <= {"false", "true"} else []
    if column.levels is not None:
        if column.levels == TRUTHS and truths:
            place = {level.capitalize(): k for level, k in place.items()}
        code = np.array([place.get(text, -1) for text in column.levels] + [-2], dtype=np.intp)
        return np.asarray(code[column.values])
    known = {float(level): k for level, k in place.items() if _is_number_text(level)}
    if truths:
        known = {float(level.lower() == "true"): k for level, k in place.items()}
    codes = np.full(len(column.values), -1, dtype=np.intp)
    if known:
        numbers = np.array(sorted(known))
        at = np.minimum(np.searchsorted(numbers, column.values), len(numbers) - 1)
        found = numbers[at] == column.values
        codes[found] = np.array([known[v] for v in numbers.tolist()], dtype=np.intp)[at[found]]
    codes[np.isnan(column.values)] = -2
    return codes


def _is_number_text(level: str) -> bool:
    """Report whether a level is the text of a number."""
    try:
        return level_text(float(level)) == level
    except ValueError:
        return False


_DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def column_of(name: str, values: Any) -> Column:
    """Return a column of any values of one dimension: an array, masked array or list, or a series of pandas or polars.

    Numbers of every type become float64. Texts, booleans and the category type of pandas become categories; so do objects if one of them
    is a text, or if all of them are booleans. Dates, and objects that are neither numbers nor texts, are a TypeError; complex numbers and
    other dimensions a ValueError.
    """
    dtype = getattr(values, "dtype", None)
    if dtype is not None and not isinstance(dtype, np.dtype):
        if not hasattr(dtype, "kind"):  # a series of polars
            return column_of(name, values.to_numpy())
        if hasattr(dtype, "categories"):
            array = getattr(values, "array", values)
            return of_codes(name, np.asarray(array.codes), list(dtype.categories), ordered=bool(dtype.ordered))
        refuse_dates(name, f"{dtype.kind} {dtype}")
        values = values.to_numpy(dtype=np.float64, na_value=np.nan) if dtype.kind in "iuf" else np.asarray(values, dtype=object)
    if isinstance(values, np.ma.MaskedArray):
        numeric = values.dtype.kind in "iuf"
        full: Any = values.astype(np.float64 if numeric else object)
        values = full.filled(np.nan if numeric else None)
    array = _array(name, values)
    kind = array.dtype.kind
    if kind in "iuf":
        return Column(name, to_float(array))
    if kind == "b":
        return Column(name, array.astype(np.intp), TRUTHS)
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {quoted(name)} holds complex numbers: give their parts as columns")
    refuse_dates(name, f"{kind} {array.dtype}")
    if kind not in "OSU":
        raise TypeError(f"column {quoted(name)}: values of type {array.dtype} are neither numbers nor texts: convert the column")
    return _of_objects(name, array.tolist())


def to_float(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return numbers as contiguous float64; what is too large becomes infinite."""
    with np.errstate(over="ignore"):
        return np.array(array, dtype=np.float64, order="C")


def _array(name: str, values: Any) -> npt.NDArray[Any]:
    if isinstance(values, Sequence) and not isinstance(values, (str, bytes)) and any(isinstance(v, (str, bytes, bool)) for v in values):
        array = np.asarray(values, dtype=object)  # else all would become texts, or numbers
    else:
        array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"column {quoted(name)}: expected values of one dimension, got shape {array.shape}")
    return array


def refuse_dates(name: str, kind: str) -> None:
    """Refuse dates and spans of time, by the kind of a type and its name."""
    if kind[0] in "mM" or "period" in kind:
        what = ".dt.total_seconds() of it" if kind[0] == "m" else "the year, the month, the hour or the days since a date"
        raise TypeError(
            f"column {quoted(name)} holds dates or times ({kind[2:]}), which are not numbers: replace it by numbers, such as {what}"
        )


def _of_objects(name: str, values: list[Any]) -> Column:
    kinds = set(map(type, values))
    if any(issubclass(kind, (str, bytes)) for kind in kinds):
        return of_texts(name, values)
    absent = {kind for kind in kinds if kind is type(None) or kind.__name__ in ("NAType", "NaTType")}
    truths = {kind for kind in kinds if issubclass(kind, (bool, np.bool_))}
    if truths and all(issubclass(kind, (float, np.floating)) for kind in kinds - absent - truths):
        codes = [int(v) if type(v) in truths else -1 if is_missing(v) else -2 for v in values]
        if min(codes) > -2:
            return Column(name, np.array(codes, dtype=np.intp), TRUTHS)
    if absent:
        values = [np.nan if type(v) in absent else v for v in values]
    try:
        return Column(name, np.fromiter(map(float, values), np.float64, len(values)))
    except (TypeError, ValueError, OverflowError):
        raise _not_a_number(name, values) from None


def of_texts(name: str, values: list[Any]) -> Column:
    """Return a column of texts, numbers and missing values."""
    kinds = set(map(type, values))
    for kind in kinds:
        if not issubclass(kind, (str, bytes, bool, np.bool_, Real, type(None))) and kind.__name__ not in ("NAType", "NaTType"):
            row = next(n for n, v in enumerate(values) if type(v) is kind)
            raise TypeError(
                f"column {quoted(name)}, row {row + 1}: {values[row]!r:.100} is neither a text nor a number: convert it to text"
            )
    keys: list[Any] = values
    if any(issubclass(kind, (bool, np.bool_)) for kind in kinds):  # True and 1 are equal
        keys = list(zip(map(type, values), values))
    first = dict.fromkeys(keys)
    place = {key: k for k, key in enumerate(first)}
    codes = np.fromiter(map(place.__getitem__, keys), np.intp, len(keys))
    return of_codes(name, codes, list(first) if keys is values else [value for _, value in first], texts=True)


def _not_a_number(name: str, values: list[Any]) -> Exception:
    """Return the error about the first of values that is not a number."""
    for n, value in enumerate(values):
        where = f"column {quoted(name)}, row {n + 1}"
        try:
            float(value)
        except OverflowError:
            return ValueError(f"{where}: {value!r:.50} is too large for dtype('float64'): scale the column")
        except (TypeError, ValueError) as error:
            if isinstance(value, _DATES):
                return TypeError(
                    f"{where}: {value!r:.100} is a date or a time: replace the column by numbers, such as the year or the days since a date"
                )
            return TypeError(f"{where}: {error}: give numbers or texts")
    raise AssertionError("all values are numbers")
