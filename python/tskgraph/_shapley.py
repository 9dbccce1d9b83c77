"""Shapley values of predictions, computed by the program tskgraph."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._directory import private_directory
from ._handing import model_file, nameless, readable
from ._node import Floats
from ._program import run
from ._table import Column, Table, check_cells, numbers_of, table_of
from .errors import DataError, ModelError
from .explanation import Explanation, Shown

if TYPE_CHECKING:
    from ._model import BaseModel


def explain(model: BaseModel, X: Any, background: Any, y: Any = None) -> Explanation:
    """Explain predictions by Shapley values.

    Parameters
    ----------
    model : Model
    X : array-like or frame
        The rows, as for `Model.predict`.
    y : array-like, optional
        What was observed, to show it beside the predictions.
    background : array-like or frame
        Rows to compare with, such as the training part; of more than 100 a sample of 100 is drawn.

    Raises
    ------
    ValueError
        If a number is infinite or the background is missing.
    DataError
        If a column is missing.
    BinaryNotFoundError
        If the program tskgraph is missing.
    """
    if background is None:
        raise ValueError("background is None: pass rows to compare with, such as the training rows")
    table, compared = rows_of(model, X), rows_of(model, background, "background")
    background = with_targets(model, compared)
    with private_directory() as directory, nameless(table, directory) as rows, readable(background, directory) as (path, files):
        options = ["--model", model_file(model, directory), "--data", "-", "--background", path]
        predicted = run(["predict", *options, "--explain", "--out", "-"], table=rows, files=files)
    return _explanation(model, X, table, predicted, y)


def rows_of(model: BaseModel, X: Any, what: str = "X") -> Table:
    """Return the columns of X that the model uses, in the order of training.

    Raises
    ------
    DataError
        If one is missing.
    ValueError
        If a number is infinite.
    """
    table = table_of(X, names=model.columns)
    given = {column.name: column for column in table.columns}
    missing = [name for name in model.columns_used if name not in given]
    if missing:
        raise DataError(f"{what} has no column {missing[0]!r}, which the model needs")
    used = set(model.columns_used)
    chosen = Table(tuple(given[name] for name in model.columns if name in used), table.rows)
    check_cells(chosen, missing=True, what=what)
    return chosen


def with_targets(model: BaseModel, table: Table) -> Table:
    """Return the table with columns of the targets, which the program reads in a background but does not use."""
    free = tuple(column for column in table.columns if column.name not in model.targets)
    if model.classes:
        made = [Column(name, np.zeros(table.rows, dtype=np.int64), tuple(model.classes)) for name in model.targets]
    else:
        made = [Column(name, np.ones(table.rows), None) for name in model.targets]
    return Table((*free, *made), table.rows)


def _explanation(model: BaseModel, X: Any, table: Table, predicted: bytes, y: Any) -> Explanation:
    """Return the explanation in a table that the program predicted."""
    header, *rows = csv.reader(io.StringIO(predicted.decode(), newline=""))
    if len(rows) != table.rows:
        raise ModelError(f"the program explained {len(rows)} of {table.rows} rows")
    names = outputs_of(model)
    used, count, targets = len(table.columns), len(names), len(model.targets)
    added = len(header) - used
    plain = {"classes": 1 + len(model.classes), "quantiles": 1 + len(model.levels)}.get(model.kind, targets)
    width, rest = divmod(added - plain, count)
    if rest or width not in (1 + used, 1 + 2 * used):
        raise ModelError(f"the program added {added} columns for {count} outputs: its version is not that of the package")
    cells = np.array([[float(cell) for cell in row[used + plain :]] for row in rows]).reshape(len(rows), count, width)
    columns = model.columns
    at = [columns.index(column.name) for column in table.columns]
    shape = (len(rows), count, len(columns))
    values, errors = np.zeros(shape), np.zeros(shape) if width > 1 + used else None
    values[..., at] = cells[..., 1 : 1 + used]
    if errors is not None:
        errors[..., at] = cells[..., 1 + used :]
    base = cells[0, :, 0]
    return Explanation(
        values=_last(values, model),
        base=float(base[0]) if _single(model) else base,
        errors=None if errors is None else _last(errors, model),
        data=_data(model, X),
        feature_names=tuple(columns),
        output_names=names,
        unit=model.units[0] if names == tuple(model.targets[:1]) and model.kind == "numbers" else "",
        _shown=_shown(model, X, table.rows, y),
    )


def _shown(model: BaseModel, X: Any, rows: int, y: Any) -> Shown:
    """Return what an explanation of rows shows."""
    observed = None
    if y is not None:
        observed = tuple(_said(model, row) for row in (y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)))
        if len(observed) != rows:
            raise ValueError(f"X has {rows} rows, but y has {len(observed)}: give a value for each row")
    units = {column.name: column.unit for column in model._form.columns}
    return Shown(
        predicted=tuple(f"{', '.join(model.targets)}: {_said(model, row)}" for row in model.predict(X)),
        observed=observed,
        units=tuple(units.get(name, "") for name in model.columns),
        firing=model.predict_firing(X).firing if len(model._form.members) == 1 else None,
        rules=model.rules,
    )


def _said(model: BaseModel, values: Any) -> str:
    """Return the values of the targets of a row in words."""
    if model.kind == "classes":
        return str(values)
    return ", ".join(f"{float(value):.4g} {unit}".rstrip() for value, unit in zip(np.atleast_1d(values), model.units))


def outputs_of(model: BaseModel) -> tuple[str, ...]:
    """Return the names of the outputs of the rules; of one target by the identity link that of the target."""
    description = model._document["description"]
    while description.get("members"):
        description = description["members"][0]
    response = description.get("response")
    return (model.targets[0],) if response is None else tuple(output["name"] for output in response["outputs"])


def _single(model: BaseModel) -> bool:
    return len(outputs_of(model)) == 1


def _last(array: Floats, model: BaseModel) -> Floats:
    """Return [N, M] of one output, [N, M, J] of several, for [N, J, M]."""
    return array[:, 0] if _single(model) else np.ascontiguousarray(np.moveaxis(array, 1, 2))


def _data(model: BaseModel, X: Any) -> npt.NDArray[Any]:
    """Return the rows [N, M] in the order of the columns, missing where X has no such column."""
    columns = model.columns
    table = table_of(X, names=columns)
    given = {column.name: column for column in table.columns}
    some = [given.get(name, Column(name, np.full(table.rows, np.nan))) for name in columns]
    encodings = {column.name: column.encoding for column in model._form.columns}
    some = [Column(c.name, numbers_of(c)) if encodings.get(c.name) == "numeric" else c for c in some]
    if all(column.levels is None for column in some):
        return np.column_stack([column.values for column in some])
    data = np.empty((table.rows, len(some)), dtype=object)
    for m, column in enumerate(some):
        texts = None if column.levels is None else np.array([*column.levels, None], dtype=object)
        data[:, m] = column.values if texts is None else texts[column.values]
    return data
