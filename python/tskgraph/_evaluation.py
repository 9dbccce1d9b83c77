"""What fit measures, as LightGBM and scikit-learn show it: the sets of eval_set as training goes on, and the race of settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._column import Column, numbers_of, of_codes
from ._table import Table


class Watched(NamedTuple):
    """A set to measure."""

    name: str  # of the user
    part: str  # for the program: train and validation are parts of the run
    table: Table | None  # None of a part of the run


def sets_of(
    eval_set: Any, eval_names: Sequence[str] | None, given: Table, read: Callable[[Any, Any, str], Table], *, validating: bool
) -> list[Watched]:
    """Return the sets of fit. The first that is not the training part is the validation part if validating.

    eval_set is a list of (X, y), or None; a pair that is what fit was given, features and targets, is the training part. read returns the
    table of a pair, which its third argument names in messages. Names are by default training and valid_0, valid_1, ..., by the place in
    the list. It is a ValueError if eval_set is no list of pairs, or there are not as many names, each once.
    """
    pairs = [eval_set] if isinstance(eval_set, tuple) and len(eval_set) == 2 else list(eval_set or ())
    if any(not isinstance(pair, (tuple, list)) or len(pair) != 2 for pair in pairs):
        raise ValueError("eval_set: want a list of pairs (X, y)")
    tables = [read(X, y, f"eval_set[{i}]") for i, (X, y) in enumerate(pairs)]
    own = [_equal(table, given) for table in tables]
    names = [f"valid_{i}" if not own[i] else "training" for i in range(len(pairs))] if eval_names is None else list(eval_names)
    if len(names) != len(pairs) or len(set(names)) < len(names):
        raise ValueError(f"eval_names: {names}: want a name of its own for each of the {len(pairs)} pairs of eval_set")
    sets = []
    for i, table in enumerate(tables):
        first = own[i] and True not in own[:i]
        part = "train" if first else "validation" if validating and not own[i] else f"set{i}"
        validating = validating and own[i]
        sets.append(Watched(names[i], part, None if first else table))
    return sets


def _equal(one: Table, other: Table) -> bool:
    """Report whether two tables of the same columns have the same rows."""
    return one.rows == other.rows and all(
        a.levels == b.levels and np.array_equal(a.values, b.values, equal_nan=a.levels is None) for a, b in zip(one.columns, other.columns)
    )


def like(table: Table, features: Table) -> Table:
    """Return the columns of a further table with the names and the kinds of those of the training."""
    return Table(tuple(map(_like, table.columns, features.columns)), table.rows)


def _like(column: Column, given: Column) -> Column:
    if given.levels is None:
        return Column(given.name, numbers_of(column))
    if column.levels is not None:
        return Column(given.name, column.values, column.levels)
    values, codes = np.unique(column.values, return_inverse=True)
    return of_codes(given.name, codes, values.tolist())


def curves_of(
    sets: Sequence[Watched], history: Sequence[Mapping[str, Any]]
) -> tuple[npt.NDArray[np.intp], dict[str, dict[str, list[float]]]]:
    """Return the iterations that measured the sets, and by set and metric the figures; NaN where one is not finite."""
    lines = [line for line in history if "watched" in line]
    metric = next((line.get("metric", "RMSE") for line in lines), "RMSE")
    figures = {one.name: {metric: [line["watched"].get(one.name, np.nan) for line in lines]} for one in sets}
    return np.array([line["iteration"] for line in lines], dtype=np.intp), figures


# Keys of an entry of the summary that are not parameters.
_FIGURES = ("rmse", "loss", "metric", "fidelity", "splits", "chosen", "failed")


def results_of(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the race in the summary of a run; without one it is an AttributeError.

    These are arrays of an entry for each setting, from which pandas makes a frame: ``params`` and ``param_NAME`` (None where a setting
    leaves it to the preset), ``mean_test_score`` (the negative of the metric over the held-out rows; NaN if it failed),
    ``rank_test_score``, ``metric``, ``n_splits`` (fewer than race_splits if the setting left the race early; then scores are of fewer
    rows), ``fidelity`` of the strongest rule read alone, and ``chosen``.
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
