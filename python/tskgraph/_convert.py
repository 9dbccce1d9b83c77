"""Columns of values of any type: arrays, series, lists."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from ._column import TRUTHS, Column, is_missing, of_codes, quoted

__all__ = ["column_of", "of_texts", "refuse_dates", "to_float"]

_DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


def column_of(name: str, values: Any) -> Column:
    """Return a column of any values of one dimension.

    Numbers of every type become float64. Texts, booleans and the category type of pandas become categories; so do objects if one of them
    is a text, or if all of them are booleans.

    Parameters
    ----------
    name : str
    values : array-like of shape (N,)
        An array, masked array or list, or a series of pandas or polars.

    Raises
    ------
    TypeError
        If the values are dates, or objects that are neither numbers nor texts.
    ValueError
        If they are complex or not of one dimension.
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
