"""Grades of membership functions on intervals, after the formulas of docs/shapes.md and of the model file."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._interval import Dual, Span, apply, dual, exp, expm1, largest, least, log, log1p, relu

Shape = Callable[[Dual, Mapping[str, Any]], Dual]


def _log_logistic(u: Dual) -> Dual:
    n = relu(-u)
    return -(n + apply("log", 1.0 + apply("exp", -(u + 2.0 * n))))


def _gaussian(x: Dual, p: Mapping[str, Any]) -> Dual:
    return -0.5 * apply("square", (x - p["c"]) / p["sigma"])


def _gauss2(x: Dual, p: Mapping[str, Any]) -> Dual:
    left, right = relu((p["c1"] - x) / p["sig1"]), relu((x - p["c2"]) / p["sig2"])
    return -0.5 * (apply("square", left) + apply("square", right))


def _gbell(x: Dual, p: Mapping[str, Any]) -> Dual:
    z = largest(apply("abs", (x - p["c"]) / p["a"]), 1e-300)
    return _log_logistic(dual(Span(-2.0) * Span(p["b"])) * apply("log", z))


def _laplace(x: Dual, p: Mapping[str, Any]) -> Dual:
    return -apply("abs", (x - p["c"]) / p["s"])


def _cauchy(x: Dual, p: Mapping[str, Any]) -> Dual:
    return -apply("log", 1.0 + apply("square", (x - p["c"]) / p["s"]))


def _sigmoid(x: Dual, p: Mapping[str, Any]) -> Dual:
    return _log_logistic((x - p["low"]) / p["rise"]) + _log_logistic((p["high"] - x) / p["fall"])


def _sigmoids(x: Dual, p: Mapping[str, Any]) -> tuple[Dual, Dual]:
    return p["a1"] * (x - p["c1"]), p["a2"] * (x - p["c2"])


def _psigmoid(x: Dual, p: Mapping[str, Any]) -> Dual:
    one, other = _sigmoids(x, p)
    return _log_logistic(one) + _log_logistic(other)


def _dsigmoid(x: Dual, p: Mapping[str, Any]) -> Dual:
    one, other = _sigmoids(x, p)
    s = [apply("sigmoid", u) for u in (one, -one, other, -other)]
    return apply("abs", apply("tanh", 0.5 * (one - other))) * (s[0] * s[3] + s[1] * s[2])


def _trapezoid(x: Dual, p: Mapping[str, Any]) -> Dual:
    c = p["c"] if "d" in p else p["b"]
    d = p["d"] if "d" in p else p["c"]
    left = relu((p["b"] - x) / (dual(p["b"]) - p["a"]))
    right = relu((x - c) / (dual(d) - c))
    return relu(1.0 - left - right)


def _pi(x: Dual, p: Mapping[str, Any]) -> Dual:
    u = _trapezoid(x, p)
    return 2.0 * apply("square", u) - 4.0 * apply("square", relu(u - 0.5))


def _rise(x: Dual, low: Any, high: Any) -> Dual:
    step = low == high
    width = dual((Span(high) - Span(low)).where(1.0, ~step))
    straight = least(relu(x - low) / width, 1.0)
    above, below = x.v.lo > low, x.v.hi <= low
    crisp = Span(np.where(above, 1.0, 0.0), np.where(below, 0.0, 1.0))
    jump = Span(np.where(above | below, 0.0, -np.inf), np.where(above | below, 0.0, np.inf))
    return Dual(crisp.where(straight.v, step), jump.where(straight.d, step), x.precision.unit and _rise_error(x, low, high))


def _rise_error(x: Dual, low: Any, high: Any) -> Any:
    """Return the errors of rises; steps are decided as in real numbers."""
    unit, ends, wide = x.precision.unit, x.precision.of(low) + x.precision.of(high), high - low
    less = wide - ends - unit * wide
    off = np.where(less < wide / 2, 1.0, np.minimum(1.0, 1.01 * (x.off + 2 * ends + 3 * unit * wide) / less))
    return np.where((wide == 0) | (x.v.hi + x.off + ends <= low) | (x.v.lo - x.off - ends >= high), 0.0, off)


def _ramp(x: Dual, p: Mapping[str, Any]) -> Dual:
    up, down = _rise(x, p["a"], p["b"]), _rise(x, p["c"], p["d"])
    grade = up * (1.0 - down)
    off = up.off + down.off
    grade.off = np.minimum(1.0, np.where(off > 0, off + 2 * x.precision.unit, 0.0))
    return grade


def exponential(logarithm: Shape) -> Shape:
    """Return the shape of a logarithm."""
    return lambda x, p: apply("exp", logarithm(x, p))


LOGARITHMS: dict[str, Shape] = {
    "gaussian": _gaussian,
    "gauss2": _gauss2,
    "gbell": _gbell,
    "laplace": _laplace,
    "cauchy": _cauchy,
    "sigmoid": _sigmoid,
    "psigmoid": _psigmoid,
}
GRADES: dict[str, Shape] = {"dsigmoid": _dsigmoid, "trapezoid": _trapezoid, "triangular": _trapezoid, "pi": _pi, "ramp": _ramp}


def formula(text: str) -> Shape:
    """Return the shape of an expression of a model file."""
    tree = ast.parse(text.replace("^", "**"), mode="eval").body

    def evaluate(node: Any, names: Mapping[str, Any]) -> Dual:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return dual(float(node.value))
        if isinstance(node, ast.Name):
            named: Dual = names[node.id]
            return named
        if isinstance(node, ast.UnaryOp):
            v = evaluate(node.operand, names)
            return -v if isinstance(node.op, ast.USub) else v
        if isinstance(node, ast.BinOp):
            x, y = evaluate(node.left, names), evaluate(node.right, names)
            return _BINARY[type(node.op)](x, y)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            of = [evaluate(a, names) for a in node.args]
            return _SEVERAL[node.func.id](*of) if node.func.id in _SEVERAL else apply(node.func.id, *of)
        raise ValueError(f"certificate: {text!r}: not an expression of shapes")

    constants = {"pi": dual(math.pi), "e": dual(math.e)}
    return lambda x, p: evaluate(tree, {**constants, "x": x, **{k: dual(v) for k, v in p.items()}})


def power(x: Dual, n: Dual) -> Dual:
    """Return x^n: for a whole number n the repeated product, else exp(n log x)."""
    k = float(n.v.lo.flat[0])
    if not np.all(n.v.lo == k) or not np.all(n.v.hi == k) or k != int(k) or abs(k) > 64:
        return apply("exp", n * apply("log", x))
    y = dual(1.0)
    for _ in range(abs(int(k)) // 2):
        y = y * apply("square", x)
    y = y * x if k % 2 else y
    return 1.0 / y if k < 0 else y


_BINARY: dict[type[ast.operator], Callable[[Dual, Dual], Dual]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: power,
}
_SEVERAL: dict[str, Callable[..., Dual]] = {"min": least, "max": largest, "clamp": lambda z, low, high: least(largest(z, low), high)}


def transformed(z: Span, of: Mapping[str, float], error: Any = 0.0) -> Dual:
    """Return the transform of Yeo and Johnson of z-scores, standardised and limited to 8, with its derivative."""
    ends = [_yeo_johnson(Span(end), of["lambda"]) for end in (z.lo, z.hi)]
    u = (Span(ends[0].lo, ends[1].hi) - of["mean"]) / of["sd"]
    slope = _slope(Span(z.lo), of["lambda"]).hull(_slope(Span(z.hi), of["lambda"]))
    slope = slope.hull(1.0).where(slope, (z.lo < 0) & (z.hi > 0)) / of["sd"]
    limited = u.clip(-8.0, 8.0)
    free = (limited.lo == u.lo) & (limited.hi == u.hi)
    slope = slope.where(slope.hull(0.0), free)
    return Dual(limited, slope, Dual.precision.unit and _power_error(z, of, limited, slope, error))


def _power_error(z: Span, of: Mapping[str, float], u: Span, slope: Span, error: Any) -> Any:
    """Return the errors of transforms of z-scores with errors."""
    p = Dual.precision
    exponent = np.where(z.hi > 0, of["lambda"], 0.0)
    exponent = np.where(z.lo < 0, np.maximum(exponent, 2 - of["lambda"]), exponent)
    size = np.log1p(z.size())
    off = size * np.maximum(1.0, np.exp(exponent * size)) * p.unit * (640 + size * (2 * abs(of["lambda"]) + 4)) + 3 * p.unit * abs(
        of["mean"]
    )
    off = 1.01 * (off / of["sd"] + slope.size() * error + 4 * p.unit * u.size() + p.least)
    return np.where(np.asarray(error) < 1e-3, off, np.inf)


def _yeo_johnson(z: Span, power: float) -> Span:
    def positive(z: Span, power: float) -> Span:
        z = z.clip(0.0, np.inf)
        return log1p(z) if power == 0 else expm1(log1p(z) * power) / power

    return positive(z, power).where(-positive(-z, 2 - power), z.lo >= 0)


def _slope(z: Span, power: float) -> Span:
    def positive(z: Span, power: float) -> Span:
        return exp(log(z.clip(0.0, np.inf) + 1.0) * (Span(power) - 1.0))

    return positive(z, power).where(positive(-z, 2 - power), z.lo >= 0)
