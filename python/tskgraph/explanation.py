"""Predictions as sums over columns: Shapley values, computed by the program tskgraph, with their HTML."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._files import model_file, nameless, private_directory, readable
from ._frame import imported_pandas
from ._html import bar_of, labelled, page, visible, waterfall
from ._node import Floats
from ._program import run
from ._rule import Rule
from ._table import Column, Table, check_cells, numbers_of, table_of
from .errors import DataError, ModelError

if TYPE_CHECKING:
    from ._model import BaseModel

__all__ = ["Explanation"]

_COLUMNS, _ROWS, _RULES = 15, 50, 4  # that the HTML shows of many


class Shown(NamedTuple):
    """What an explanation shows besides its figures."""

    predicted: tuple[str, ...]  # of each row
    observed: tuple[str, ...] | None  # None: not known
    units: tuple[str, ...]  # of the columns
    firing: Floats | None  # [N, R], levels of the rules; None of a committee
    rules: tuple[Rule, ...]  # [R]
    names: tuple[str, ...]  # [R]


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Predictions of N rows as sums over M columns. In notebooks they are shown as HTML that unfolds.

    Of one target by the identity link, ``base + values.sum(axis=1)`` is the prediction. Else the J outputs of the rules are explained on
    the scale of the link: each target or quantile, the score of each class, the log odds of the second of two classes, the logarithm of a
    count or cost.

    Attributes
    ----------
    values : ndarray of shape (N, M) or (N, M, J)
        Shapley values; zero of a column that the model does not use.
    base : float or ndarray of shape (J,)
        Mean prediction for the background.
    errors : ndarray of the shape of values, or None
        Standard errors; None if the values are exact, which they are for up to 12 columns that matter.
    data : ndarray of shape (N, M)
        The rows: numbers, NaN where missing; of objects if there are categories, texts or None.
    feature_names : tuple of str
        The columns that the model was trained on.
    output_names : tuple of str
        The J outputs.
    unit : str
        Of the values of a single target by the identity link; empty without one.
    """

    values: Floats
    base: float | Floats
    errors: Floats | None
    data: npt.NDArray[Any]
    feature_names: tuple[str, ...]
    output_names: tuple[str, ...]
    unit: str = ""
    _shown: Shown | None = dataclasses.field(default=None, repr=False, compare=False)

    @property
    def predictions(self) -> Floats:
        """The sums: [N], or [N, J] on the scale of the link."""
        total: Floats = self.base + self.values.sum(axis=1)
        return total

    def to_frame(self) -> Any:
        """Return a data frame of pandas with a row for each row, column and output.

        Returns
        -------
        pandas.DataFrame
            Columns: ``row`` from 1, ``output`` if there are several, ``column``, ``data``, ``value``, and ``error`` of estimated values.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = imported_pandas()
        N, M = self.data.shape
        J = len(self.output_names)
        columns = {
            "row": np.repeat(np.arange(1, N + 1), M * J),
            "output": np.tile(np.asarray(self.output_names, dtype=object), N * M),
            "column": np.tile(np.repeat(np.asarray(self.feature_names, dtype=object), J), N),
            "data": np.repeat(self.data.ravel(), J),
            "value": self.values.ravel(),
        }
        if J == 1:
            del columns["output"]
        return pandas.DataFrame(columns if self.errors is None else {**columns, "error": self.errors.ravel()})

    def _repr_html_(self) -> str | None:
        return None if self._shown is None else page(_rows(self, self._shown))

    def to_shap(self) -> Any:
        """Return a shap.Explanation for the plots of the package shap.

        Raises
        ------
        ImportError
            If shap is not installed.
        """
        try:
            import shap
        except ImportError as error:
            raise ImportError("to_shap needs the package shap: pip install shap") from error
        several = {} if self.values.ndim == 2 else {"output_names": list(self.output_names)}
        base = np.broadcast_to(self.base, self.values.shape[:1] + self.values.shape[2:]).copy()
        return shap.Explanation(values=self.values, base_values=base, data=self.data, feature_names=list(self.feature_names), **several)


def _rows(given: Explanation, shown: Shown) -> Iterator[str]:
    yield "<p><b>Rows</b>: the way from the mean of the background to each prediction, by columns</p>"
    for n in range(min(len(given.values), _ROWS)):
        inside = "".join((*_ways(given, shown, n), *_fired(shown, n)))
        said = visible(shown.predicted[n] + (f", observed {shown.observed[n]}" if shown.observed else ""))
        head = f'<summary><span class="name">row {n + 1}</span><span class="said">{said}</span></summary>'
        yield f'<details class="rule row"{" open" if n == 0 else ""}>{head}<div class="more">{inside}</div></details>'
    if len(given.values) > _ROWS:
        yield f'<p class="quiet">{len(given.values) - _ROWS} further rows are not shown.</p>'


def _ways(given: Explanation, shown: Shown, n: int) -> Iterator[str]:
    """Yield the contributions to the outputs of a row; those of further outputs are folded."""
    names, J = given.output_names, len(given.output_names)
    values, base = given.values[n].reshape(-1, J), np.reshape(given.base, J)
    totals = base + values.sum(axis=0)
    for j in range(J):
        order = np.argsort(-np.abs(values[:, j]), kind="stable")
        steps = [(_valued(given, shown, n, m), float(values[m, j])) for m in order[:_COLUMNS] if values[m, j]]
        if len(order) > _COLUMNS:
            steps.append((f"{len(order) - _COLUMNS} other columns", float(values[order[_COLUMNS:], j].sum())))
        of = labelled(names[j], given.unit)
        text = f"<p>{visible(of)}: {base[j]:.4g}, the mean, and the contributions of the columns make {totals[j]:.4g}</p>"
        chart = waterfall(steps, float(base[j]), of)
        is_open = " open" if j == totals.argmax() else ""
        yield text + chart if J == 1 else f"<details{is_open}><summary>{visible(names[j])}</summary>{text}{chart}</details>"


def _valued(given: Explanation, shown: Shown, n: int, m: int) -> str:
    """Return a column with its value in a row."""
    value, unit = given.data[n, m], shown.units[m]
    missing = value is None or value != value
    text = "missing" if missing else value if isinstance(value, str) else f"{value:.4g} {unit}".rstrip()
    return f"{given.feature_names[m]} = {text}"


def _fired(shown: Shown, n: int) -> Iterator[str]:
    """Yield the rules that fire most in a row."""
    if shown.firing is None:
        return
    for r in np.argsort(-shown.firing[n], kind="stable")[:_RULES]:
        level = shown.firing[n, r]
        if not level > 0.01:
            return
        rule = shown.rules[int(r)]
        when = " and ".join(condition.text for condition in rule.conditions) or "always"
        yield f'<div class="rule line">{bar_of(shown.names[int(r)], level, f"{level:.0%}", visible(f"{when}: {rule.says}"))}</div>'


def explain(model: BaseModel, X: Any, background: Any, y: Any = None) -> Explanation:
    """Explain predictions by Shapley values, see `Views.explain_local`."""
    if background is None:
        raise ValueError("background is None: pass rows to compare with, such as the training rows")
    table, compared = rows_of(model, X), rows_of(model, background, "background")
    background = with_targets(model, compared)
    with private_directory() as directory, nameless(table, directory) as rows, readable(background, directory) as (path, files):
        options = ["--model", model_file(model.model_file(), directory), "--data", "-", "--background", path]
        predicted = run(["predict", *options, "--explain", "--out", "-"], table=rows, files=files)
    return _explanation(model, X, table, predicted, y)


def rows_of(model: BaseModel, X: Any, what: str = "X") -> Table:
    """Return the columns of X that the model uses, in the order of training; numbers must be finite, and no column missing."""
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
        values=_last(values),
        base=float(base[0]) if count == 1 else base,
        errors=None if errors is None else _last(errors),
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
        firing=_levels(model, X) if len(model._form.members) == 1 else None,
        rules=tuple(model.rules),
        names=model.rules.names,
    )


def _levels(model: BaseModel, X: Any) -> Floats:
    """Return the levels of the rules [N, R]."""
    firing = model.predict_firing(X).firing
    return np.stack([firing[:, list(columns)].sum(axis=1) for columns in model.rules.columns], axis=1)


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


def _last(array: Floats) -> Floats:
    """Return [N, M] of one output, [N, M, J] of several, for [N, J, M]."""
    return array[:, 0] if array.shape[1] == 1 else np.ascontiguousarray(np.moveaxis(array, 1, 2))


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
