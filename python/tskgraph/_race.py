"""The race of settings, as scikit-learn shows a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

# Keys of an entry of the summary that are not parameters.
_FIGURES = ("rmse", "loss", "metric", "fidelity", "splits", "chosen", "failed")


def results_of(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the race in the summary of a run.

    Returns
    -------
    dict
        Arrays of an entry for each setting, from which pandas makes a frame: ``params`` and ``param_NAME`` (None where a setting leaves
        it to the preset), ``mean_test_score`` (the negative of the metric over the held-out rows; NaN if it failed), ``rank_test_score``,
        ``metric``, ``n_splits`` (fewer than race_splits if the setting left the race early; then scores are of fewer rows), ``fidelity``
        of the strongest rule read alone, and ``chosen``.

    Raises
    ------
    AttributeError
        If there was no race.
    """
    race = summary.get("race")
    if not race:
        raise AttributeError("race_: there was no race of settings (race=[]), or the estimator was loaded")
    params = [{name: value for name, value in one.items() if name not in _FIGURES} for one in race]
    names = list(dict.fromkeys(name for one in params for name in one))
    losses = np.array([_number(one.get("rmse", one.get("loss"))) for one in race])
    order = np.nan_to_num(losses, nan=np.inf)
    return {
        "params": params,
        **{f"param_{name}": np.array([one.get(name) for one in params] + [None], dtype=object)[:-1] for name in names},
        "mean_test_score": -losses,
        "rank_test_score": np.array([1 + int((order < loss).sum()) for loss in order]),
        "metric": np.array([one.get("metric", "RMSE") for one in race], dtype=object),
        "n_splits": np.array([one["splits"] for one in race]),
        "fidelity": np.array([_number(one.get("fidelity")) for one in race]),
        "chosen": np.array([bool(one.get("chosen")) for one in race]),
    }


def _number(value: Any) -> float:
    return np.nan if value is None else float(value)
