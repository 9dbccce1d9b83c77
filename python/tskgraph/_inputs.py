"""Features of rows as inputs of the rules."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._form import Member, Power
from ._node import Floats

Booleans = npt.NDArray[np.bool_]

FARTHEST = 1e100  # z-score from which on a row has no prediction


def scale(member: Member, x: Floats, power_limit: float) -> tuple[Floats, Floats, Booleans]:
    """Return the inputs of IF and THEN parts for features x [F, B], NaN where one is missing.

    Returns
    -------
    u : array [M, B]
        Inputs of the IF parts.
    z : array [M + 1, B]
        Inputs of the THEN parts, and a row of ones.
    near : array [B]
        False where a row has no prediction; its inputs are zero.
    """
    count, rows = len(member.features), x.shape[1]
    z = np.empty((count + 1, rows))
    scaled = z[:count]
    np.take(x, member.features, axis=0, out=scaled, mode="clip")
    scaled -= member.mean[:, np.newaxis]
    scaled /= member.sd[:, np.newaxis]
    z[count] = 1.0
    near: Booleans = np.ones(rows, dtype=np.bool_)
    if not -FARTHEST < scaled.min(initial=0.0) <= scaled.max(initial=0.0) < FARTHEST:
        np.copyto(scaled, member.missing[:, np.newaxis], where=np.isnan(scaled))
        near = (np.abs(scaled) < FARTHEST).all(axis=0)
        scaled[:, ~near] = 0.0
    if member.components is not None:
        sums = np.ones((len(member.components) + 1, rows))
        np.matmul(member.components, scaled, out=sums[:-1])
        return sums[:-1], sums, near
    if not member.powers:
        return scaled, z, near
    u = scaled.copy()
    for m, power in member.powers.items():
        u[m] = _straighten(scaled[m], power, power_limit)
    return u, z, near


def _straighten(z: Floats, power: Power, limit: float) -> Floats:
    """Return the transform of Yeo and Johnson, standardised and limited."""
    size = np.log1p(np.abs(z))
    up, down = (np.expm1(k * size) / k if k else size for k in (power.shape, 2.0 - power.shape))
    straight: Floats = np.clip((np.where(z < 0, -down, up) - power.mean) / power.sd, -limit, limit)
    return straight
