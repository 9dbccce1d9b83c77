"""Axes, names and labels of figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._html import labelled

if TYPE_CHECKING:
    from ._dependence import Grid
    from ._form import Column
    from ._model import BaseModel


def axes_of(ax: Any) -> Any:
    """Return the axes to draw on, of a new figure for None."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots(constrained_layout=True)[1]


def column_of(model: BaseModel, name: str) -> Column:
    """Return the column of a name."""
    for column in model._form.columns:
        if column.name == name:
            return column
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
    return [int(np.argmin(np.abs(np.array(model.levels) - 0.5)))] if single else list(range(len(names)))


def output_names(model: BaseModel) -> list[str]:
    """Return the names of the predicted numbers."""
    return {"classes": model.classes, "quantiles": [f"{level:g}" for level in model.levels]}.get(model.kind, model.targets)


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


def name_places(ax: Any, grid: Grid, column: Column, axis: str = "x") -> None:
    """Label an axis with a column and, if it has levels, their names."""
    getattr(ax, f"set_{axis}label")(plain(labelled(column.name, column.unit)))
    if column.levels:
        getattr(ax, f"set_{axis}ticks")(grid.places, [plain(short(level, 24)) for level in column.levels])


def plain(text: str) -> str:
    """Return text as matplotlib shows it: a dollar begins no formula, and what cannot be seen is escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text).replace("$", r"\$")


def short(text: str, most: int = 48) -> str:
    """Return a text, cut to a length."""
    return text if len(text) <= most else text[: most - 1] + "\u2026"
