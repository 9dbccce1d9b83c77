"""Outputs of rules as responses: the link, limits, and what a row gets that no rule covers."""

from __future__ import annotations

import numpy as np

from ._form import Member
from ._node import Floats


def unlimited(member: Member, y: Floats, max_log: float) -> Floats:
    """Return the responses [J, ...] to outputs y [C, ...] of rules, without limits."""
    if member.link == "logit":
        return np.stack([_sigmoid(-y[0]), _sigmoid(y[0])])
    if member.link == "softmax":
        shares: Floats = np.exp(y - y.max(axis=0))
        shares /= shares.sum(axis=0)
        return shares
    mean, scale = (member.targets[:, i].reshape((-1,) + (1,) * (y.ndim - 1)) for i in (0, 1))
    if member.link == "log":
        return np.asarray(mean * np.exp(np.minimum(y, max_log)))
    if member.link == "ordered":
        y = np.sort(y, axis=0)
    return np.asarray(mean + scale * y)


def respond(member: Member, y: Floats, max_log: float) -> Floats:
    """Return the responses [J, B] to outputs y [C, B], NaN in rows that no rule covers, within limits."""
    response = unlimited(member, y, max_log)
    covered = np.isfinite(y).all(axis=0) & np.isfinite(response).all(axis=0)
    if len(member.targets):
        np.maximum(member.targets[:, 2:3], np.minimum(member.targets[:, 3:], response, out=response), out=response)
    if not covered.all():
        np.copyto(response, member.uncovered[:, np.newaxis], where=~covered)
    return response


def _sigmoid(x: Floats) -> Floats:
    far = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, far, 1.0) / (1.0 + far))
