"""Figures of models as axes of matplotlib.

All functions draw on ``ax``, axes of matplotlib, or on those of a new figure, and return the axes; they raise an ImportError without
matplotlib. Further arguments are those of the named method of the axes. A name that the model does not have is a ValueError.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._dependence import Grid, column_of, common_label, grid_of, output_label, output_names, outputs_of, response_of
from ._html import labelled, short
from ._member import grades_of
from ._node import Floats
from ._table import codes_of, numbers_of, target_of

if TYPE_CHECKING:
    from ._column import Column
    from ._form import Encoded
    from ._model import BaseModel
    from .explanation import Explanation

__all__ = ["plot_calibration", "plot_history", "plot_importance", "plot_memberships", "plot_predictions", "plot_response", "plot_rules"]

# Rules that a legend names.
_NAMED = 12


def plot_memberships(model: BaseModel, feature: str, *, member: int = 1, ax: Any = None, **kwargs: Any) -> Any:
    """Draw the grades of the rules' conditions on a column, by ``Axes.plot``.

    Rules without a membership function of the column are left out. Of a committee, member is a number from 1. A model whose rules have
    principal components as inputs is a ModelError.
    """
    form = model._form
    if not 1 <= member <= len(form.members):
        raise ValueError(f"member={member}: the model has {len(form.members)}")
    column = column_of(model, feature)
    grid = grid_of(model, column)
    found = grades_of(form, form.members[member - 1], column, grid.values)
    ax = axes_of(ax)
    for number, grades in zip(found.rules, found.grades):
        ax.plot(grid.values, grades, **{"label": f"rule {number}", **grid.style, **kwargs})
    if not found.rules:
        ax.text(0.5, 0.5, "no rule has a condition on it", transform=ax.transAxes, ha="center", va="center")
    name_places(ax, grid, column)
    ax.set(ylabel="grade", ylim=(-0.03, 1.05))
    if 0 < len(found.rules) <= _NAMED:
        ax.legend()
    return ax


def plot_response(
    model: BaseModel, features: str | Sequence[str], X: Any, *, output: str | None = None, ax: Any = None, **kwargs: Any
) -> Any:
    """Draw the partial dependence of the prediction on one column, by ``Axes.plot``, or on two, by ``Axes.pcolormesh``.

    It is the mean prediction over rows in which the columns are set to each value in turn, as the response curves of ``tskgraph report``.
    Of classes it is the probability.

    Parameters
    ----------
    model : Model
    features : str or two of them
    X : array-like or frame
        Rows to average over; of more than 200, 200 at equal distances.
    output : str, optional
        A target, class or quantile such as ``"0.9"``. By default all classes or quantiles are drawn over one column, and the first
        target, the last class or the median over two.
    """
    names = [features] if isinstance(features, str) else list(features)
    if len(names) not in (1, 2):
        raise ValueError(f"features has {len(names)} columns: name one or two")
    columns = [column_of(model, name) for name in names]
    chosen = outputs_of(model, output, single=len(names) == 2)
    grids = [grid_of(model, column, fine=len(names) == 1) for column in columns]
    responses = response_of(model, columns, grids, X)
    ax = axes_of(ax)
    if len(names) == 2:
        mesh = ax.pcolormesh(grids[0].values, grids[1].values, responses[chosen[0]].T, **{"shading": "nearest", **kwargs})
        ax.figure.colorbar(mesh, ax=ax, label=plain(output_label(model, chosen[0])))
        name_places(ax, grids[0], columns[0])
        name_places(ax, grids[1], columns[1], axis="y")
        return ax
    for j in chosen:
        ax.plot(grids[0].values, responses[j], **{"label": plain(output_names(model)[j]), **grids[0].style, **kwargs})
    name_places(ax, grids[0], columns[0])
    ax.set_ylabel(plain(output_label(model, chosen[0]) if len(chosen) == 1 else common_label(model)))
    if 1 < len(chosen) <= _NAMED:
        ax.legend()
    return ax


def plot_rules(model: BaseModel, *, member: int = 1, ax: Any = None, **kwargs: Any) -> Any:
    """Draw the shares of the rules in the firing on the training part, with what each says on average, by ``Axes.barh``.

    Of a committee, member is a number from 1.
    """
    rules = [rule for rule in model.rules if rule.member in (0, member)]
    if not rules:
        raise ValueError(f"member={member}: the model has {model.rules[-1].member}")
    rules.sort(key=lambda rule: rule.share)
    ax = axes_of(ax)
    names = [f"rule {rule.number}" + (f": {rule.says}" if rule.says else "") for rule in rules]
    ax.barh([plain(short(name)) for name in names], [100 * rule.share for rule in rules], **kwargs)
    ax.set_xlabel("share of the firing [%]")
    return ax


def plot_importance(explanation: Explanation, *, ax: Any = None, **kwargs: Any) -> Any:
    """Draw the mean size of the Shapley values of each column by ``Axes.barh``, the largest on top; of several outputs their mean."""
    sizes = np.abs(explanation.values).mean(axis=0)
    means = sizes if sizes.ndim == 1 else sizes.mean(axis=1)
    order = np.argsort(means, kind="stable")
    ax = axes_of(ax)
    ax.barh([plain(short(explanation.feature_names[m])) for m in order], means[order], **kwargs)
    names = explanation.output_names
    of = labelled(names[0], explanation.unit) if len(names) == 1 else f"{len(names)} outputs"
    ax.set_xlabel(plain(f"mean |Shapley value| of {of}"))
    return ax


def plot_history(history: Sequence[Mapping[str, Any]], *, ax: Any = None, **kwargs: Any) -> Any:
    """Draw the errors during training: of the batches, as a running mean, on the validation part, and on the sets of eval_set.

    The history has the lines of metrics.jsonl of a run; an empty one is a ValueError. The figures are drawn by ``Axes.plot``.
    """
    if not history:
        raise ValueError("the history is empty: no iteration was recorded")
    members = sorted({line.get("member", 0) for line in history})
    ax = axes_of(ax)
    for k in members:
        lines = [line for line in history if line.get("member", 0) == k]
        name = f"member {k}" if k else "batches"
        x, y = figures_of(lines, "metric_batch")
        ax.plot(x, running_mean(y), **{"label": f"{name} (running mean)", **kwargs})
        x, y = figures_of(lines, "metric_validation")
        if len(x):
            ax.plot(x, y, **{"label": f"member {k}, validation" if k else "validation", **kwargs})
    for name in next((line["watched"] for line in history if "watched" in line), ()):
        x, y = figures_of([{**line, **line.get("watched", {})} for line in history], name)
        ax.plot(x, y, **{"label": plain(name), **kwargs})
    ax.set(xlabel="iteration", ylabel=history[0]["metric"])
    ax.legend()
    return ax


def plot_predictions(model: BaseModel, X: Any, y: Any, *, target: str | None = None, ax: Any = None, **kwargs: Any) -> Any:
    """Draw predictions over observed values, by ``Axes.scatter``; of classes numbers of rows by class and prediction, ``Axes.imshow``.

    Of several targets, the columns of y, the one named target is drawn; by default the first.
    """
    name = model.targets[0] if target is None else target
    if name not in model.targets:
        raise ValueError(f"target={name!r}: the targets are {', '.join(model.targets)}")
    c, columns = model.targets.index(name), target_of(y).columns
    if len(columns) != len(model.targets):
        raise ValueError(f"y has {len(columns)} columns, but the model predicts {len(model.targets)} targets")
    if model.kind == "classes":
        return _confusion(model, _known_codes(model, columns[0]), model.predict(X), axes_of(ax), kwargs)
    observed, predicted = numbers_of(columns[c]), np.asarray(model.predict(X), dtype=np.float64)
    predicted = predicted[:, c] if predicted.ndim == 2 else predicted
    ax = axes_of(ax)
    ax.scatter(observed, predicted, **{"s": 14, "alpha": 0.6, "linewidths": 0, **kwargs})
    ax.axline((float(observed.mean()), float(observed.mean())), slope=1, color="grey", linewidth=1, zorder=0)
    label = plain(labelled(name, model.units[c] if c < len(model.units) else ""))
    rmse = float(np.sqrt(np.nanmean((predicted - observed) ** 2)))
    ax.set(xlabel=f"{label}, observed", ylabel="median" if model.kind == "quantiles" else "predicted", title=f"RMSE {rmse:.3g}")
    return ax


def plot_calibration(model: BaseModel, X: Any, y: Any, *, ax: Any = None, **kwargs: Any) -> Any:
    """Draw how often an event happens over its predicted probability: the second class of two, else that the most probable class is right.

    The rows are divided into up to ten bins of equal numbers by probability; whiskers are one standard error to either side. Further
    arguments are those of ``Axes.errorbar``. It is a ValueError if the model has no classes, or y has another length than X.
    """
    if model.kind != "classes":
        raise ValueError("calibration is that of probabilities: the model predicts numbers")
    observed, p = _known_codes(model, target_of(y).columns[0]), np.asarray(model.predict_proba(X))
    if len(observed) != len(p):
        raise ValueError(f"y has {len(observed)} rows, X {len(p)}")
    two = len(model.classes) == 2
    event = np.ones(len(p), dtype=np.intp) if two else p.argmax(axis=1)
    bins = bins_of(p[np.arange(len(p)), event], observed == event)
    ax = axes_of(ax)
    ax.axline((0, 0), slope=1, color="grey", linewidth=1, zorder=0)
    ax.errorbar(bins.predicted, bins.observed, bins.errors, **{"marker": "o", "capsize": 0, **kwargs})
    of = short(model.classes[1], 24) if two else "the most probable class"
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=plain(f"predicted probability of {of}"), ylabel="observed share")
    ax.set_title(f"calibration error {bins.error:.3g}")
    return ax


def _known_codes(model: BaseModel, column: Column) -> npt.NDArray[np.intp]:
    """Return the index of each row's class."""
    codes = codes_of(column, tuple(model.classes))
    if (codes < 0).any():
        raise ValueError(f"y has a class that the model does not know: row {int((codes < 0).argmax()) + 1}")
    return codes


def _confusion(model: BaseModel, observed: npt.NDArray[Any], predicted: npt.NDArray[Any], ax: Any, kwargs: Mapping[str, Any]) -> Any:
    """Draw the numbers of rows by class and predicted class."""
    place = {name: k for k, name in enumerate(model.classes)}
    given = np.array([place.get(name, -1) for name in predicted])
    counts = np.zeros((len(place), len(place)), dtype=int)
    np.add.at(counts, (observed[given >= 0], given[given >= 0]), 1)
    image = ax.imshow(counts, **{"cmap": "Blues", "aspect": "auto", **kwargs})
    middle = image.norm(counts) > 0.5
    for (row, column), count in np.ndenumerate(counts):
        ax.text(column, row, str(count), ha="center", va="center", color="white" if middle[row, column] else "black")
    names, places = [plain(short(name, 24)) for name in model.classes], range(len(place))
    ax.set_xticks(places, names, rotation=45 if max(map(len, names)) > 8 else 0)
    ax.set_yticks(places, names)
    right = counts.trace() / max(1, counts.sum())
    ax.set(xlabel=plain(f"{model.targets[0]}, predicted"), ylabel="observed", title=f"{100 * right:.1f}% right")
    return ax


def axes_of(ax: Any) -> Any:
    """Return the axes to draw on, of a new figure for None."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots(constrained_layout=True)[1]


def name_places(ax: Any, grid: Grid, column: Encoded, axis: str = "x") -> None:
    """Label an axis with a column and, if it has levels, their names."""
    getattr(ax, f"set_{axis}label")(plain(labelled(column.name, column.unit)))
    if column.levels:
        getattr(ax, f"set_{axis}ticks")(grid.values, [plain(short(level, 24)) for level in column.levels])


def plain(text: str) -> str:
    """Return text as matplotlib shows it: a dollar begins no formula, and what cannot be seen is escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text).replace("$", r"\$")


def figures_of(lines: Sequence[Mapping[str, Any]], key: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the iterations that have a figure, and the figures."""
    found = [(line["iteration"], line[key]) for line in lines if isinstance(line.get(key), (int, float))]
    pairs = np.array(found, dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def running_mean(y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the running mean of a fiftieth of the values."""
    width = min(len(y), max(1, len(y) // 50))
    if width < 2:
        return y
    ones = np.ones(width)
    return np.asarray(np.convolve(y, ones, "same") / np.convolve(np.ones(len(y)), ones, "same"))


# Bins aimed at, and samples in each; as `tskgraph evaluate` has them.
_BINS, _IN_BIN = 10, 10


class Bins(NamedTuple):
    """Bins of samples in ascending order of the probability of an event."""

    samples: npt.NDArray[np.intp]
    predicted: Floats  # mean probabilities
    observed: Floats  # shares of the samples with the event
    errors: Floats  # standard errors of these; zero where all samples or none have the event

    @property
    def error(self) -> float:
        """The mean distance between predicted and observed, by samples: the expected calibration error."""
        return float(np.average(np.abs(self.predicted - self.observed), weights=self.samples))


def bins_of(probability: Floats, event: npt.NDArray[np.bool_]) -> Bins:
    """Divide samples, at least one, into bins of equal numbers: ten, fewer for fewer than 100 samples. Equal probabilities share a bin."""
    order = np.argsort(probability, kind="stable")
    p, hit, N = probability[order], event[order].astype(float), len(order)
    starts, ends = [0], []
    bins = max(1, min(_BINS, N // _IN_BIN))
    end = N / bins
    for n in range(1, N + 1):
        if n < N and (p[n] == p[n - 1] or n < end * (1 - 1e-12)):
            continue
        ends.append(n)
        bins -= 1
        if n < N:
            starts.append(n)
            end = n + (N - n) / max(1, min(bins, (N - n) // _IN_BIN))
    sizes = np.array(ends) - starts
    predicted, observed = np.add.reduceat(p, starts) / sizes, np.add.reduceat(hit, starts) / sizes
    return Bins(sizes, predicted, observed, np.sqrt(observed * (1 - observed) / sizes))
