"""HTML of rules and small charts for notebooks: static, without scripts and without network, in light and dark themes."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ._node import Floats

# Rules that are shown at first; the others are folded.
_SHOWN = 12

# Text that is not escaped any further.
_Words = Mapping[str, Any]

_STYLE = """
.tskgraph{max-width:62em;line-height:1.4;font-size:13px;color:inherit;overflow-wrap:anywhere}
.tskgraph p{margin:.4em 0}
.tskgraph summary{cursor:pointer;padding:.3em 0}
.tskgraph .rule{border-top:1px solid rgba(127,127,127,.35)}
.tskgraph .rule>summary,.tskgraph .line{display:grid;grid-template-columns:5.5em 9em minmax(0,1fr);gap:0 .8em;align-items:baseline}
.tskgraph .rule>summary::-webkit-details-marker{display:none}
.tskgraph .name{font-weight:600}
.tskgraph summary>.name::before{content:"\\25B8\\00A0";opacity:.6}
.tskgraph .rule[open]>summary>.name::before{content:"\\25BE\\00A0"}
.tskgraph .share{display:flex;align-items:center;gap:.5em;white-space:nowrap}
.tskgraph .bar{flex:1;height:.6em;background:rgba(127,127,127,.2);border-radius:2px;overflow:hidden}
.tskgraph .bar>i{display:block;height:100%;background:#4c8fd6}
.tskgraph .key{font-size:11px;font-weight:600;letter-spacing:.03em;opacity:.75}
.tskgraph .then{display:inline-block;font-weight:600}
.tskgraph svg{display:block;width:100%;max-width:52em;height:auto;margin:.3em 0}
.tskgraph .more{margin:0 0 .6em 1.2em}
.tskgraph .formula{display:inline-grid;grid-template-columns:auto auto;gap:0 1.2em;margin:.2em 0 .2em .6em;font-family:monospace}
.tskgraph .formula>span{text-align:left}
.tskgraph .quiet{opacity:.75}
.tskgraph .warning{border-left:4px solid #d98a00;padding:.3em .7em;background:rgba(217,138,0,.14)}
.tskgraph ul{margin:.3em 0;padding-left:1.4em}
.tskgraph pre{white-space:pre-wrap;font-size:12px;margin:.3em 0;background:none;color:inherit}
.tskgraph .column>summary{grid-template-columns:14em 9em minmax(0,1fr)}
.tskgraph .row>summary{grid-template-columns:5.5em minmax(0,1fr)}
@media (max-width:560px){
.tskgraph .rule>summary,.tskgraph .line{grid-template-columns:5.5em minmax(0,1fr)}
.tskgraph .said{grid-column:1/-1}
}
"""


def page(parts: Iterable[str]) -> str:
    """Return parts of HTML with their style."""
    return f'<div class="tskgraph"><style>{_STYLE}</style>{"".join(parts)}</div>'


def visible(text: str) -> str:
    """Escape text of strangers: markup, and characters that are not seen."""
    seen = "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)
    return html.escape(seen, quote=True)


def labelled(name: str, unit: str) -> str:
    """Return a name with its unit."""
    return f"{name} [{unit}]" if unit else name


def bar_of(name: str, share: float, value: str, more: str = "") -> str:
    """Return a name, a bar and a value."""
    bar = f'<span class="share"><span class="bar"><i style="width:{100 * share:.1f}%"></i></span>{visible(value)}</span>'
    return f'<span class="name">{visible(name)}</span>{bar}<span class="said">{more}</span>'


def rules_html(wording: _Words, shares: Sequence[Mapping[int, float]]) -> Iterator[str]:
    """Yield rules, those that decide most rows first, by their words and the shares of each member's rules by number."""
    if not wording.get("page"):
        yield from _lines(wording.get("introduction", ""))
    if wording.get("remark"):
        yield f'<p class="warning">{visible(wording["remark"])}</p>'
    members = wording.get("members") or ()
    for k, member in enumerate(members):
        count = len(member.get("rules") or ())
        head = "" if member.get("page") else member.get("introduction", "")
        inside = "".join((*_lines(head), *_member(member, shares[k])))
        yield f"<details{' open' if k == 0 else ''}><summary>Member {k + 1} of {len(members)}, {count} rules</summary>{inside}</details>"
    if not members:
        yield from _member(wording, shares[0])
    yield from _list(wording.get("readability") or ())
    for note in wording.get("notes") or ():
        yield from _lines(note)
    if wording.get("legend"):
        legend = "".join(_lines(wording["legend"]))
        yield f'<details><summary class="quiet">What the words mean</summary><div class="quiet">{legend}</div></details>'


def _member(wording: _Words, shares: Mapping[int, float]) -> Iterator[str]:
    """Yield the rules of a single model, those that decide most rows first; of a page its text, and its rules' own rows."""
    if wording.get("page"):
        yield f"<pre>{visible(wording['page'])}</pre>"
        yield from _list(wording.get("definitions", "").split("\n") if wording.get("definitions") else ())
        if wording.get("own_rows"):
            heading, _, rows = wording["own_rows"].partition("\n")
            yield f'<details><summary class="quiet">{visible(heading)}</summary><pre>{visible(rows)}</pre></details>'
        yield from _list(wording.get("tried") or ())
        return
    listed = wording.get("rules") or ()
    active = [words for words in listed if not words.get("idle")]
    idle = [words for words in listed if words.get("idle")]
    yield from (_rule(words, shares) for words in active[:_SHOWN])
    yield from _folded(f"{len(active[_SHOWN:])} more rules", active[_SHOWN:], shares)
    yield from _folded(f"{len(idle)} that fire most for no sample", idle, shares)
    for curves in wording.get("curves") or ():
        yield from _curves(curves)
    yield from _list(wording.get("bounds") or ())
    yield from _lines(wording.get("measures", ""))


def _folded(title: str, some: Sequence[_Words], shares: Mapping[int, float]) -> Iterator[str]:
    if some:
        yield f'<details class="rule"><summary class="folded">{title}</summary>{"".join(_rule(words, shares) for words in some)}</details>'


def _rule(words: _Words, shares: Mapping[int, float]) -> str:
    """Return a rule: its conditions and what it says; the formula is folded."""
    share = sum(shares[number] for number in words["numbers"])
    bar = f'<span class="bar"><i style="width:{min(100.0, 100 * share):.1f}%"></i></span>'
    conditions = ' <span class="key">AND</span> '.join(map(visible, words["if"]))
    when = f'<span class="key">IF</span> {conditions}' if conditions else f'<span class="key">{visible(words.get("always", ""))}</span>'
    outputs = words.get("outputs") or [words["then"]]
    then = visible(words["then"].get("says", "")) or ", ".join(visible(one.get("says") or f"{one['label']} = \u2026") for one in outputs)
    more = "".join([*_formulas(words), *_list(words.get("seen") or ())])
    return (
        f'<details class="rule"><summary><span class="name">{visible(words["name"])}</span>'
        f'<span class="share">{bar}{100 * share:.1f}%</span>'
        f'<span class="said">{when} <span class="then"><span class="key">THEN</span> {then}</span></span></summary>'
        f'<div class="more"><p class="quiet">{visible(words["activity"])}</p>{more}</div></details>'
    )


def _formulas(words: _Words) -> Iterator[str]:
    for one in (words["then"], *(words.get("outputs") or ())):
        formula = one.get("formula") or ()
        if formula:
            yield f"<p>{visible(one.get('label', ''))} =</p>"
            cells = "".join(f"<span>{visible(term['product'])}</span><span>{visible(term.get('effect', ''))}</span>" for term in formula)
            yield f'<div class="formula">{cells}</div>'
        if one.get("small"):
            yield f'<p class="quiet">{visible(one["small"])}</p>'


def _curves(curves: _Words) -> Iterator[str]:
    lines = []
    for one in curves.get("each") or ():
        also = f"; with the mean slope of the rules it {one['with_slope']}" if one.get("with_slope") else ""
        lines.append(f"{one['feature']} {one['alone']}{also}")
    yield f"<p>{visible(curves['heading'])}:</p>"
    yield from _list([*lines, *([curves["small"]] if curves.get("small") else [])])


def _lines(text: str) -> Iterator[str]:
    """Yield a paragraph of text, if there is any."""
    if text.strip():
        yield f"<p>{visible(text.strip())}</p>"


def _list(lines: Iterable[str]) -> Iterator[str]:
    items = "".join(f"<li>{visible(line)}</li>" for line in lines)
    if items:
        yield f"<ul>{items}</ul>"


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
        parts.append(_text(_LEFT - 8, middle, short(name, 30), "end"))
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
    parts.append(_text(4, _TOP + 6, short(label, 24)))
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
            parts.append(_text(u + 15, height - 9, short(names[j], 16)))
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
        parts.append(_text(x, foot + 11, short(text, max(4, 60 // max(1, len(shown)))), "middle"))
    parts.append(_text((_LEFT + _WIDTH - _RIGHT) / 2, foot + 27, short(label, 60), "middle"))
    return parts


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}" fill="currentColor" font-size="12">{visible(text)}</text>'


def short(text: str, most: int = 48) -> str:
    """Return a text, cut to a length."""
    return text if len(text) <= most else text[: most - 1] + "\u2026"


def _svg(parts: Sequence[str], height: float, name: str) -> str:
    inside = "".join(parts)
    return f'<svg viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img" aria-label="{visible(name)}">{inside}</svg>'
