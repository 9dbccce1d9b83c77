"""Frames of pandas, polars and other libraries, and mappings, as named columns."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ._column import quoted
from ._interchange import column_of_frame

__all__ = ["Frame", "check_names", "frame_of", "imported_pandas", "own_names"]


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
    """Refuse names that a model cannot have.

    Raises
    ------
    ValueError
        If a name is empty, has blanks around it, is not valid Unicode, or is used twice.
    """
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
