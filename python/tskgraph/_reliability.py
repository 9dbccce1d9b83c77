"""Calibration of probabilities: predicted probabilities and observed shares in bins of similar ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._node import Floats

# Bins aimed at, and samples in each; as `tskgraph evaluate` has them.
_BINS, _IN_BIN = 10, 10


class Bins(NamedTuple):
    """Bins of samples in ascending order of the probability of an event.

    Attributes
    ----------
    samples : array [B]
    predicted : array [B]
        Mean probabilities.
    observed : array [B]
        Shares of the samples with the event.
    errors : array [B]
        Standard errors of the observed shares; zero where all samples or none have the event.
    """

    samples: npt.NDArray[np.intp]
    predicted: Floats
    observed: Floats
    errors: Floats

    @property
    def error(self) -> float:
        """The mean distance between predicted and observed, by samples: the expected calibration error."""
        return float(np.average(np.abs(self.predicted - self.observed), weights=self.samples))


def bins_of(probability: Floats, event: npt.NDArray[np.bool_]) -> Bins:
    """Divide samples, at least one, into bins of equal numbers: ten, fewer for fewer than 100 samples. Equal probabilities share a bin."""
    order = np.argsort(probability, kind="stable")
    p, hit, N = probability[order], event[order].astype(float), len(order)
    starts, ends = [0], []
    bins = max(1, min(_BINS, N // _IN_BIN))
    end = N / bins
    for n in range(1, N + 1):
        if n < N and (p[n] == p[n - 1] or n < end * (1 - 1e-12)):
            continue
        ends.append(n)
        bins -= 1
        if n < N:
            starts.append(n)
            end = n + (N - n) / max(1, min(bins, (N - n) // _IN_BIN))
    sizes = np.array(ends) - starts
    predicted, observed = np.add.reduceat(p, starts) / sizes, np.add.reduceat(hit, starts) / sizes
    return Bins(sizes, predicted, observed, np.sqrt(observed * (1 - observed) / sizes))
