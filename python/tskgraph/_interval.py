"""Interval arithmetic with outward rounding on arrays, and derivatives by one variable."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, ClassVar, NamedTuple

import numpy as np

Array = Any
_FUNCTIONS = 2.0**-48  # relative error of functions, more than that of any library
_TINY = 2.0**-1022


class Span:
    """Intervals of real numbers from lo to hi, one for each element of two arrays.

    Sums, differences, products and quotients are rounded to the next number outwards, but for a sum that is zero and a product with zero,
    which are exact.
    """

    __slots__ = ("hi", "lo")
    __array_ufunc__ = None

    def __init__(self, lo: Array, hi: Array | None = None) -> None:
        self.lo = np.asarray(lo, dtype=float)
        self.hi = self.lo if hi is None else np.asarray(hi, dtype=float)

    def __add__(self, other: Span | float) -> Span:
        o = _span(other)
        lo, hi = self.lo + o.lo, self.hi + o.hi
        return Span(np.where(lo == 0, lo, np.nextafter(lo, -np.inf)), np.where(hi == 0, hi, np.nextafter(hi, np.inf)))

    def __neg__(self) -> Span:
        return Span(-self.hi, -self.lo)

    def __sub__(self, other: Span | float) -> Span:
        return self + -_span(other)

    def __mul__(self, other: Span | float) -> Span:
        o = _span(other)
        none = ((self.lo == 0) & (self.hi == 0)) | ((o.lo == 0) & (o.hi == 0))
        products = [np.where((a == 0) | (b == 0), 0.0, a * b) for a in (self.lo, self.hi) for b in (o.lo, o.hi)]
        lo, hi = reduce(np.minimum, products), reduce(np.maximum, products)
        return Span(np.where(none, 0.0, np.nextafter(lo, -np.inf)), np.where(none, 0.0, np.nextafter(hi, np.inf)))

    def __truediv__(self, other: Span | float) -> Span:
        o = _span(other)
        none, odd = (self.lo == 0) & (self.hi == 0), ~((o.lo > 0) | (o.hi < 0))
        quotients = [a / b for a in (self.lo, self.hi) for b in (o.lo, o.hi)]
        lo, hi = reduce(np.minimum, quotients), reduce(np.maximum, quotients)
        lo, hi = np.where(none, 0.0, np.nextafter(lo, -np.inf)), np.where(none, 0.0, np.nextafter(hi, np.inf))
        return Span(np.where(odd, -np.inf, lo), np.where(odd, np.inf, hi))

    def __getitem__(self, at: Any) -> Span:
        return Span(self.lo[at], self.hi[at])

    def where(self, other: Span | float, mask: Array) -> Span:
        """Return these intervals where mask is true, the others elsewhere."""
        o = _span(other)
        return Span(np.where(mask, self.lo, o.lo), np.where(mask, self.hi, o.hi))

    def hull(self, other: Span | float) -> Span:
        """Return the least intervals with both."""
        o = _span(other)
        return Span(np.minimum(self.lo, o.lo), np.maximum(self.hi, o.hi))

    def meet(self, other: Span) -> Span:
        """Return the common part of intervals that hold the same value; an end that is not a number gives way."""
        return Span(np.fmax(self.lo, other.lo), np.fmin(self.hi, other.hi))

    def clip(self, low: Array, high: Array) -> Span:
        """Return the values limited to a range."""
        return Span(np.clip(self.lo, low, high), np.clip(self.hi, low, high))

    def size(self) -> Array:
        """Return the largest absolute values."""
        return np.maximum(np.abs(self.lo), np.abs(self.hi))

    def mid(self) -> Array:
        """Return the middles."""
        return self.lo + 0.5 * (self.hi - self.lo)

    def zero(self) -> Array:
        """Return which intervals are zero."""
        return (self.lo == 0) & (self.hi == 0)

    def ends(self, axis: int) -> Span:
        """Return the hull along an axis."""
        return Span(self.lo.min(axis=axis), self.hi.max(axis=axis))


def gathered(v: Span, at: Array, shape: tuple[int, ...] | None = None) -> Span:
    """Return the intervals at indices along the second axis, of arrays that are made of a shape."""
    lo, hi = (e if shape is None else np.broadcast_to(e, shape) for e in (v.lo, v.hi))
    return Span(np.take_along_axis(lo, at, 1), np.take_along_axis(hi, at, 1))


def pairs(v: Span) -> Span:
    """Return v_s - v_r [N, r, s]."""
    return v[:, None, :] - v[:, :, None]


def known(v: Span, where: Array) -> Span:
    """Return the intervals where they hold, and elsewhere nothing that narrows others."""
    return Span(np.where(where, v.lo, np.nan), np.where(where, v.hi, np.nan))


def _span(v: Span | float) -> Span:
    return v if isinstance(v, Span) else Span(v)


def total(v: Span, axis: int) -> Span:
    """Return the sums along an axis; the error of a sum of n numbers is at most n units of the sum of their absolute values."""
    n = v.lo.shape[axis]
    lo, hi = v.lo.sum(axis=axis), v.hi.sum(axis=axis)
    slack = (n + 1) * 2.0**-52
    return Span(lo - slack * np.abs(v.lo).sum(axis=axis), hi + slack * np.abs(v.hi).sum(axis=axis))


def _rising(f: Callable[[Array], Array], low: float = -np.inf, high: float = np.inf) -> Callable[[Span], Span]:
    def apply(x: Span) -> Span:
        lo, hi = f(x.lo), f(x.hi)
        lo, hi = lo - (np.abs(lo) * _FUNCTIONS + _TINY), hi + (np.abs(hi) * _FUNCTIONS + _TINY)
        return Span(np.maximum(lo, low), np.minimum(hi, high))

    return apply


def _logistic(x: Array) -> Array:
    far = np.exp(-np.abs(x))
    return np.where(x < 0, far, 1.0) / (1 + far)


exp = _rising(np.exp, low=0.0)
expm1 = _rising(np.expm1)
log1p = _rising(np.log1p)
log = _rising(lambda x: np.log(np.maximum(x, 0)))
sqrt = _rising(lambda x: np.sqrt(np.maximum(x, 0)), low=0.0)
_logistics = _rising(_logistic, 0.0, 1.0)
_tanh = _rising(np.tanh, -1.0, 1.0)


def sigmoid(x: Span) -> Span:
    """Return logistic functions, of which those near one are close to one."""
    return _logistics(x).meet(Span(1.0) - _logistics(-x))


def tanh(x: Span) -> Span:
    """Return hyperbolic tangents, of which those near one are close to one."""
    return _tanh(x).meet(Span(1.0) - _logistics(x * -2.0) * 2.0)


def square(x: Span) -> Span:
    """Return squares."""
    a, b = x.lo * x.lo, x.hi * x.hi
    lo = np.where((x.lo <= 0) & (x.hi >= 0), 0.0, np.maximum(0.0, np.nextafter(np.minimum(a, b), -np.inf)))
    return Span(lo, np.nextafter(np.maximum(a, b), np.inf))


def cos(x: Span) -> Span:
    """Return cosines: in a range shorter than 3 those of its ends, and an extreme at each multiple of pi in it."""
    a, b = np.cos(x.lo), np.cos(x.hi)
    lo, hi = np.minimum(a, b) - _FUNCTIONS, np.maximum(a, b) + _FUNCTIONS
    first = np.floor(x.lo / np.pi - 1e-9) + 1
    inside = first <= np.floor(x.hi / np.pi + 1e-9)
    wide = ~(x.hi - x.lo < 3) | (np.abs(x.lo) > 1e6) | (first + 1 <= np.floor(x.hi / np.pi + 1e-9))
    top, bottom = wide | inside & (first % 2 == 0), wide | inside & (first % 2 != 0)
    return Span(np.where(bottom, -1.0, np.maximum(lo, -1)), np.where(top, 1.0, np.minimum(hi, 1)))


class Precision(NamedTuple):
    """Numbers of some bits: an operation has a relative error of unit and, where it underflows, an absolute one of least."""

    bits: int
    unit: float
    least: float
    single: bool  # numbers of the model file, and z-scores, are rounded, too

    def of(self, v: Array) -> Array:
        """Return the errors of numbers of the model file."""
        return np.abs(v) * self.unit + self.least if self.single else 0.0

    def rounded(self, v: Span, off: Array) -> Array:
        """Return the errors of an operation with results v, computed with other errors."""
        if not self.unit:
            return 0.0
        return np.where(v.zero() & (off == 0), 0.0, off + self.unit * (v.size() + off) + self.least)


EXACT = Precision(0, 0.0, 0.0, single=False)
PRECISIONS = {64: Precision(64, 2.0**-53, 2.0**-1022, single=False), 32: Precision(32, 2.0**-24, 2.0**-126, single=True)}


class Dual:
    """Values and their derivatives by one variable, as intervals, and the largest errors of the values in numbers of a precision."""

    __slots__ = ("d", "off", "v")
    __array_ufunc__ = None  # so that an array minus one of these is ours to compute
    precision: ClassVar[Precision] = EXACT

    def __init__(self, v: Span | float, d: Span | float = 0.0, off: Array = 0.0) -> None:
        self.v, self.d = _span(v), _span(d)
        self.off = np.where(np.isnan(off), np.inf, off) if self.precision.unit else off  # zero times an infinity

    def __add__(self, o: Dual | float) -> Dual:
        o = dual(o)
        v = self.v + o.v
        return Dual(v, self.d + o.d, self.precision.rounded(v, self.off + o.off))

    def __sub__(self, o: Dual | float) -> Dual:
        return self + -dual(o)

    def __rsub__(self, o: float) -> Dual:
        return dual(o) - self

    def __neg__(self) -> Dual:
        return Dual(-self.v, -self.d, self.off)

    def __mul__(self, o: Dual | float) -> Dual:
        o = dual(o)
        v = self.v * o.v
        off = self.precision.unit and self.v.size() * o.off + o.v.size() * self.off + self.off * o.off
        return Dual(v, self.d * o.v + self.v * o.d, self.precision.rounded(v, off))

    def __truediv__(self, o: Dual | float) -> Dual:
        o = dual(o)
        q = self.v / o.v
        least = np.maximum(o.v.lo, -o.v.hi) - o.off
        off = self.precision.unit and np.where(least > 0, (self.off + q.size() * o.off) / least, np.inf)
        return Dual(q, (self.d - q * o.d) / o.v, self.precision.rounded(q, off))

    def __rtruediv__(self, o: float) -> Dual:
        return dual(o) / self

    __radd__, __rmul__ = __add__, __mul__


def dual(v: Dual | Span | float) -> Dual:
    """Return a value as one that does not depend on the variable."""
    return v if isinstance(v, Dual) else Dual(v, 0.0, Dual.precision.of(_span(v).size()))


def chosen(v: Span, first: Array, second: Array, x: Dual, y: Dual) -> Dual:
    """Return values with the derivative of x where first is true, of y where second is, of either elsewhere."""
    return Dual(v, x.d.where(y.d.where(x.d.hull(y.d), second), first), np.maximum(x.off, y.off))


def least(x: Dual | float, y: Dual | float) -> Dual:
    """Return the lesser values."""
    x, y = dual(x), dual(y)
    v = Span(np.minimum(x.v.lo, y.v.lo), np.minimum(x.v.hi, y.v.hi))
    return chosen(v, x.v.hi <= y.v.lo, y.v.hi <= x.v.lo, x, y)


def largest(x: Dual | float, y: Dual | float) -> Dual:
    """Return the larger values."""
    x, y = dual(x), dual(y)
    v = Span(np.maximum(x.v.lo, y.v.lo), np.maximum(x.v.hi, y.v.hi))
    return chosen(v, x.v.lo >= y.v.hi, y.v.lo >= x.v.hi, x, y)


def relu(x: Dual) -> Dual:
    """Return what is positive."""
    v = Span(np.maximum(x.v.lo, 0), np.maximum(x.v.hi, 0))
    y = chosen(v, (x.v.lo >= 0) & (x.v.hi > 0), x.v.hi <= 0, x, Dual(0.0))
    y.off = np.where(x.v.hi + x.off <= 0, 0.0, x.off)
    return y


def absolute(x: Dual) -> Dual:
    """Return absolute values."""
    a, b = np.abs(x.v.lo), np.abs(x.v.hi)
    v = Span(np.where((x.v.lo <= 0) & (x.v.hi >= 0), 0.0, np.minimum(a, b)), np.maximum(a, b))
    return chosen(v, x.v.lo >= 0, x.v.hi <= 0, x, -x)


def apply(name: str, x: Dual) -> Dual:
    """Return a function of formulas: exp, log, sqrt, tanh, sigmoid, cos, square, abs or relu."""
    if name in ("abs", "relu"):
        return absolute(x) if name == "abs" else relu(x)
    if name == "square":
        v = square(x.v)
        return Dual(v, x.v * x.d * 2.0, x.precision.rounded(v, x.precision.unit and x.off * (2 * x.v.size() + x.off)))
    v = {"exp": exp, "log": log, "sqrt": sqrt, "tanh": tanh, "sigmoid": sigmoid, "cos": cos}[name](x.v)
    quarter = Span(-np.pi / 2 * (1 + _FUNCTIONS), -np.pi / 2 * (1 - _FUNCTIONS))
    off = x.precision.unit and _error(name, x, v)
    if name in ("log", "sqrt"):
        return Dual(v, x.d / (v * 2.0 if name == "sqrt" else x.v), off)
    slope = {"exp": v, "tanh": Span(1.0) - square(v), "sigmoid": v * sigmoid(-x.v), "cos": -cos(x.v + quarter)}[name]
    return Dual(v, slope * x.d, off)


def _error(name: str, x: Dual, v: Span) -> Array:
    """Return the errors of a function with results v."""
    f, size = 32 * x.precision.unit, v.size()
    if name == "exp":
        return v.hi * np.expm1(x.off) * (1 + 2 * f) + f * v.hi + x.precision.least
    if name == "log":
        least = x.v.lo - x.off
        return np.where(least > 0, x.off / least * (1 + f) + f * size + x.precision.least, np.inf)
    if name == "sqrt":
        return np.fmin(np.sqrt(x.off), x.off / v.lo) * (1 + f) + f * size + x.precision.least
    return x.off / 4 + f * size + x.precision.least if name == "sigmoid" else x.off + f
