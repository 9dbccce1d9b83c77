"""Boxes of the domain of a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._enclosure import Member
from ._interval import Array

Box = Any  # a tuple: least and largest numbers of the columns, none if the first is larger, and which points each may be


class BoxError(ValueError):
    """A box that does not belong where it is, by its number from 1."""

    def __init__(self, box: int, message: str) -> None:
        super().__init__(message)
        self.box = box


class Domain:
    """The columns of a certificate, and the steps of the crisp conditions on each."""

    def __init__(self, columns: list[dict[str, Any]], members: Sequence[Member]) -> None:
        self.columns, self.members = columns, members
        self.steps = [self._steps(c) for c in range(len(columns))]

    def _steps(self, c: int) -> list[float]:
        """Return the largest numbers in the range of a column below which a crisp condition holds."""
        if "range" not in self.columns[c]:
            return []
        found: set[float] = set()
        for m in self.members:
            if m.shape != "ramp" or m.loadings:
                continue
            for i, of in enumerate(m.column):
                f = m.features[i]
                if of != c or m.beside[i] or f.get("power"):
                    continue
                for low, high in (("a", "b"), ("c", "d")):
                    a, b = m.params[low][:, i], m.params[high][:, i]
                    for v in np.unique(a[(a == b) & (np.abs(a) < 1e150)]):
                        found.add(_last_up_to(float(v), f["mean"], f["sd"]))
        least, largest = self.columns[c]["range"]
        return sorted(x for x in found if least <= x < largest)

    def whole(self) -> Box:
        """Return the box of all rows."""
        lo, hi, points = [], [], []
        for c in self.columns:
            low, high = c.get("range", [1.0, 0.0])
            lo.append(low)
            hi.append(high)
            points.append(np.ones(len(c.get("levels", [])) + bool(c.get("unseen")) + bool(c.get("missing")), bool))
        return np.array(lo, float), np.array(hi, float), points

    def boxes(self, cover: Sequence[Mapping[str, Any]], whole: Box) -> tuple[Array, Array, list[Array]]:
        """Read the boxes of a cover, which must be the leaves of a bisection of a box."""
        full = self.whole()
        stack: list[Any] = []
        read: list[Any] = []
        for n, box in enumerate(cover):
            lo, hi, points = full[0].copy(), full[1].copy(), [p.copy() for p in full[2]]
            for c, low, high in box.get("n", []):
                if "range" not in self.columns[int(c)]:
                    raise BoxError(n + 1, "a column without numbers")
                lo[int(c)], hi[int(c)] = low, high
            for c, *of in box.get("p", []):
                points[c][:] = False
                points[c][of] = True
            read.append((lo, hi, points))
            if any(not lo[c] <= hi[c] and not points[c].any() for c in range(len(lo))):
                raise BoxError(n + 1, "an empty box")
            stack.append([box["d"], (lo, hi, points), n + 1])
            while len(stack) > 1 and stack[-1][0] == stack[-2][0]:
                joined = self._join(stack[-2][1], stack[-1][1])
                if joined is None:
                    raise BoxError(stack[-1][2], "does not continue what lies before it")
                stack[-2:] = [[stack[-2][0] - 1, joined, stack[-2][2]]]
        if len(stack) != 1 or stack[0][0] != 0 or not _same(stack[0][1], whole):
            raise BoxError(len(read), "the boxes do not cover the domain")
        points = [np.array([b[2][c] for b in read]) for c in range(len(self.columns))]
        return np.array([b[0] for b in read]), np.array([b[1] for b in read]), points

    def _join(self, a: Box, b: Box) -> Box | None:
        differ = [c for c in range(len(self.columns)) if a[0][c] != b[0][c] or a[1][c] != b[1][c] or (a[2][c] != b[2][c]).any()]
        if len(differ) != 1 or (a[2][differ[0]] & b[2][differ[0]]).any():
            return None
        c = differ[0]
        lo, hi, points = a[0].copy(), a[1].copy(), list(a[2])
        points[c] = a[2][c] | b[2][c]
        if not a[0][c] <= a[1][c]:
            lo[c], hi[c] = b[0][c], b[1][c]
        elif b[0][c] <= b[1][c]:
            end = a[1][c]
            if not ((b[0][c] == end and b[1][c] > end) or (end in self.steps[c] and b[0][c] == np.nextafter(end, np.inf))):
                return None
            hi[c] = b[1][c]
        return lo, hi, points

    def row(self, cells: Sequence[str], levels: Mapping[str, list[str]]) -> Box:
        """Return the box of a row of cells; levels are those of the columns of the model."""
        lo, hi, points = self.whole()
        for c, (of, cell) in enumerate(zip(self.columns, cells)):
            points[c][:] = False
            if of.get("missing") and cell == "":
                points[c][-1] = True
                lo[c], hi[c] = 1.0, 0.0
            elif "range" not in of:
                points[c][levels[of["name"]].index(cell) if cell in levels[of["name"]] else len(of["levels"])] = True
            else:
                v = float(levels[of["name"]].index(cell) + 1 if cell in levels[of["name"]] else cell)
                if not of["range"][0] <= v <= of["range"][1]:
                    raise BoxError(1, f"{of['name']} of a row is not in the domain")
                lo[c] = hi[c] = v
        return lo, hi, points


def _same(a: Box, b: Box) -> bool:
    return bool((a[0] == b[0]).all() and (a[1] == b[1]).all() and all((p == q).all() for p, q in zip(a[2], b[2])))


def _last_up_to(v: float, mean: float, sd: float) -> float:
    """Return the largest number whose z-score is at most v, by bisection of the numbers around it."""
    x, apart = mean + sd * v, (abs(mean) + sd * (1 + abs(v))) * 1e-9

    def rank(y: float) -> int:
        n: int = np.abs(np.array([y])).view(np.int64)[0]
        return -int(n) if y < 0 else int(n)

    def number(n: int) -> float:
        y = float(np.array([abs(n)]).view(np.float64)[0])
        return -y if n < 0 else y

    low, high = rank(x - apart), rank(x + apart)
    while high - low > 1:
        middle = low + (high - low) // 2
        low, high = (middle, high) if (number(middle) - mean) / sd <= v else (low, middle)
    return number(low)
