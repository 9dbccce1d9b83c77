"""Rows to predict as features of a form."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._form import Column, Form
from ._node import Floats
from ._table import Column as Given
from ._table import codes_of, numbers_of, table_of
from .errors import DataError

Values = npt.NDArray[Any]


class Rows:
    """Rows of a table with the columns that a form needs.

    Parameters
    ----------
    form : Form
    X : array-like or frame
        Columns are found by name; those of an array are the columns of the training table, in its order.

    Raises
    ------
    DataError
        If a column is missing.
    TypeError, ValueError
        As `table_of` and `numbers_of` raise them.
    """

    def __init__(self, form: Form, X: Any) -> None:
        table = table_of(X, names=form.order, needed={column.name for column in form.columns})
        given = {column.name: column for column in table.columns}
        self.count = table.rows
        self._columns: list[tuple[Column, Values]] = []  # numbers, or codes of levels
        for column in form.columns:
            if column.name not in given:
                raise DataError(_absent(column.name, [*given, *table.others]))
            self._columns.append((column, _values(column, given[column.name])))
        self._features = form.features

    def blocks(self, size: int) -> Iterator[tuple[slice, Floats]]:
        """Yield blocks of rows with their features [F, B], NaN where one is missing. The next block overwrites the features."""
        memory = np.empty((self._features, min(size, self.count)))
        for start in range(0, self.count, size):
            rows = slice(start, min(start + size, self.count))
            x = memory[:, : rows.stop - start]
            for column, values in self._columns:
                _encode(x[column.first : column.first + column.width], column, values[rows])
            yield rows, x


def _values(column: Column, given: Given) -> Values:
    """Return the numbers or the codes of a column that a table gives."""
    if column.encoding == "numeric":
        numbers = numbers_of(given)
        return np.where(np.isin(numbers, column.mark_numbers), np.nan, numbers) if len(column.mark_numbers) else numbers
    codes = codes_of(given, column.levels + column.mark_texts)
    return np.where(codes >= len(column.levels), -2, codes) if column.mark_texts else codes


def _encode(x: Floats, column: Column, values: Values) -> None:
    """Write the features of a column to x [width, B]."""
    if column.encoding == "numeric":
        x[0] = values
    elif column.encoding == "ordinal":
        x[0] = values + 1.0
        x[0, values < 0] = np.nan
    else:
        np.equal(values, np.arange(column.width)[:, np.newaxis], out=x, casting="unsafe")
        x[:, values == -2] = np.nan


def _absent(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), [n.lower() for n in names], 1)
    hint = next(
        (f"; did you mean {n!r} there?" for n in names if near and n.lower() == near[0]),
        f" (its columns: {', '.join(map(repr, names[:12]))})",
    )
    return f"the table has no column {name!r:.100}, which the model needs{hint}"
