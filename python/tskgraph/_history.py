"""Figures of the iterations of a training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def figures_of(lines: Sequence[Mapping[str, Any]], key: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the iterations that have a figure, and the figures."""
    found = [(line["iteration"], line[key]) for line in lines if isinstance(line.get(key), (int, float))]
    pairs = np.array(found, dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def running_mean(y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the running mean of a fiftieth of the values."""
    width = min(len(y), max(1, len(y) // 50))
    if width < 2:
        return y
    ones = np.ones(width)
    return np.asarray(np.convolve(y, ones, "same") / np.convolve(np.ones(len(y)), ones, "same"))
