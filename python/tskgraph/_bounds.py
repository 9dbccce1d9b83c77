"""Predictions of a model file and their derivatives in boxes, as intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._enclosure import Member, Place, corners_of, linear_ramp, mean
from ._interval import Array, Span, exp, gathered, known, pairs, sigmoid, total

_LEAST_SUM = 1e-300  # sum of levels above which a row is covered
_MOST_SOFT = 6


@dataclass
class Corners:
    """What rules do at the corners of boxes in whose soft dimensions all grades are linear."""

    soft: list[int]
    level: list[Span]  # of each corner [N, F]
    by: list[list[Span]]
    sums: list[Span]


class Bounds:
    """Rules of a member in N boxes: levels, shares, outputs and their derivatives."""

    def __init__(self, m: Member, places: list[Place], soft: int = -1, fires: Array | None = None) -> None:
        self.m, self.places = m, places
        r = m.levels(places)
        self.parts = m.parts
        live = np.ones(r.level.lo.shape, bool)
        if not m.logs:
            live = ~r.level.zero() | np.any([~b.zero() for b in r.by], axis=0)
        count = max(1, int(live.sum(axis=1).max()))
        self.fires = np.argsort(~live, axis=1, kind="stable")[:, :count] if fires is None else fires  # [N, F]
        self.level, self.by, self.parts = (
            gathered(r.level, self.fires),
            [gathered(b, self.fires) for b in r.by],
            [gathered(p, self.fires) for p in self.parts],
        )
        self.exact = np.all([np.ones(len(live), bool)] + [p.points.sum(axis=1) == 1 for p in places if p.points is not None], axis=0)
        self.mid: Bounds | None = None
        if fires is None:
            points = [Place(Span(p.z.mid()), p.z.mid()[:, None]) if p.points is None else p for p in places]
            self.mid = Bounds(m, points, fires=self.fires)
        self.corners = None if soft < 0 else self._at_corners([d for d in range(len(places)) if soft >> d & 1])
        self._shares()

    def _shares(self) -> None:
        m, n = self.m, len(self.fires)
        if m.logs:
            apart = self.log_pairs()  # l_s - l_r at [N, r, s]
            self.covered = (np.isfinite(apart.lo) & np.isfinite(apart.hi)).all(axis=(1, 2))
            ones = Span(np.ones(()))
            e = exp(apart)
            own = np.eye(apart.lo.shape[1], dtype=bool)[None]
            e = Span(1.0).where(e, own)
            self.p = (ones / total(e, 2)).meet(Span(np.zeros(()), np.ones(())))
            self.sum = Span(np.full(n, np.nan))
            return
        natural = total(self.level, 1)
        self.sum = natural
        if self.mid is not None:
            v = self.mid.sum
            for d, place in enumerate(self.places):
                if place.points is None:
                    v = v + total(self.by[d], 1) * (place.z - place.z.mid())
            self.sum = self.sum.meet(known(v, self.exact))
        if getattr(self, "corners", None) is not None:
            s = Span(np.min([c.lo for c in self.corner_sums], axis=0), np.max([c.hi for c in self.corner_sums], axis=0))
            self.sum = self.sum.meet(s)
        self.covered = (self.sum.lo > _LEAST_SUM) & (self.sum.hi < np.inf)
        p = self.level / self.sum[:, None]
        fewest, most = natural.lo[:, None] - self.level.lo, natural.hi[:, None] - self.level.hi
        others = Span(np.maximum(0, np.nextafter(fewest, -np.inf)), np.nextafter(most, np.inf))
        one = Span(self.level.lo) / (Span(self.level.lo) + Span(others.hi))
        other = Span(self.level.hi) / (Span(self.level.hi) + Span(others.lo))
        share = Span(np.where(self.level.lo > 0, one.lo, 0.0), np.where(others.lo > 0, other.hi, 1.0)).clip(0.0, 1.0)
        positive = (self.level.lo >= 0).all(axis=1)[:, None]
        p = p.meet(share).where(p, positive)
        self.p = Span(0.0).where(p, self.level.zero())

    def log_pairs(self) -> Span:
        """Return l_s - l_r [N, r, s] of the logarithms of weights."""
        if not self.m.apart:
            v = pairs(self.level)
            if self.mid is not None:
                w = pairs(self.mid.level)
                for d, place in enumerate(self.places):
                    if place.points is None:
                        w = w + pairs(self.by[d]) * (place.z - place.z.mid())[:, None, None]
                v = v.meet(known(w, self.exact[:, None, None]))
            return v
        n, count = self.fires.shape
        v = Span(np.zeros((n, count, count)))
        for d, place in enumerate(self.places):
            if place.points is not None:
                of = self.m.category_logs(d)
                differ = of[None, :, :] - of[:, None, :]  # [r, s, K]
                part = Span(np.full(v.lo.shape, np.inf), np.full(v.lo.shape, -np.inf))
                for k in range(place.points.shape[1]):
                    at = place.points[:, k, None, None]
                    part = part.hull(differ[:, :, k]).where(part, at)
                v = v + part
                continue
            part = pairs(self.parts[d])
            if self.mid is not None:
                w = pairs(self.mid.parts[d]) + pairs(self.by[d]) * (place.z - place.z.mid())[:, None, None]
                part = part.meet(known(w, self.exact[:, None, None]))
            v = v + part
        return v

    def _at_corners(self, soft: list[int]) -> Corners:
        m = self.m
        shape = (len(self.fires), len(m.w))
        rest = Span(np.ones(self.fires.shape))
        edges: dict[int, list[Span]] = {}
        slopes: dict[int, Span] = {}
        for d, place in enumerate(self.places):
            for i in m.inputs[d]:
                g = m.grades(i, m.inside(i, d, place))
                if d not in soft:
                    rest = rest * gathered(g.v, self.fires, shape)
                else:
                    edges[d] = [gathered(m.grades(i, Span(e)).v, self.fires, shape) for e in (place.z.lo, place.z.hi)]
                    slopes[d] = gathered(g.d, self.fires, shape)
        corners = Corners(soft, [], [], [])
        for at in corners_of(len(soft)):
            level, by = rest, [rest] * len(soft)
            for k, d in enumerate(soft):
                level = level * edges[d][at[k]]
                by = [b * (slopes[d] if k == o else edges[d][at[k]]) for o, b in enumerate(by)]
            corners.level.append(level)
            corners.by.append(by)
        self.corner_sums = corners.sums = [total(level, 1) for level in corners.level]
        return corners

    def add_outputs(self) -> None:
        """Add the outputs of rules [C][N, F], their parts by dimensions at nodes, and their slopes."""
        m = self.m
        self.y: list[Span] = []
        self.at: list[list[Span]] = []
        self.slopes: list[list[Span]] = []
        for c in range(m.C):
            y = Span(m.w[self.fires, c, 0])
            at: list[Span] = []
            slopes: list[Span] = []
            for d, place in enumerate(self.places):
                if place.points is None:
                    part = m.output(c, self.fires, m.inputs[d][0], place.nodes)
                    slopes.append(m.slope(c, self.fires, m.inputs[d][0], place.z))
                else:
                    part = Span(np.zeros((*self.fires.shape, place.points.shape[1])))
                    for i in m.inputs[d]:
                        part = part + m.output(c, self.fires, i, np.broadcast_to(m.points[i], place.points.shape))
                    off = ~place.points[:, None, :]
                    part = Span(np.where(off, np.nan, part.lo), np.where(off, np.nan, part.hi))
                    slopes.append(Span(np.zeros(self.fires.shape)))
                at.append(part)
                y = y + ends(part)
            self.y.append(y)
            self.at.append(at)
            self.slopes.append(slopes)
        if self.mid is not None:
            self.mid.add_outputs()

    def differences(self, c: int, others: Array) -> Span:
        """Return output c of each rule less those at positions others [N, S]: [N, F, S]."""
        n = np.arange(len(self.fires))[:, None]
        bias = Span(self.m.w[self.fires, c, 0])
        v = bias[:, :, None] - bias[n, others][:, None, :]
        for part in self.at[c]:
            with np.errstate(invalid="ignore"):
                v = v + ends(part[:, :, None, :] - part[n, others][:, None, :, :])
        same = np.arange(self.fires.shape[1])[None, :, None] == others[:, None, :]
        return Span(0.0).where(v, same)

    def output(self, c: int, by: Sequence[Span] | None) -> Span:
        """Return output c: the mean of the rules, or in mean-value form."""
        f = mean(self.p, self.y[c])
        if by is None or self.mid is None:
            return f
        v = mean(self.mid.p, self.mid.y[c])
        for d, place in enumerate(self.places):
            if place.points is None:
                v = v + by[d] * (place.z - place.z.mid())
        return f.meet(known(v, self.exact))

    def bounds(self, c: int) -> tuple[Span, list[Span]]:
        """Return output c and its derivatives by the dimensions."""
        f = self.output(c, None)
        by = self._log_derivatives(c, f) if self.m.logs else self._derivatives(c, f)
        if self.corners is not None:
            v, of, ok = self._from_corners(c)
            f = f.meet(v).where(f, ok)
            by = [b.meet(o).where(b, ok) for b, o in zip(by, of)]
        return f.meet(self.output(c, by)), by

    def most(self) -> Array:
        """Return the position of the rule with the largest share, the first of equal ones."""
        share = self.p.mid()
        return (share >= share.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)[:, None]

    def _derivatives(self, c: int, f: Span) -> list[Span]:
        most = self.most()
        apart = self.differences(c, most)[:, :, 0]
        at = np.arange(len(most))[:, None]
        rest = (self.y[c][at, most][:, 0] - f).meet(-mean(self.p, apart))
        return [
            mean(self.p, s) + (total(b * apart, 1) + total(b, 1) * rest) / self.sum
            for s, b in zip(self.slopes[c], self.by)
        ]  # fmt: skip

    def _log_derivatives(self, c: int, f: Span) -> list[Span]:
        n, count = self.fires.shape
        apart = self.differences(c, np.broadcast_to(np.arange(count), (n, count)))
        rest = (self.y[c] - f[:, None]).meet(total(apart * self.p[:, None, :], 2))
        all_by = []
        for s, b in zip(self.slopes[c], self.by):
            k = np.nan_to_num((self.p.mid() * b.mid()).sum(axis=1), nan=0.0, posinf=0.0, neginf=0.0)
            all_by.append(mean(self.p, s + (b - k[:, None]) * rest))
        return all_by

    def _from_corners(self, c: int) -> tuple[Span, list[Span], Array]:
        k: Any = self.corners
        most = self.most()
        at = np.arange(len(most))[:, None]
        y, apart = Span(self.m.w[self.fires, c, 0]), Span(self.m.w[self.fires, c, 0])
        apart = apart - apart[at, most]
        base, ok, dead = Span(np.zeros(len(most))), self.sum.lo > 0, self.level.zero()
        for d, part in enumerate(self.at[c]):
            mine = part[at, most]
            if d in k.soft:
                same = (part.lo == mine.lo) & (part.hi == mine.hi) | np.isnan(part.lo)
                ok &= (same.all(axis=2) | dead).all(axis=1)
                base = base + ends(mine)[:, 0]
            else:
                y, apart = y + ends(part), apart + ends(part - mine)
        same = np.arange(self.fires.shape[1])[None] == most
        apart = Span(0.0).where(apart, same | dead)
        f: Any = None
        by: list[Any] = [None] * len(self.places)
        turns: list[Any] = [None] * len(k.soft)
        for corner, (level, sums) in enumerate(zip(k.level, k.sums)):
            p = Span(0.0).where(level / sums[:, None], dead)
            v = mean(p, y)
            f = v if f is None else f.hull(v)
            for d in range(len(self.places)):
                if d in k.soft:
                    one = k.by[corner][k.soft.index(d)]
                    v, turn = total(one * apart, 1), total(one, 1)
                    o = k.soft.index(d)
                    turns[o] = turn if turns[o] is None else turns[o].hull(turn)
                else:
                    v = mean(p, self.slopes[c][d])
                by[d] = v if by[d] is None else by[d].hull(v)
        rest = -mean(self.p, apart)
        for o, d in enumerate(k.soft):
            by[d] = self.slopes[c][d][at, most][:, 0] + (by[d] + turns[o] * rest) / self.sum
        return f + base, by, ok


def softness(m: Member, places: list[Place]) -> Array:
    """Return the soft dimensions of boxes, in which grades are not constant, as bits; -1: a grade is not linear, or they are too many."""
    n = len(places[0].z.lo)
    if m.logs or m.shape != "ramp" or m.norm != "product" or m.weight != "tsk" or m.loadings:
        return np.full(n, -1)
    r = m.levels(places)
    dead = r.level.zero() & np.all([b.zero() for b in r.by], axis=0)
    bits, straight = np.zeros(n, int), np.ones(n, bool)
    for d, place in enumerate(places):
        bends = np.zeros(dead.shape, int)
        for i in m.inputs[d]:
            g = m.grades(i, m.inside(i, d, place))
            constant = g.d.zero() & (g.v.hi - g.v.lo <= 4 * 2.0**-52) | dead
            bends += ~constant
            if place.points is None:
                a, b, c, e = (m.params[k][:, i] for k in "abcd")
                straight &= (constant | linear_ramp(a, b, c, e, place.z.lo[:, None], place.z.hi[:, None])).all(axis=1)
            else:
                straight &= constant.all(axis=1)
        straight &= (bends <= 1).all(axis=1)
        bits |= bends.any(axis=1).astype(int) << d
    few = np.array([bin(int(b)).count("1") <= _MOST_SOFT for b in bits])
    return np.where(straight & few, bits, -1)


def ends(v: Span) -> Span:
    """Return the hull over nodes, the last axis."""
    return Span(np.nanmin(v.lo, axis=-1), np.nanmax(v.hi, axis=-1))


def response(m: Member, targets: Sequence[Mapping[str, Any]], y: list[Span], by: list[list[Span]]) -> tuple[list[Span], list[list[Span]]]:
    """Return the response of a member to its outputs, with derivatives."""
    if m.link == "logit":
        p = sigmoid(y[0])
        a, b = sigmoid(Span(y[0].lo)), sigmoid(Span(y[0].hi))
        s = (a * (Span(1.0) - a)).hull(b * (Span(1.0) - b))
        s = Span(s.lo, np.where((y[0].lo <= 0) & (y[0].hi >= 0), 0.25, s.hi)).clip(0.0, 0.25)
        return [Span(1.0) - p, p], [[-(d * s) for d in by[0]], [d * s for d in by[0]]]
    if m.link == "softmax":
        return _softmax(y, by)
    if m.link == "log":
        v = exp(Span(np.minimum(y[0].lo, _MAX_LOG), np.minimum(y[0].hi, _MAX_LOG))) * targets[0]["mean"]
        s = v.where(v.hull(0.0), y[0].hi <= _MAX_LOG)
        f, of = [v], [[d * s for d in by[0]]]
    else:
        if m.link == "ordered":
            y, by = _sorted(y, by)
        f = [v * t["scale"] + t["mean"] for v, t in zip(y, targets)]
        of = [[d * t["scale"] for d in row] for row, t in zip(by, targets)]
    for j, t in enumerate(targets):
        limited, beyond = f[j].clip(t["low"], t["high"]), (f[j].hi <= t["low"]) | (f[j].lo >= t["high"])
        free = (limited.lo == f[j].lo) & (limited.hi == f[j].hi)
        of[j] = [Span(0.0).where(d.where(d.hull(0.0), free), beyond) for d in of[j]]
        f[j] = limited
    return f, of


_MAX_LOG = 18.0  # largest argument of the exponential in predictions of counts and costs


def _softmax(y: list[Span], by: list[list[Span]]) -> tuple[list[Span], list[list[Span]]]:
    p = []
    for c, one in enumerate(y):
        e = Span(1.0)
        for k, other in enumerate(y):
            if k != c:
                e = e + exp(other - one)
        p.append((Span(1.0) / e).clip(0.0, 1.0))
    share = Span(np.stack([v.lo for v in p], axis=1), np.stack([v.hi for v in p], axis=1))
    of = []
    for c in range(len(y)):
        row = []
        for d in range(len(by[c])):
            apart = [by[c][d] - by[k][d] if k != c else Span(np.zeros_like(by[c][d].lo)) for k in range(len(y))]
            row.append(p[c] * mean(share, Span(np.stack([a.lo for a in apart], axis=1), np.stack([a.hi for a in apart], axis=1))))
        of.append(row)
    return p, of


def _sorted(y: list[Span], by: list[list[Span]]) -> tuple[list[Span], list[list[Span]]]:
    lo, hi = np.sort([v.lo for v in y], axis=0), np.sort([v.hi for v in y], axis=0)
    f = [Span(a, b) for a, b in zip(lo, hi)]
    of: list[list[Span]] = []
    for at in f:
        row: Any = None
        for v, d in zip(y, by):
            may = ~((v.lo > at.hi) | (v.hi < at.lo))
            this = [Span(np.where(may, e.lo, np.inf), np.where(may, e.hi, -np.inf)) for e in d]
            row = this if row is None else [a.hull(b) for a, b in zip(row, this)]
        of.append(row)
    return f, of


__all__ = ["Bounds", "ends", "response", "softness"]
