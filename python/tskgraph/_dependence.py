"""Partial dependence: mean predictions over the values of columns, and the names of columns and outputs in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._html import labelled
from ._node import Floats
from ._table import Column, Table, table_of

if TYPE_CHECKING:
    from ._form import Encoded
    from ._model import BaseModel

# Rows to average over at most.
_ROWS = 200


class Grid(NamedTuple):
    """Values of a column, which are places on an axis, numbers or codes of levels, and the style of lines over them."""

    values: Floats
    style: dict[str, str]


def grid_of(model: BaseModel, column: Encoded, *, fine: bool = True) -> Grid:
    """Return values over the range of a column in training, or all its levels."""
    if column.levels:
        return Grid(np.arange(len(column.levels), dtype=np.float64), {"marker": "o", "linestyle": ":"})
    low, high = next((one["min"], one["max"]) for one in model._document["columns"] if one["name"] == column.name)
    return Grid(np.linspace(low, high, 201 if fine else 31), {})


def response_of(model: BaseModel, columns: list[Encoded], grids: list[Grid], X: Any) -> Floats:
    """Return the mean predictions [J, G] or [J, G, G] over rows in which columns are set to the values of grids."""
    table = table_of(X, names=model.columns)
    if table.rows > _ROWS:
        table = table.taking(np.arange(_ROWS) * table.rows // _ROWS)
    shape = tuple(len(grid.values) for grid in grids)
    points = np.stack(np.meshgrid(*(grid.values for grid in grids), indexing="ij")).reshape(len(grids), -1)
    each = points.shape[1]
    repeated = np.repeat(points, table.rows, axis=1)
    fixed = {
        column.name: Column(column.name, values.astype(np.intp) if column.levels else values, column.levels or None)
        for column, values in zip(columns, repeated)
    }
    at = table.taking(np.tile(np.arange(table.rows), each))
    tiled = Table(tuple(fixed.get(one.name, one) for one in at.columns), at.rows)
    predicted = model._predictor.predict(tiled).reshape(-1, each, table.rows)
    return np.asarray(np.nanmean(predicted, axis=2)).reshape(-1, *shape)


def column_of(model: BaseModel, name: str) -> Encoded:
    """Return the column of a name."""
    found = next((column for column in model._form.columns if column.name == name), None)
    if found is not None:
        return found
    reason = "which the model does not use" if name in model.columns else f"which the model does not have: {', '.join(model.columns_used)}"
    raise ValueError(f"there is no condition or term of column {name!r}, {reason}")


def outputs_of(model: BaseModel, output: str | None, *, single: bool) -> list[int]:
    """Return the indices of the outputs to draw."""
    names = output_names(model)
    if output is not None:
        if output not in names:
            raise ValueError(f"output={output!r}: the outputs are {', '.join(names)}")
        return [names.index(output)]
    if model.kind == "numbers":
        return [0]
    if model.kind == "classes":
        return [len(names) - 1] if single or len(names) == 2 else list(range(len(names)))
    return [model._predictor.median()] if single else list(range(len(names)))


def output_names(model: BaseModel) -> list[str]:
    """Return the names of the predicted numbers."""
    return model.classes or [f"{level:g}" for level in model.levels] or model.targets


def output_label(model: BaseModel, j: int) -> str:
    """Return the label of an axis for an output."""
    name = output_names(model)[j]
    if model.kind == "classes":
        return f"probability of {name}"
    if model.kind == "quantiles":
        return labelled(f"{name} quantile of {model.targets[0]}", model.units[0])
    return labelled(name, model.units[j])


def common_label(model: BaseModel) -> str:
    """Return the label of an axis for all classes or quantiles."""
    return f"probability of {model.targets[0]}" if model.kind == "classes" else labelled(model.targets[0], model.units[0])
