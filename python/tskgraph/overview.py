"""What a model has learnt, as a whole: which columns matter, how the prediction depends on each, and the rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._dependence import column_of, common_label, grid_of, output_label, output_names, response_of
from ._frame import imported_pandas
from ._html import bar_of, curves, labelled, page, rules_html, visible
from ._node import Floats
from .explanation import Explanation, explain
from .rules import Rules

if TYPE_CHECKING:
    from ._model import BaseModel

__all__ = ["GlobalExplanation", "Response", "explain_all"]

_COLUMNS = 15  # that the HTML shows of many


@dataclasses.dataclass(frozen=True)
class Response:
    """The partial dependence of the prediction on a column: its mean over rows in which the column has each value in turn.

    Attributes
    ----------
    column, unit : str
    x : ndarray of shape (G,)
        Values over the range in training; of a category the numbers 0, 1, ... of its levels.
    levels : tuple of str
        Of a category; empty of a column of numbers.
    y : ndarray of shape (J, G)
        For each output: target, quantile, or probability of a class.
    """

    column: str
    unit: str
    x: Floats
    levels: tuple[str, ...]
    y: Floats


@dataclasses.dataclass(frozen=True)
class GlobalExplanation:
    """A model as a whole. In notebooks it is shown as HTML that unfolds.

    Attributes
    ----------
    importances : ndarray of shape (M,) or (M, J)
        Mean sizes of the Shapley values of the columns, of J outputs on the scale of the link as in `Explanation`.
    feature_names : tuple of str
        The M columns.
    responses : tuple of Response
        Of the columns that the model uses, in their order.
    rules : Rules
    local : Explanation
        Of the rows that the importances are means over.
    """

    importances: Floats
    feature_names: tuple[str, ...]
    responses: tuple[Response, ...]
    rules: Rules
    local: Explanation
    _labels: tuple[str, tuple[str, ...]] = dataclasses.field(repr=False)  # of the responses, and of their outputs

    def to_frame(self) -> Any:
        """Return a data frame of pandas with the columns ``column``, ``output`` if there are several, and ``importance``, largest first.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = imported_pandas()
        each = self.importances.reshape(len(self.feature_names), -1)
        rows = [
            {"column": column, "output": output, "importance": each[m, j]}
            for j, output in enumerate(self.local.output_names)
            for m, column in enumerate(self.feature_names)
        ]
        frame = pandas.DataFrame(rows).sort_values("importance", ascending=False, kind="stable", ignore_index=True)
        return frame if each.shape[1] > 1 else frame.drop(columns="output")

    def _repr_html_(self) -> str:
        return page(_overview(self))


def explain_all(model: BaseModel, X: Any, background: Any) -> GlobalExplanation:
    """Explain a model by rows X and a background, see `Views.explain_global`."""
    local = explain(model, X, background)
    responses = []
    for name in model.columns_used:
        column = column_of(model, name)
        grid = grid_of(model, column)
        responses.append(Response(name, column.unit, grid.values, tuple(column.levels), response_of(model, [column], [grid], X)))
    names = tuple(output_names(model))
    label = output_label(model, 0) if len(names) == 1 else common_label(model) if model.kind != "numbers" else labelled("prediction", "")
    return GlobalExplanation(
        importances=np.abs(local.values).mean(axis=0),
        feature_names=local.feature_names,
        responses=tuple(responses),
        rules=model.rules,
        local=local,
        _labels=(label, names),
    )


def _overview(given: GlobalExplanation) -> Iterator[str]:
    each = given.importances.reshape(len(given.feature_names), -1).mean(axis=1)
    order = np.argsort(-each, kind="stable")
    of = f" [{visible(given.local.unit)}]" if given.local.unit else ""
    yield f"<p><b>Columns</b> by the mean size of their contributions{of} to the predictions of {len(given.local.values)} rows</p>"
    responses = {response.column: response for response in given.responses}
    for m in order[:_COLUMNS]:
        name = given.feature_names[m]
        line = bar_of(name, each[m] / max(each.max(), 1e-300), f"{each[m]:.3g}")
        inside = _response(given, responses[name]) if name in responses else '<p class="quiet">The model does not use it.</p>'
        yield f'<details class="rule column"{" open" if m == order[0] else ""}><summary>{line}</summary>{inside}</details>'
    if len(order) > _COLUMNS:
        yield f'<p class="quiet">{len(order) - _COLUMNS} further columns matter less.</p>'
    rules = "".join(rules_html(given.rules.wording, given.rules.shares))
    yield f"<details><summary><b>{len(given.rules)} rules</b></summary>{rules}</details>"


def _response(given: GlobalExplanation, response: Response) -> str:
    label, names = given._labels
    return curves(response.x, response.y, names, response.levels, labelled(response.column, response.unit), label)
