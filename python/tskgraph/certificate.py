"""Checks certificates of ``tskgraph certify`` without the program: ``python -m tskgraph.certificate RUN``.

Everything here follows docs/certificates.md, which describes model.json and certificate.json, and none of it the program. Each box of each
proof is proved again by interval arithmetic with outward rounding.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ._bounds import Bounds, ends, response, softness
from ._domain import Box, BoxError, Domain
from ._enclosure import Member, mean
from ._interval import PRECISIONS, Array, Precision, Span, known
from ._rounding import errors

__all__ = ["CertificateError", "check"]

_CHUNK = 64
_SUM = 1e-9


class CertificateError(ValueError):
    """A certificate that does not prove what it claims, or is of another model."""


def check(run: str | os.PathLike[str], certificate: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Check a certificate of the model in a run's directory, by default certificate.json there, and return it.

    Raises
    ------
    CertificateError
        If it is of another model, does not cover the domain, or a box does not prove its claim: the first one is named.
    """
    path = Path(run)
    path = path / "model.json" if path.is_dir() else path
    text = path.read_bytes()
    made: dict[str, Any] = json.loads(Path(certificate or path.parent / "certificate.json").read_text(encoding="utf-8"))
    if made.get("format") != "tskgraph certificate" or made.get("version") != 1:
        raise CertificateError("not a certificate of version 1")
    if made["model"] != "sha256:" + hashlib.sha256(text).hexdigest():
        raise CertificateError("the certificate is of another model")
    with np.errstate(all="ignore"):
        _Checker(json.loads(text)["content"], made).check()
    return made


class _Checker:
    def __init__(self, content: Mapping[str, Any], made: dict[str, Any]) -> None:
        self.made, self.content = made, content
        self.contents = content.get("members") or [content]
        self.columns = self._domain(content, made["domain"]["margin"])
        if self.columns != made["domain"]["columns"]:
            raise CertificateError("the domain is not that of the model with this margin")
        self.members = [Member(one, self.columns) for one in self.contents]
        self.outputs, self.targets = self._outputs(content)
        self.domain = Domain(self.columns, self.members)
        self.levels = {c["name"]: c.get("levels", []) for c in content["schema"]["columns"]}

    def _domain(self, content: Mapping[str, Any], margin: float) -> list[dict[str, Any]]:
        columns: list[dict[str, Any]] = []
        at = 0
        for c in content["schema"]["columns"]:
            own = bool(c.get("missing"))  # numbers have a second feature, and a category has a level
            width = len(c["levels"]) if c["encoding"] == "onehot" else 1 + (own and c["encoding"] == "numeric")
            of = range(at, at + width)
            at += width
            if all(one["features"][k].get("constant") for one in self.contents for k in of):
                continue
            f = content["features"][of[0]]
            column: dict[str, Any] = {"name": c["name"]}
            means = {one["features"][of[0]]["mean"] for one in self.contents if not one["features"][of[0]].get("constant")}
            asked = own and c["encoding"] == "numeric" and not all(one["features"][of[1]].get("constant") for one in self.contents)
            imputed = content["missing"] == "mean" and not (own and c["encoding"] != "numeric")
            if c["encoding"] == "onehot":
                column |= {"levels": c["levels"], "unseen": True} | ({"missing": True} if imputed else {})
            elif c["encoding"] == "numeric":
                more = margin * (f["max"] - f["min"])
                least, most = (c.get("limits", {}).get(end, np.nan) for end in ("low", "high"))
                column |= {"range": [float(np.fmax(least, f["min"] - more)), float(np.fmin(most, f["max"] + more))]}
            else:
                column |= {"range": [1, len(c["levels"])]}
            if "range" in column and (asked or (imputed and len(means) > 1)):
                column["missing"] = True
            columns.append(column)
        return columns

    def _outputs(self, content: Mapping[str, Any]) -> tuple[list[str], list[list[dict[str, float]]]]:
        of, target = content.get("response", {}), content["schema"]["target"]
        if of.get("classes"):
            return [c["name"] for c in of["classes"]], [[] for _ in self.contents]
        names = [t if isinstance(t, str) else t["name"] for t in [target, *content["schema"].get("others", [])]]
        if of.get("quantiles"):
            levels = of["quantiles"]
            names = [f"{target}_q{np.format_float_positional(q, trim='-')}" for q in levels] if len(levels) > 1 else [f"{target}_predicted"]
        targets = []
        for one in self.contents:
            several = one.get("response", {}).get("targets") or [one["target"]]
            several = several * len(names) if len(several) < len(names) else several
            targets.append([_limits(t) for t in several])
        return names, targets

    def check(self) -> None:
        by: dict[int, list[int]] = {}
        used: set[int] = set()
        refuted: list[int] = []
        for k, claim in enumerate(self.made["claims"]):
            self._well_formed(k, claim)
            if claim["status"] == "refuted":
                refuted.append(k)
            elif claim["status"] == "proved":
                used |= {s["cover"] for s in claim.get("steps") or []}
                if claim["kind"] != "jump":
                    by.setdefault(claim["cover"], []).append(k)
                if claim["kind"] in ("jump", "monotone"):
                    self._at_steps(k, claim)
            elif claim["status"] != "open":
                self._fail(k, "an unknown status")
        if unused := set(range(len(self.made["covers"]))) - used - set(by):
            raise CertificateError(f"cover {min(unused)}: no claim needs it")
        if refuted:
            self._refuted(refuted)
        for cover, claims in by.items():
            self._cover(cover, claims)

    def _fail(self, k: int, message: str, cover: int | None = None, box: int | None = None) -> NoReturn:
        where = "" if cover is None else f"cover {cover}, box {box}: "
        raise CertificateError(f"claim {k + 1} ({self.made['claims'][k]['kind']}): {where}{message}")

    def _well_formed(self, k: int, c: Mapping[str, Any]) -> None:
        kind, column = c["kind"], self._column(c)
        along = column is not None and "range" in self.columns[column]
        bounded = c.get("low") is not None and c.get("high") is not None and c["low"] <= c["high"]
        if kind not in ("range", "monotone", "slope", "jump", "coverage", "partition", "decides", "rounding"):
            self._fail(k, "an unknown kind")
        if kind in ("range", "monotone", "slope", "jump", "rounding") and c.get("output") not in self.outputs:
            self._fail(k, "the model predicts no such value")
        if kind in ("monotone", "slope", "jump") and not along:
            self._fail(k, "no such column of numbers in the domain")
        if kind in ("range", "slope", "jump") and c["status"] != "open" and not bounded:
            self._fail(k, "want bounds, the lesser first")
        if kind == "rounding" and (c.get("bits") not in PRECISIONS or (c["status"] != "open" and c.get("high") is None)):
            self._fail(k, "want numbers of 32 or 64 bits, and the largest error")
        if kind == "monotone" and (c.get("direction") not in ("increasing", "decreasing") or not c.get("tolerance", 0) >= 0):
            self._fail(k, "want a direction, and a tolerance of at least zero")
        if kind == "decides" and len(self.members) > 1:
            self._fail(k, "the rules of a committee")

    def _column(self, c: Mapping[str, Any]) -> Any:
        names = [of["name"] for of in self.columns]
        return names.index(c["column"]) if c.get("column") in names else None

    def _boxes(self, k: int, cover: int, whole: Box) -> tuple[Array, Array, list[Array]]:
        """Return the boxes of a cover of a box."""
        if not 0 <= cover < len(self.made["covers"]) or not self.made["covers"][cover]:
            self._fail(k, f"cover {cover}: there is none")
        try:
            return self.domain.boxes(self.made["covers"][cover], whole)
        except BoxError as error:
            self._fail(k, str(error), cover, error.box)

    def _groups(self, sides: list[tuple[Array, Array, list[Array]]]) -> list[tuple[Array, list[int]]]:
        """Return the boxes in groups of the same soft dimensions of each member on each side, in chunks."""
        soft = []
        for (lo, hi, points), m in itertools.product(sides, self.members):
            cuts = [slice(n, n + 256) for n in range(0, len(lo), 256)]
            soft.append(np.concatenate([softness(m, m.places(lo[at], hi[at], [p[at] for p in points])) for at in cuts]))
        groups: dict[tuple[int, ...], list[int]] = {}
        for n, of in enumerate(zip(*soft)):
            groups.setdefault(tuple(int(s) for s in of), []).append(n)
        chunks = []
        for of, boxes in groups.items():
            chunks += [(np.array(boxes[n : n + _CHUNK]), list(of)) for n in range(0, len(boxes), _CHUNK)]
        return chunks

    def _enclose(
        self, lo: Array, hi: Array, points: list[Array], soft: list[int], *, levels: bool = False, rounding: bool = False
    ) -> dict[str, Any]:
        """Return predictions and their derivatives by columns in boxes; the levels alone; or errors of rounding, too."""
        rules: list[Bounds] = []
        f: Any = None
        by: Any = None
        for m, of, targets in zip(self.members, soft, self.targets):
            b = Bounds(m, m.places(lo, hi, points), of)
            rules.append(b)
            if levels:
                continue
            b.add_outputs()
            bounds = [b.bounds(c) for c in range(m.C)]
            y, along = [v for v, _ in bounds], [self._by_columns(m, d) for _, d in bounds]
            finite = np.all([np.isfinite(v.lo) & np.isfinite(v.hi) for v in y], axis=0) & b.covered
            one, d = response(m, targets, y, along)
            uncovered = self._uncovered(self.contents[len(rules) - 1])
            one = [v.where(v.hull(u), finite) for v, u in zip(one, uncovered)]
            d = [[e.where(Span(-np.inf, np.inf), finite) for e in row] for row in d]
            none = np.zeros(len(lo), bool) if m.logs else b.level.zero().all(axis=1)  # no row is covered
            one = [Span(float(u)).where(v, none) for v, u in zip(one, uncovered)]
            d = [[Span(0.0).where(e, none) for e in row] for row in d]
            f = one if f is None else [a + b for a, b in zip(f, one)]
            by = d if by is None else [[a + b for a, b in zip(x, y)] for x, y in zip(by, d)]
        covered = np.all([b.covered for b in rules], axis=0)
        if levels:
            return {"rules": rules, "covered": covered}
        count = float(len(rules))
        if count > 1:
            f, by = [v / count for v in f], [[d / count for d in row] for row in by]
        if self.members[0].link == "ordered":
            for j in range(1, len(f)):
                crossed = f[j - 1].hi > f[j].lo
                by[j] = [d.hull(e).where(d, crossed) for d, e in zip(by[j], by[j - 1])]
                f[j] = Span(np.maximum(f[j].lo, f[j - 1].lo), np.maximum(f[j].hi, f[j - 1].hi))
        off = {bits: self._errors(p, f, rules, lo, hi, points) for bits, p in PRECISIONS.items()} if rounding else {}
        by = [[Span(np.inf, -np.inf).where(d, ~(lo[:, c] <= hi[:, c])) for c, d in enumerate(row)] for row in by]
        return {"f": f, "by": by, "rules": rules, "covered": covered, "off": off}

    def _errors(self, p: Precision, f: list[Span], rules: list[Bounds], lo: Array, hi: Array, points: list[Array]) -> list[Array]:
        """Return the largest errors of predictions f in numbers of a precision, in boxes."""
        count = len(rules)
        off: list[Array] = [0.0 for _ in f]
        for b, targets, content in zip(rules, self.targets, self.contents):
            numbers = [b.m.numbers(i, lo, hi, points) for i in range(len(b.m.features))]
            off = [a + e / count for a, e in zip(off, errors(b, p, numbers, targets, self._uncovered(content)))]
        if count > 1:
            off = [e + 3 * count * p.unit * v.size() for e, v in zip(off, f)]
        return list(np.maximum.accumulate(off, axis=0)) if self.members[0].link == "ordered" else off

    def _uncovered(self, content: Mapping[str, Any]) -> list[float]:
        of = content.get("response", {})
        if of.get("classes"):
            return [c["share"] for c in of["classes"]]
        return of.get("training_quantiles") or [t["mean"] for t in of.get("targets") or [content["target"]]]

    def _by_columns(self, m: Member, d: list[Span]) -> list[Span]:
        by = [Span(np.zeros_like(d[0].lo)) for _ in self.columns]
        for i, c in enumerate(m.column):
            if "range" not in self.columns[c] or m.beside[i]:
                continue
            v = Span(np.zeros_like(d[0].lo)) if m.loadings else d[m.columns.index(c)]
            for k, loadings in enumerate(m.loadings):
                v = v + d[k] * loadings[i]
            by[c] = v / m.features[i]["sd"]
        return by

    def _cover(self, cover: int, claims: list[int]) -> None:
        of = [self.made["claims"][k] for k in claims]
        lo, hi, points = self._boxes(claims[0], cover, self.domain.whole())
        levels, rounding = (all(c["kind"] in ("coverage", "partition") for c in of), any(c["kind"] == "rounding" for c in of))
        bad: list[tuple[int, int]] = []
        for boxes, soft in self._groups([(lo, hi, points)]):
            e = self._enclose(lo[boxes], hi[boxes], [p[boxes] for p in points], soft, levels=levels, rounding=rounding)
            for k, c in zip(claims, of):
                bad += [(int(n), k) for n in boxes[~self._holds(k, c, e, boxes)]]
        if bad:
            n, k = min(bad)
            self._fail(k, "the claim is not proved there", cover, n + 1)
        for k, c in zip(claims, of):
            if c["kind"] == "decides":
                self._shares(k, c, lo, hi, points)

    def _holds(self, k: int, c: Mapping[str, Any], e: Mapping[str, Any], boxes: Array) -> Array:
        j, column = self.outputs.index(c["output"]) if c.get("output") else 0, self._column(c)
        if c["kind"] == "coverage":
            return e["covered"]
        if c["kind"] == "partition":
            return np.all([(b.sum.lo >= 1 - _SUM) & (b.sum.hi <= 1 + _SUM) for b in e["rules"]], axis=0)
        if c["kind"] == "range":
            return (e["f"][j].lo >= c["low"]) & (e["f"][j].hi <= c["high"])
        if c["kind"] == "rounding":
            return np.asarray(e["off"][c["bits"]][j] <= c["high"])
        if c["kind"] == "slope":
            return (e["by"][j][column].lo >= c["low"]) & (e["by"][j][column].hi <= c["high"])
        if c["kind"] == "monotone":
            d = e["by"][j][column] if c["direction"] == "increasing" else -e["by"][j][column]
            low, high = np.array(self.columns[column]["range"])
            return d.lo >= -c.get("tolerance", 0) / (high - low)
        rules = np.array(c["rules"])
        if len(rules) < boxes.max() + 1:
            self._fail(k, "want a rule of each box, or -1")
        b = e["rules"][0]
        at = b.fires == rules[boxes][:, None]
        return (rules[boxes] < 0) | e["covered"] & (np.where(at, b.p.lo, 0).max(axis=1) >= 0.5)

    def _shares(self, k: int, c: Mapping[str, Any], lo: Array, hi: Array, points: list[Array]) -> None:
        share = np.ones(len(lo))
        for i, of in enumerate(self.columns):
            if "range" in of:
                low, high = of["range"]
                share *= np.maximum(hi[:, i] - lo[:, i], 0) / (high - low) if high > low else lo[:, i] <= hi[:, i]
            else:
                share *= points[i][:, : len(of["levels"])].sum(axis=1) / len(of["levels"])
        for r, claimed in enumerate(c["shares"]):
            if not claimed <= share[np.array(c["rules"]) == r].sum():
                self._fail(k, f"rule {r + 1} decides less than {claimed} of the domain")

    def _at_steps(self, k: int, c: Mapping[str, Any]) -> None:
        column, j, given = self._column(c), self.outputs.index(c["output"]), c.get("steps") or []
        if [s["at"] for s in given] != self.domain.steps[column]:
            self._fail(k, "want a proof at each step of the column, in order")
        for step in given:
            whole = self.domain.whole()
            whole[0][column], whole[1][column] = step["at"], np.nextafter(step["at"], np.inf)
            whole[2][column][:] = False
            lo, hi, points = self._boxes(k, step["cover"], whole)
            if (lo[:, column] == hi[:, column]).any():
                self._fail(k, "a part of a step", step["cover"], 1)
            sides = [(self._at(lo, column, end), self._at(hi, column, end)) for end in (step["at"], whole[1][column])]
            bad: list[int] = []
            for boxes, soft in self._groups([(a, b, points) for a, b in sides]):
                d = self._jump([(a[boxes], b[boxes]) for a, b in sides], [p[boxes] for p in points], soft, column)[j]
                d = -d if c["kind"] == "monotone" and c["direction"] == "decreasing" else d
                holds = (d.lo >= c["low"]) & (d.hi <= c["high"]) if c["kind"] == "jump" else d.lo >= -c.get("tolerance", 0)
                bad += [int(n) for n in boxes[~holds]]
            if bad:
                self._fail(k, "the claim is not proved there", step["cover"], min(bad) + 1)

    @staticmethod
    def _at(numbers: Array, column: int, v: float) -> Array:
        numbers = numbers.copy()
        numbers[:, column] = v
        return numbers

    def _jump(self, ends: list[tuple[Array, Array]], points: list[Array], soft: list[int], column: int) -> list[Span]:
        """Return how far predictions jump from boxes on one side of a step of a column to those on the other."""
        half = len(soft) // 2
        sides = [self._enclose(lo, hi, points, of) for (lo, hi), of in zip(ends, (soft[:half], soft[half:]))]
        left, right = sides
        jumps = [b - a for a, b in zip(left["f"], right["f"])]
        if self.members[0].link != "identity":
            return jumps
        covered = left["covered"] & right["covered"]
        for j in range(len(jumps)):
            together = Span(0.0)
            for a, b, targets in zip(left["rules"], right["rules"], self.targets):
                t, d = targets[j], self._across(a, b, j, column) * targets[j]["scale"]
                for side in (a, b):
                    v = side.output(j, None) * t["scale"] + t["mean"]
                    d = d.where(d.hull(0.0), (v.lo >= t["low"]) & (v.hi <= t["high"]))
                together = together + d
            jumps[j] = jumps[j].meet(together / float(len(self.members))).where(jumps[j], covered)
        return jumps

    def _across(self, a: Bounds, b: Bounds, c: int, column: int) -> Span:
        """Return an output on one side less that on the other: over pairs of rules, and in mean-value form by the other columns."""
        v = _pairs(a, b, c, column)
        if a.mid is None or b.mid is None:
            return v
        w = _pairs(a.mid, b.mid, c, column)
        mine, others = a.bounds(c)[1], b.bounds(c)[1]
        for d, place in enumerate(a.places):
            if place.points is None and a.m.columns[d] != column:
                w = w + (others[d] - mine[d]) * (place.z - place.z.mid())
        exact = a.exact & b.exact
        return v.meet(known(w, exact))

    def _refuted(self, claims: list[int]) -> None:
        """Check refuted claims: the rows of all of them are predicted together."""
        rows: list[Box] = []
        first = [0]
        for k in claims:
            try:
                rows += [self.domain.row(cells, self.levels) for cells in self.made["claims"][k].get("rows") or []]
            except BoxError as error:
                self._fail(k, str(error))
            first.append(len(rows))
        if not rows:
            self._fail(claims[0], "no rows refute it")
        lo, hi = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
        points = [np.array(p) for p in zip(*[r[2] for r in rows])]
        f = [Span(np.zeros(len(rows)), np.zeros(len(rows))) for _ in self.outputs]
        uncovered = np.zeros(len(rows), bool)
        for boxes, soft in self._groups([(lo, hi, points)]):
            e = self._enclose(lo[boxes], hi[boxes], [p[boxes] for p in points], soft)
            for of, v in zip(f, e["f"]):
                of.lo[boxes], of.hi[boxes] = v.lo, v.hi
            uncovered[boxes] = np.any([b.level.zero().all(axis=1) for b in e["rules"] if not b.m.logs] or [False], axis=0)
        for k, start, end in zip(claims, first, first[1:]):
            c = self.made["claims"][k]
            at = f[self.outputs.index(c["output"]) if c.get("output") else 0][start:end]
            if not self._refutes(c, rows[start:end], at, uncovered[start:end]):
                self._fail(k, "its rows do not refute it")

    def _refutes(self, c: Mapping[str, Any], rows: list[Box], f: Span, uncovered: Array) -> bool:
        """Return whether rows that are predicted as f, and for which some member has no rule, refute a claim."""
        if c["kind"] == "range":
            return len(rows) == 1 and bool(f.hi[0] < c["low"] or f.lo[0] > c["high"])
        if c["kind"] == "coverage":
            return len(rows) == 1 and bool(uncovered[0])
        if c["kind"] != "monotone" or len(rows) != 2:
            return False
        column, (a, b) = self._column(c), rows
        same = all(i == column or (a[0][i] == b[0][i] and (a[2][i] == b[2][i]).all()) for i in range(len(self.columns)))
        rise = f[1:] - f[:1] if c["direction"] == "increasing" else f[:1] - f[1:]
        return same and bool(a[0][column] < b[0][column]) and not a[2][column].any() and bool(rise.hi[0] < -c.get("tolerance", 0))


def _pairs(a: Bounds, b: Bounds, c: int, column: int) -> Span:
    """Return the mean of the differences of each rule on one side and each on the other, linear between nodes of other columns."""
    n = len(a.fires)
    v = Span(b.m.w[b.fires, c, 0])[:, :, None] - a.m.w[a.fires, c, 0][:, None, :]
    for d, (here, there) in enumerate(zip(a.at[c], b.at[c])):
        if a.m.columns[d] == column:
            v = v + (ends(there)[:, :, None] - ends(here)[:, None, :])
        else:
            v = v + ends(there[:, :, None, :] - here[:, None, :, :])
    shares = b.p[:, :, None] * a.p[:, None, :]

    def flat(of: Span) -> Span:
        return Span(of.lo.reshape(n, -1), of.hi.reshape(n, -1))

    return mean(flat(shares), flat(v))


def _limits(t: Mapping[str, Any]) -> dict[str, float]:
    low, high = -np.inf, np.inf
    if t.get("margin"):
        beyond = t["margin"] * (t["max"] - t["min"])
        low, high = t["min"] - beyond, t["max"] + beyond
    low, high = max(low, t.get("low", -np.inf)), min(high, t.get("high", np.inf))
    return {"mean": t["mean"], "scale": t.get("sd") or 1.0, "low": low, "high": high}


def main(arguments: list[str]) -> int:
    """Check the certificate of a run, or another one of its model; 0 if it holds."""
    if not 1 <= len(arguments) <= 2:
        print("usage: python -m tskgraph.certificate RUN [CERTIFICATE]", file=sys.stderr)
        return 2
    try:
        made = check(*arguments)
    except (CertificateError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        print(f"certificate: {error!r}" if not isinstance(error, (CertificateError, OSError)) else f"certificate: {error}", file=sys.stderr)
        return 1
    proved = sum(c["status"] == "proved" for c in made["claims"])
    print(f"{proved} of {len(made['claims'])} claims are proved")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
