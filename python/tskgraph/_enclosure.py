"""What the rules of a model file do in boxes, as intervals."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._interval import Array, Dual, Span, apply, dual, gathered, log, relu, total
from ._membership import GRADES, LOGARITHMS, exponential, formula, transformed

_FLAT = 1e-15
_LEAST = 2.0**-1022  # level below which a rule has no weight


def mean(p: Span, v: Span) -> Span:
    """Return the means of values [N, R] by shares that sum to one: t + sum p (v - t) for any number t."""
    return Span(-_upper(p, -v.lo), _upper(p, v.hi))


def _upper(p: Span, v: Array) -> Array:
    live = ~p.zero()
    v = np.where(live, np.broadcast_to(v, live.shape), -np.inf)
    order = np.argsort(-v, axis=1, kind="stable")
    room = np.take_along_axis(np.where(live, p.hi - p.lo, 0.0), order, 1).cumsum(axis=1)
    left = 1 - np.where(live, p.lo, 0.0).sum(axis=1)
    at = np.minimum((room < left[:, None]).sum(axis=1), np.maximum(live.sum(axis=1) - 1, 0))
    t = np.take_along_axis(v, np.take_along_axis(order, at[:, None], 1), 1)
    more = np.where(live & (v != t), np.nextafter(v - t, np.inf), 0.0)
    share = Span(np.where(live, p.lo, 0.0), np.where(live, p.hi, 0.0))
    most = (share * Span(more)).hi
    return (total(Span(most), 1) + Span(t[:, 0])).hi


@dataclass
class Place:
    """Where a dimension is in N boxes: numbers, or points of a category as a mask [N, K]."""

    z: Span
    nodes: Array | None  # [N, Q] ends, and knots between them
    points: Any = None


@dataclass
class Rules:
    """What rules do in N boxes; R are those that fire in some box."""

    level: Span
    by: list[Span]  # of each dimension [N, R], derivatives of levels or of their logarithms
    sum: Span = field(default_factory=lambda: Span(0.0))
    covered: Array = None
    p: Span = field(default_factory=lambda: Span(0.0))


class Member:
    """The rules of one model, read from the content of a model file."""

    def __init__(self, content: Mapping[str, Any], domain: Sequence[Mapping[str, Any]]) -> None:
        used = [k for k, f in enumerate(content["features"]) if not f.get("constant")]
        self.features = [content["features"][k] for k in used]
        names, owners = [c["name"] for c in domain], []
        for c in content["schema"]["columns"]:
            own = bool(c.get("missing")) and c["encoding"] == "numeric"
            owners += [(c["name"], k) for k in range(len(c["levels"]) if c["encoding"] == "onehot" else 1 + own)]
        self.column = [names.index(owners[k][0]) for k in used]
        self.beside = ["range" in domain[c] and owners[k][1] > 0 for c, k in zip(self.column, used)]  # whether a number is missing
        self.points = [
            np.array([(1.0 - f["mean"]) / f["sd"], (0.0 - f["mean"]) / f["sd"]]) if beside else self._points(f, domain[c], owners[k][1])
            for f, c, k, beside in zip(self.features, self.column, used, self.beside)
        ]
        self.loadings = [c["loadings"] for c in content.get("components", [])]
        width = len(self.loadings) or len(used)
        if self.loadings:
            self.inputs, self.columns, self.category = [[k] for k in range(width)], [-1] * width, [False] * width
        else:
            dims = list(zip(self.column, self.beside))
            self.columns = [c for c, _ in dict.fromkeys(dims)]
            self.inputs = [[i for i, d in enumerate(dims) if d == of] for of in dict.fromkeys(dims)]
            self.category = ["range" not in domain[c] or beside for c, beside in dict.fromkeys(dims)]
        self._read(content, width)

    @staticmethod
    def _points(f: Mapping[str, Any], column: Mapping[str, Any], k: int) -> Array:
        levels = column.get("levels", [])
        z = [((1.0 if p == k else 0.0) - f["mean"]) / f["sd"] for p in range(len(levels) + bool(column.get("unseen")))]
        return np.array(z + [0.0] * bool(column.get("missing")))  # a missing cell is the mean

    def _read(self, content: Mapping[str, Any], width: int) -> None:
        self.shape, self.norm = content["membership"], content.get("tnorm", "product")
        own = content.get("formula")
        grade = formula(own["expr"]) if own else GRADES.get(self.shape)
        logarithm = (formula(own["log_expr"]) if own.get("log_expr") else None) if own else LOGARITHMS.get(self.shape)
        self.logs = logarithm is not None and self.norm in ("product", "minimum")
        if grade is None and logarithm is not None:
            grade = exponential(logarithm)
        self.grade: Any = logarithm if self.logs else grade
        self.weight = content.get("defuzzification", "tsk")
        self.apart = self.logs and self.norm == "product" and self.weight in ("tsk", "htsk")
        self.width = width
        self.params = {name: np.array(rows) for name, rows in content["antecedents"].items()}  # [R, M]
        self.kinds = []  # of each input, its different conditions and which one each rule has
        for i in range(width):
            of, at = np.unique(np.stack([v[:, i] for v in self.params.values()]), axis=1, return_inverse=True)
            self.kinds.append((dict(zip(self.params, of)), np.ravel(at)))
        rows = np.array(content["consequents"])
        self.C = rows.shape[1] // (width + 1)
        self.w = rows.reshape(len(rows), self.C, width + 1)
        self.knots = [np.array(k) for k in content.get("knots", [])] or [np.array([])] * width
        curves = np.array(content["curves"]) if content.get("curves") else None
        if curves is not None:  # [C, R, Q]
            curves = curves.reshape(self.C, -1, curves.shape[1]) if len(curves) > self.C else curves[:, None, :].repeat(len(rows), 1)
        self.curves = curves
        response = content.get("response", {})
        self.link = response.get("link") or "identity"

    def input(self, i: int, z: Span, off: Any) -> Dual:
        """Return the input of conditions for that of formulas, which has errors."""
        of = None if self.loadings else self.features[i].get("power")
        return transformed(z, of, off) if of else Dual(z, 1.0, off)

    def grades(self, i: int, z: Span, off: Any = 0.0) -> Dual:
        """Return the grades [N, R] of conditions on an input, or their logarithms; of sums, those of the weight."""
        params, at = self.kinds[i]
        g = self.grade(self.input(i, z[:, None], off), params)
        g = g / float(self.width) if self.apart and self.weight == "htsk" else g
        shape, rules = (len(z.lo), int(at.max()) + 1), np.broadcast_to(at, (len(z.lo), len(at)))
        errors = gathered(Span(g.off), rules, shape).lo if Dual.precision.unit else 0.0
        return Dual(gathered(g.v, rules, shape), gathered(g.d, rules, shape), errors)

    def flat(self, i: int) -> Array:
        """Return which rules [R] have no condition on an input: a grade that is one far away, too, rounding aside."""
        params, at = self.kinds[i]
        g = self.grade(Dual(Span(np.array([[-1e6]]), np.array([[1e6]])), 1.0), params)
        of = (g.v - (0.0 if self.logs else 1.0)).size() + g.d.size()
        flat: Array = np.broadcast_to(of, (1, int(at.max()) + 1))[0, at] <= _FLAT
        return flat

    def places(self, lo: Array, hi: Array, points: Sequence[Array]) -> list[Place]:
        """Return where dimensions are in boxes: numbers from lo to hi [N, M], none if lo > hi, and points."""
        z = [self.numbers(i, lo, hi, points) for i in range(len(self.features))]
        if self.loadings:
            sums = []
            for loadings in self.loadings:
                u = Span(np.zeros(len(lo)))
                for one, weight in zip(z, loadings):
                    u = u + one * weight
                sums.append(u)
            return [Place(u, self._nodes(k, u)) for k, u in enumerate(sums)]
        places = []
        for inputs, category in zip(self.inputs, self.category):
            one, mask = z[inputs[0]], self._mask(inputs[0], lo, hi, points)
            places.append(Place(one, None, mask) if category else Place(one, self._nodes(inputs[0], one)))
        return places

    def numbers(self, i: int, lo: Array, hi: Array, points: Sequence[Array]) -> Span:
        """Return the z-scores of a feature in boxes."""
        f, c = self.features[i], self.column[i]
        numbers = (lo[:, c] <= hi[:, c]) & (not self.beside[i])
        z = Span(np.where(numbers, (lo[:, c] - f["mean"]) / f["sd"], np.inf), np.where(numbers, (hi[:, c] - f["mean"]) / f["sd"], -np.inf))
        if len(self.points[i]):
            of = np.where(self._mask(i, lo, hi, points), self.points[i], np.nan)
            with np.errstate(all="ignore"):
                z = Span(np.fmin(z.lo, np.fmin.reduce(of, axis=1)), np.fmax(z.hi, np.fmax.reduce(of, axis=1)))
        return z

    def _mask(self, i: int, lo: Array, hi: Array, points: Sequence[Array]) -> Array:
        """Return which points of its column a feature may be at; beside numbers, where these are missing and where they are known."""
        c = self.column[i]
        mask: Array = np.column_stack([points[c], lo[:, c] <= hi[:, c]]) if self.beside[i] else points[c]
        return mask

    def _nodes(self, i: int, z: Span) -> Array:
        knots = np.clip(self.knots[i][None, :], z.lo[:, None], z.hi[:, None])
        return np.concatenate([z.lo[:, None], knots, z.hi[:, None]], axis=1)

    def inside(self, i: int, d: int, place: Place) -> Span:
        """Return an input in boxes: of a category the hull of its points."""
        if not self.category[d]:
            return place.z
        of = np.where(place.points, self.points[i], np.nan)
        return Span(np.nanmin(of, axis=1), np.nanmax(of, axis=1))

    def levels(self, places: list[Place]) -> Rules:
        """Return the levels of the rules, or their logarithms, and their derivatives; of sums, without the parts of categories."""
        n, rules = len(places[0].z.lo), len(self.w)
        level = Span(np.full((n, rules), 0.0 if self.logs else 1.0))
        by = [Span(np.zeros((n, rules))) for _ in places]
        moving: set[int] = set()  # dimensions by which some derivative is not zero
        self.parts: list[Span] = [Span(np.zeros((n, rules))) for _ in places]
        for d, place in enumerate(places):
            for i in self.inputs[d]:
                if self.apart and self.category[d]:
                    continue
                g = self.grades(i, self.inside(i, d, place))
                if self.category[d]:
                    g = dual(g.v)
                if self.apart:
                    self.parts[d], by[d] = self.parts[d] + g.v, by[d] + g.d
                    continue
                if np.all((g.v.lo >= 1 - 1e-15) & (g.v.hi <= 1 + 1e-15) & g.d.zero()) and not self.logs and self.norm == "product":
                    continue  # no rule has a condition on it here: rounding aside, the grade is one
                left, right = _join(self.norm, self.logs, level, g.v)
                by = [b * left.d if o in moving else b for o, b in enumerate(by)]
                if not g.d.zero().all():
                    moving.add(d)
                    by[d] = by[d] + right.d * g.d
                level = left.v
        if self.apart:
            return Rules(level, by)
        return self._weighted(Rules(level, by))

    def _weighted(self, r: Rules) -> Rules:
        if self.weight == "tsk":
            return r
        z = Dual(r.level, 1.0) if self.logs else Dual(log(r.level), Span(1.0) / r.level)
        w = z / float(self.width) if self.weight == "htsk" else -apply("log", 1e-6 + relu(-z))
        if not self.logs:
            w = apply("exp", w)
            none, some = r.level.hi < _LEAST, r.level.lo < _LEAST
            w = Dual(w.v.hull(0.0).where(w.v, some), Span(-np.inf, np.inf).where(w.d, some))
            w = Dual(Span(0.0).where(w.v, none), Span(0.0).where(w.d, none))
        return Rules(w.v, [b * w.d for b in r.by])

    def output(self, c: int, r: Array, i: int, z: Array) -> Span:
        """Return what an input adds to output c of rules r [N, F] at numbers z [N, Q]: [N, F, Q]."""
        v = Span(self.w[r, c, i + 1][:, :, None]) * Span(z[:, None, :])
        k = self.knots[i]
        if self.curves is None or not len(k):
            return v
        first = sum(len(of) for of in self.knots[:i])
        q: Any = np.clip(np.searchsorted(k, z, side="right") - 1, 0, len(k) - 2)
        t = ((Span(z) - k[q]) / (Span(k[q + 1]) - k[q])).clip(0.0, 1.0)
        values = self.curves[c][r]  # [N, F, Q all]
        at = np.broadcast_to((first + q)[:, None, :], (*r.shape, q.shape[1]))
        low, high = np.take_along_axis(values, at, 2), np.take_along_axis(values, at + 1, 2)
        moved: Span = v + (Span(low) + t[:, None, :] * (Span(high) - low))
        return moved

    def slope(self, c: int, r: Array, i: int, z: Span) -> Span:
        """Return the slopes [N, F] of output c of rules r by an input in a range."""
        w = Span(self.w[r, c, i + 1])
        k = self.knots[i]
        if self.curves is None or not len(k):
            return w
        first = sum(len(of) for of in self.knots[:i])
        values = self.curves[c][r][:, :, first : first + len(k)]
        rise = (Span(values[:, :, 1:]) - values[:, :, :-1]) / (Span(k[1:]) - k[:-1])
        thin = (z.lo == z.hi)[:, None]
        lo, hi = z.lo[:, None], z.hi[:, None]
        meets = np.where(thin, (lo >= k[:-1]) & (lo <= k[1:]), (lo < k[1:]) & (hi > k[:-1]))[:, None, :]
        level = (lo < k[0]) | (hi > k[-1]) | thin
        slopes = Span(np.where(meets, rise.lo, np.inf).min(axis=2), np.where(meets, rise.hi, -np.inf).max(axis=2))
        moved: Span = w + slopes.hull(0.0).where(slopes, level)
        return moved

    def category_logs(self, d: int) -> Span:
        """Return the part of the logarithms [R, K] of a category at its points."""
        v = Span(np.zeros((len(self.points[self.inputs[d][0]]), len(self.w))))
        for i in self.inputs[d]:
            v = v + self.grades(i, Span(self.points[i])).v
        return Span(v.lo.T, v.hi.T)


def _join(norm: str, logs: bool, x: Span, y: Span) -> tuple[Dual, Dual]:
    """Return a t-norm of two levels, with its derivative by each."""
    if norm == "minimum":
        v = Span(np.minimum(x.lo, y.lo), np.minimum(x.hi, y.hi))
        first, second = x.hi <= y.lo, y.hi <= x.lo
        a = Span(np.where(second, 0.0, np.where(first, 1.0, 0.0)), np.where(second & ~first, 0.0, 1.0))
        b = Span(np.where(first, 0.0, np.where(second, 1.0, 0.0)), np.where(first, 0.0, 1.0))
        return Dual(v, a), Dual(v, b)
    if logs:
        return Dual(x + y, 1.0), Dual(x + y, 1.0)
    if norm == "product":
        return Dual(x * y, y), Dual(x * y, x)
    bounded = relu(Dual(x + y - 1.0, 1.0))
    return bounded, bounded


def linear_ramp(a: Array, b: Array, c: Array, d: Array, lo: Array, hi: Array) -> Array:
    """Return where ramps are linear in a range: no end of a flank lies within, and one flank at most is not constant."""
    bad, rises = np.zeros(np.broadcast(a, lo).shape, bool), np.zeros(np.broadcast(a, lo).shape, int)
    for low, high in ((a, b), (c, d)):
        bad |= (low > lo) & (low < hi) | (high > lo) & (high < hi) | (low == high) & (low == lo) & (hi > lo)
        rises += (low <= lo) & (hi <= high) & (low < high)
    return ~bad & (rises < 2)


def corners_of(count: int) -> list[tuple[int, ...]]:
    """Return the corners of a box of some dimensions: which end of each."""
    return list(itertools.product((0, 1), repeat=count))


__all__ = ["Member", "Place", "Rules", "corners_of", "linear_ramp", "mean"]
