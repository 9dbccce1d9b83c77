"""How far predictions in numbers of some bits may be from those of real numbers, in boxes: a running analysis of errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._bounds import Bounds
from ._enclosure import Member
from ._interval import EXACT, Array, Dual, Precision, Span, apply, least, relu

_SLACK = 1.01  # products of errors, and how bounds are rounded themselves
_FUNCTIONS = 32  # relative error of functions in units
_LEAST_SUM = 1e-300
_MAX_LOG = 18.0


def errors(
    b: Bounds, p: Precision, numbers: Sequence[Span], targets: Sequence[Mapping[str, float]], uncovered: Sequence[float]
) -> list[Array]:
    """Return the errors of the response of a member in boxes, whose z-scores lie in some intervals."""
    Dual.precision = p
    try:
        z, off = _inputs(b, p, numbers)
        level = _levels(b.m, z, off)
    finally:
        Dual.precision = EXACT
    shares, weights = _shares(b, p, level)
    y = []
    for c in range(b.m.C):
        v, _ = b.bounds(c)
        y.append((v, np.where(b.covered, _output(b, p, c, z, off, shares, weights), np.inf)))
    none = (b.level.zero().all(axis=1) & ~(level.off > 0).any(axis=1)) if not b.m.logs else np.zeros(len(b.fires), bool)
    return [np.where(none, p.of(u), e) for u, e in zip(uncovered, _respond(b.m, p, y, targets))]


def _inputs(b: Bounds, p: Precision, numbers: Sequence[Span]) -> tuple[list[Span], Array]:
    """Return the inputs of the rules, and their errors [N, M]: in 64 bits, z-scores are what they are."""
    m = b.m
    of = np.zeros((len(b.fires), len(numbers)))
    for i, (f, z) in enumerate(zip(m.features, numbers)):
        if p.single:
            of[:, i] = _SLACK * (p.unit * (2 * abs(f["mean"]) / f["sd"] + 6 * z.size()) + 3 * p.least * (1 + 1 / f["sd"]))
    if not m.loadings:
        return list(numbers), of
    sizes = np.stack([z.size() for z in numbers], axis=1)
    loadings = np.abs(np.array(m.loadings)).T  # [M, K]
    return [place.z for place in b.places], _SLACK * ((of + (len(numbers) + 2) * p.unit * sizes) @ loadings)


def _levels(m: Member, z: list[Span], off: Array) -> Dual:
    """Return the weights [N, R] of the rules before they are normalised, or their logarithms, with errors."""
    level = Dual(Span(np.full((len(off), len(m.w)), 0.0 if m.logs else 1.0)), 0.0, np.zeros((len(off), len(m.w))))
    for i in range(m.width):
        g = m.grades(i, z[i], off[:, i : i + 1])
        if m.norm == "minimum":
            joined = least(level, g)
        elif m.logs:
            joined = level + g
        else:
            joined = level * g if m.norm == "product" else relu(level + g - 1.0)
        flat = m.flat(i)
        level = Dual(level.v.where(joined.v, flat), 0.0, np.where(flat, level.off, joined.off))
    if m.apart or m.weight == "tsk":
        return level
    w = level if m.logs else apply("log", level)
    w = w / float(m.width) if m.weight == "htsk" else -apply("log", 1e-6 + relu(-w))
    return w if m.logs else apply("exp", w)


def _shares(b: Bounds, p: Precision, level: Dual) -> tuple[Array, Array]:
    """Return the errors [N, R] of the normalised levels, and the largest of these."""
    most = np.zeros(level.v.lo.shape)
    np.put_along_axis(most, b.fires, b.p.hi, 1)
    count, each = most.shape[1], np.broadcast_to(level.off, most.shape)
    if b.m.logs:
        # relative to the largest, whose error is common to all
        of = np.expm1(each + p.unit * (level.v.hi.max(axis=1, keepdims=True) - level.v.lo + _FUNCTIONS + count))
        return _SLACK * (most * (of + of.max(axis=1, keepdims=True)) + 2 * p.least), most
    total = each.sum(axis=1)
    total = total + (count + 1) * p.unit * (b.sum.hi + total)
    rest = (b.sum.lo - total)[:, None]
    of = _SLACK * ((each + most * total[:, None]) / rest + 2 * p.unit * most)
    return np.where(rest > _LEAST_SUM, np.where((each > 0) | (most > 0), of, 0.0), np.inf), most


def _output(b: Bounds, p: Precision, c: int, z: list[Span], off: Array, shares: Array, weights: Array) -> Array:
    """Return the error of an output: of the shares, of what rules say, and of the sum over the rules."""
    w = np.abs(b.m.w[:, c])
    by_rule = off @ w[:, 1:].T
    size = w[:, 0] + (np.stack([v.size() for v in z], axis=1) + off) @ w[:, 1:].T
    for i, k in enumerate(b.m.knots):
        if b.m.curves is not None and len(k):
            more, most = _curve(p, b.m, c, i, z[i], off[:, i])
            by_rule, size = by_rule + more, size + most
    by_rule = by_rule + (2 * b.m.width + 4) * p.unit * size + p.least
    leader = b.most()
    apart = size + b.y[c].size()[np.arange(len(leader))[:, None], leader]
    of = np.take_along_axis(apart, b.fires, 1)
    fires = ~b.level.zero() if not b.m.logs else np.ones(b.fires.shape, bool)
    np.put_along_axis(apart, b.fires, np.where(fires, b.differences(c, leader)[:, :, 0].size(), of), 1)
    live = (shares > 0) | (weights > 0)
    by_share = np.where(shares == 0, 0.0, np.where(shares < np.inf, shares * apart, np.inf)).sum(axis=1)  # infinite: perhaps no rule fires
    largest = np.where(live, size, 0.0).max(axis=1)
    return _SLACK * (by_share + np.where(live, by_rule, 0.0).max(axis=1)) + (2 * len(w) + 8) * p.unit * largest


def _curve(p: Precision, m: Member, c: int, i: int, z: Span, off: Array) -> tuple[Array, Array]:
    """Return the errors [N, R] of curves, and their largest values: of each piece that may be taken, and of taking a neighbour."""
    k = m.knots[i]
    first = sum(len(of) for of in m.knots[:i])
    curves: Any = m.curves
    values = curves[c][:, first : first + len(k)]
    near = off + np.max(p.of(k))
    most, steepest = np.zeros((len(off), len(values))), np.zeros((len(off), len(values)))
    for q, (low, high) in enumerate(zip(k[:-1], k[1:])):
        taken = ((z.hi + near >= low) | (q == 0)) & ((z.lo - near <= high) | (q + 2 == len(k)))
        rise, ends, wide = np.abs(values[:, q + 1] - values[:, q]), p.of(low) + p.of(high), high - low
        less = wide - ends - p.unit * wide
        share = np.minimum(1.0, (off + 2 * ends + 4 * p.unit * wide) / less) if less >= wide / 2 else np.full(len(off), np.inf)
        error = np.where(rise > 0, rise * share[:, None], 0.0) if less >= wide / 2 else np.full(most.shape, np.inf)
        most = np.where(taken[:, None], np.maximum(most, error), most)
        steepest = np.where(taken[:, None], np.maximum(steepest, rise / wide), steepest)
    size = np.abs(values).max(axis=1)
    return most + steepest * near[:, None] + 8 * p.unit * size, np.broadcast_to(size, most.shape)


def _respond(m: Member, p: Precision, y: list[tuple[Span, Array]], targets: Sequence[Mapping[str, float]]) -> list[Array]:
    """Return the errors of the response to outputs with errors."""
    f = _FUNCTIONS * p.unit
    worst = np.max([e for _, e in y], axis=0)
    widest = np.max([v.size() for v, _ in y], axis=0)
    if m.link in ("logit", "softmax"):
        e = np.minimum(1.0, _SLACK * worst / 2 + 4 * f + (m.C + 4) * p.unit * (1 + worst))
        return [e] * max(2, m.C)
    if m.link == "log":
        v, e = y[0]
        off = [abs(targets[0]["mean"]) * np.exp(np.minimum(v.hi, _MAX_LOG)) * (_SLACK * np.expm1(e) + f + 4 * p.unit) * (1 + f)]
    else:
        off = []
        for t, (v, error) in zip(targets, y):
            # each value of sorted outputs moves by no more than some output
            size, e = (widest, worst) if m.link == "ordered" else (v.size(), error)
            scale = abs(t["scale"])
            off.append(_SLACK * scale * e + 4 * p.unit * (abs(t["mean"]) + scale * (size + e)))
    return [np.maximum(e, max([float(p.of(v)) for v in (t["low"], t["high"]) if np.isfinite(v)] or [0.0])) for e, t in zip(off, targets)]


__all__ = ["errors"]
