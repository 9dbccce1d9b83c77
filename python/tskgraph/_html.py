"""HTML of rules for notebooks: static, without scripts and without network, in light and dark themes."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

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


def rules_of(wording: _Words, shares: Sequence[Mapping[int, float]]) -> Iterator[str]:
    """Yield rules, those that fire most first, by their words and the shares of each member's rules by number."""
    yield from _lines(wording.get("introduction", ""))
    if wording.get("remark"):
        yield f'<p class="warning">{visible(wording["remark"])}</p>'
    members = wording.get("members") or ()
    for k, member in enumerate(members):
        count = len(member.get("rules") or ())
        inside = "".join((*_lines(member.get("introduction", "")), *_member(member, shares[k])))
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
    """Yield the rules of a single model, those that fire most first."""
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
