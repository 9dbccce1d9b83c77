"""Predictions as sums over columns: Shapley values, with their HTML."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _html, _svg
from ._frame import imported_pandas
from ._html import labelled, visible
from ._node import Floats
from .rules import Rules

__all__ = ["Explanation"]

_COLUMNS, _ROWS, _RULES = 15, 50, 4  # that the HTML shows of many


class Shown(NamedTuple):
    """What an explanation shows besides its figures.

    Attributes
    ----------
    predicted : tuple of str
        The prediction of each row.
    observed : tuple of str or None
        What was observed, if it is known.
    units : tuple of str
        Of the columns.
    firing : ndarray of shape (N, R) or None
        Firing levels of the rules; None of a committee.
    rules : Rules
    """

    predicted: tuple[str, ...]
    observed: tuple[str, ...] | None
    units: tuple[str, ...]
    firing: Floats | None
    rules: Rules


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
        return None if self._shown is None else _html.page(_rows(self, self._shown))

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
        chart = _svg.waterfall(steps, float(base[j]), of)
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
        yield f'<div class="rule line">{_html.bar_of(f"Rule {rule.number}", level, f"{level:.0%}", visible(f"{when}: {rule.says}"))}</div>'
