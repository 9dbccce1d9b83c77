"""HTML of explanations for notebooks: like that of rules, static, without scripts and without network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from . import _html, _svg
from ._drawing import labelled
from ._html import visible

if TYPE_CHECKING:
    from .explanation import Explanation, Shown
    from .overview import GlobalExplanation, Response

_COLUMNS, _ROWS, _RULES = 15, 50, 4  # that are shown of many


def of_global(given: GlobalExplanation) -> str:
    """Return columns by importance, the response to each, and the rules."""
    return _html.page(_overview(given))


def of_local(given: Explanation, shown: Shown) -> str:
    """Return rows: each with the way from the base to its prediction, and with the rules that fire."""
    return _html.page(_rows(given, shown))


def _overview(given: GlobalExplanation) -> Iterator[str]:
    each = given.importances.reshape(len(given.feature_names), -1).mean(axis=1)
    order = np.argsort(-each, kind="stable")
    of = f" [{visible(given.local.unit)}]" if given.local.unit else ""
    yield f"<p><b>Columns</b> by the mean size of their contributions{of} to the predictions of {len(given.local.values)} rows</p>"
    responses = {response.column: response for response in given.responses}
    for m in order[:_COLUMNS]:
        name = given.feature_names[m]
        line = _line(name, each[m] / max(each.max(), 1e-300), f"{each[m]:.3g}")
        inside = _response(given, responses[name]) if name in responses else '<p class="quiet">The model does not use it.</p>'
        yield f'<details class="rule column"{" open" if m == order[0] else ""}><summary>{line}</summary>{inside}</details>'
    if len(order) > _COLUMNS:
        yield f'<p class="quiet">{len(order) - _COLUMNS} further columns matter less.</p>'
    yield f"<details><summary><b>{len(given.rules)} rules</b></summary>{''.join(_html.rules_of(given.rules))}</details>"


def _line(name: str, share: float, value: str, more: str = "") -> str:
    """Return a name, a bar and a value."""
    bar = f'<span class="share"><span class="bar"><i style="width:{100 * share:.1f}%"></i></span>{visible(value)}</span>'
    return f'<span class="name">{visible(name)}</span>{bar}<span class="said">{more}</span>'


def _response(given: GlobalExplanation, response: Response) -> str:
    label, names = given._labels
    return _svg.curves(response.x, response.y, names, response.levels, labelled(response.column, response.unit), label)


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
        yield f'<div class="rule line">{_line(f"Rule {rule.number}", level, f"{level:.0%}", visible(f"{when}: {rule.says}"))}</div>'
