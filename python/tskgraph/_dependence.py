"""Partial dependence: mean predictions over the values of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._table import Column as Values
from ._table import Table, table_of

if TYPE_CHECKING:
    from ._form import Column
    from ._model import BaseModel

Floats = npt.NDArray[np.float64]

# Rows to average over at most.
_ROWS = 200


class Grid(NamedTuple):
    """Values of a column: numbers, or codes of levels, with their places on an axis."""

    values: Floats
    places: Floats
    style: dict[str, str]  # of lines


def grid_of(model: BaseModel, column: Column, *, fine: bool = True) -> Grid:
    """Return values over the range of a column in training, or all its levels."""
    if column.levels:
        codes = np.arange(len(column.levels), dtype=np.float64)
        return Grid(codes, codes, {"marker": "o", "linestyle": ":"})
    low, high = next((one["min"], one["max"]) for one in model._document["columns"] if one["name"] == column.name)
    values = np.linspace(low, high, 201 if fine else 31)
    return Grid(values, values, {})


def response_of(model: BaseModel, columns: list[Column], grids: list[Grid], X: Any) -> Floats:
    """Return the mean predictions [J, G] or [J, G, G] over rows in which columns are set to the values of grids."""
    table = table_of(X, names=model.columns)
    if table.rows > _ROWS:
        table = table.taking(np.arange(_ROWS) * table.rows // _ROWS)
    shape = tuple(len(grid.values) for grid in grids)
    points = np.stack(np.meshgrid(*(grid.values for grid in grids), indexing="ij")).reshape(len(grids), -1)
    each = points.shape[1]
    fixed = {column.name: _fixed(column, np.repeat(values, table.rows)) for column, values in zip(columns, points)}
    at = table.taking(np.tile(np.arange(table.rows), each))
    tiled = Table(tuple(fixed.get(one.name, one) for one in at.columns), at.rows)
    predicted = model._predictor.predict(tiled).reshape(-1, each, table.rows)
    return np.asarray(np.nanmean(predicted, axis=2)).reshape(-1, *shape)


def _fixed(column: Column, values: Floats) -> Values:
    """Return a column of given values: numbers, or codes of levels."""
    if column.levels:
        return Values(column.name, values.astype(np.intp), column.levels)
    return Values(column.name, values, None)
