"""Split-conformal prediction intervals and sets, see the type Calibration of tskgraph's package model."""

from __future__ import annotations

import math

import numpy as np

from ._form import Calibration, Form
from ._inputs import Booleans
from ._node import Floats
from .errors import ModelError, SettingError


def threshold(form: Form, level: float, *, sets: bool) -> float:
    """Return the largest score inside the intervals, or the sets, of a level.

    Raises
    ------
    SettingError
        If the level is not between 0 and 1, or needs more calibration samples.
    ModelError
        If the model was not calibrated, classes have no intervals, or numbers no sets.
    """
    if sets != (form.kind == "classes"):
        raise ModelError(
            "numbers have prediction intervals, not sets: use predict_interval"
            if sets
            else "classes have prediction sets, not intervals: use predict_set"
        )
    if not 0 < level < 1:
        raise SettingError(f"level is {level}: must lie between 0 and 1, such as 0.9", "level")
    calibration = form.calibration
    if calibration is None:
        raise ModelError(
            "the model is not calibrated, so it has no prediction intervals and sets: fit with calibration, such as calibration=0.2"
        )
    samples = calibration.samples
    rank = math.ceil((samples + 1) * level - 1e-9)  # 0.9 of 10 is 9, despite rounding
    if rank > samples:
        raise SettingError(
            f"level is {level}: needs at least {math.ceil(level / (1 - level) - 1e-9)} calibration samples; there were {samples}, "
            f"enough for levels up to {samples / (samples + 1):.4g}",
            "level",
        )
    return float(calibration.residuals[-(-rank * len(calibration.residuals) // samples) - 1])


def intervals(form: Form, y: Floats, score: float) -> Floats:
    """Return the bounds [2, N], of several targets [2, C, N], of a score for outputs y [J, N]."""
    if form.kind == "quantiles":
        low, high = y[0] - score, y[-1] + score
        middle = low + (high - low) / 2
        empty = high < low
        return np.stack([np.where(empty, middle, low), np.where(empty, middle, high)])
    assert form.calibration is not None
    if form.calibration.scales is not None:
        half = score * form.calibration.scales[:, np.newaxis]
        return np.stack([y - half, y + half])
    half = score * _unit(form.calibration, y[0])
    low = y[0] - half
    if form.calibration.power:
        low = np.maximum(0.0, low)
    return np.stack([low, y[0] + half])


def sets(y: Floats, score: float) -> Booleans:
    """Return whether each class is in the set [K, N] of a score for probabilities y [K, N]; none in rows without a prediction."""
    within: Booleans = 1.0 - y <= score
    predicted = np.flatnonzero(~np.isnan(y[0]))
    within[y[:, predicted].argmax(axis=0), predicted] = True
    return within


def _unit(calibration: Calibration, y: Floats) -> Floats:
    """Return the unit of the residuals of predictions y [N]."""
    if not calibration.power:
        return np.ones(len(y))
    mean: Floats = np.maximum(y, calibration.minimum)
    return mean if calibration.power == 1 else np.sqrt(mean)
