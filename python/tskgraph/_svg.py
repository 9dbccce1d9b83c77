"""Small charts as SVG, for notebooks: the text colour of the page, and the same two colours in light and dark themes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ._html import visible
from ._node import Floats

_WIDTH, _LEFT, _RIGHT = 640.0, 190.0, 60.0
_ROW = 22.0  # height of a bar with its gap
_CURVE, _TOP, _FOOT = 190.0, 8.0, 36.0  # height of a chart of curves, and its margins
UP, DOWN = "#4c8fd6", "#d9822b"
_COLOURS = (UP, DOWN, "#2f9e73", "#b266b2", "#c9a227", "#8c8c8c")


def waterfall(steps: Sequence[tuple[str, float]], base: float, label: str) -> str:
    """Return steps from a base to their sum, one bar below the other; each begins where the last one ends."""
    ends = np.concatenate([[base], base + np.cumsum([value for _, value in steps])])
    low, high = _range(ends)
    height = _ROW * len(steps) + _TOP + _FOOT
    parts = list(_axis(low, high, height, label))
    for i, (name, value) in enumerate(steps):
        at, middle = _TOP + _ROW * i, _TOP + _ROW * (i + 0.5)
        x0, x1 = _place(ends[i], low, high), _place(ends[i + 1], low, high)
        said = f"{value:+.4g}".replace("-", "\u2212")
        parts.append(_text(_LEFT - 8, middle, _short(name, 30), "end"))
        parts.append(
            f'<rect x="{min(x0, x1):.1f}" y="{at + 4:.1f}" width="{max(abs(x1 - x0), 1):.1f}" height="{_ROW - 8:.1f}" '
            f'fill="{UP if value >= 0 else DOWN}"><title>{visible(name)}: {said}</title></rect>'
        )
        parts.append(_text(max(x0, x1) + 5, middle, said))
    return _svg(parts, height, f"Contributions to {label}")


def curves(x: Floats, ys: Floats, names: Sequence[str], levels: Sequence[str], across: str, label: str) -> str:
    """Return functions ys [J, G] of x [G], or of levels, with the names of the J functions if there are several."""
    low, high = _range(ys[np.isfinite(ys)])
    left, right = (-0.5, len(levels) - 0.5) if levels else (float(x[0]), float(x[-1]))
    foot = _FOOT + (_ROW if len(names) > 1 else 0)
    height, bottom = _CURVE + foot, _CURVE

    def at(u: float, v: float) -> tuple[float, float]:
        return _place(u, left, right), bottom - (bottom - _TOP) * (v - low) / (high - low)

    parts = list(_axis(left, right, height, across, bottom=bottom, levels=levels))
    for tick in ticks(low, high):
        y = at(left, tick)[1]
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity=".15"/>')
        parts.append(_text(_LEFT - 8, y, f"{tick:.4g}", "end"))
    parts.append(_text(4, _TOP + 6, _short(label, 24)))
    for j, row in enumerate(ys):
        points = [at(u, v) for u, v in zip(x, row) if math.isfinite(v)]
        colour = _COLOURS[j % len(_COLOURS)]
        if levels:
            for (u, v), level, value in zip(points, levels, row):
                parts.append(
                    f'<circle cx="{u:.1f}" cy="{v:.1f}" r="5" fill="{colour}"><title>{visible(level)}: {value:.4g}</title></circle>'
                )
        else:
            path = "M" + "L".join(f"{u:.1f} {v:.1f}" for u, v in points)
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(names) > 1:
            u = _LEFT + (_WIDTH - _LEFT - _RIGHT) * j / len(names)
            parts.append(f'<rect x="{u:.1f}" y="{height - 14:.1f}" width="10" height="10" fill="{colour}"/>')
            parts.append(_text(u + 15, height - 9, _short(names[j], 16)))
    return _svg(parts, height, f"{label} by {across}")


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers between two."""
    step = 10 ** math.floor(math.log10((high - low) / 5))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6)
    first = math.ceil(low / step)
    return [i * step for i in range(first, math.floor(high / step) + 1)]


def _range(values: Floats) -> tuple[float, float]:
    """Return limits of an axis that holds values."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - room, high + room


def _place(value: float, low: float, high: float) -> float:
    share = (value - low) / (high - low) if high > low else 0.5
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share


def _axis(low: float, high: float, height: float, label: str, *, bottom: float | None = None, levels: Sequence[str] = ()) -> list[str]:
    """Return a horizontal axis at the bottom, with lines at its ticks unless it is below curves."""
    foot = height - _FOOT if bottom is None else bottom
    parts = [f'<path d="M{_LEFT} {foot:.1f}H{_WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity=".5"/>']
    places = [float(k) for k in range(len(levels))] or (ticks(low, high) if high > low else [low])
    shown = list(zip(places, levels or [f"{place:.4g}" for place in places]))
    for at, text in shown:
        x = _place(at, low, high)
        if bottom is None:
            parts.append(f'<path d="M{x:.1f} {_TOP}V{foot:.1f}" stroke="currentColor" stroke-opacity=".15"/>')
        parts.append(_text(x, foot + 11, _short(text, max(4, 60 // max(1, len(shown)))), "middle"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, foot + 27, _short(label, 60), "middle"))
    return parts


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}" fill="currentColor" font-size="12">{visible(text)}</text>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def _svg(parts: Sequence[str], height: float, name: str) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img" aria-label="{visible(name)}">{inside}</svg>'
