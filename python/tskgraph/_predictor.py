"""Predictions of a form for rows of a table: the mean over its members, and intervals and sets around it."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._form import Calibration, Encoded, Form
from ._member import Booleans, Evaluator, Fired
from ._node import Floats
from ._table import Column, codes_of, numbers_of, table_of
from .errors import DataError, ModelError, SettingError


class Predictor:
    """A form, prepared for predictions."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self._evaluators = [Evaluator(form, member) for member in form.members]
        self._block = min(evaluator.block for evaluator in self._evaluators)

    def predict(self, X: Any) -> Floats:
        """Return the outputs [J, N] for rows; NaN in a row without a prediction."""
        rows = Rows(self.form, X)
        y = np.empty((len(self.form.outputs), rows.count))
        memories = [evaluator.memory(min(self._block, rows.count)) for evaluator in self._evaluators]
        with np.errstate(all="ignore"):
            for at, x in rows.blocks(self._block):
                mean = self._evaluators[0].predict(x, memories[0])
                for k, evaluator in enumerate(self._evaluators[1:], 2):
                    mean += (evaluator.predict(x, memories[k - 1]) - mean) / k
                y[:, at] = self._uncrossed(mean)
        return y

    def scales(self, X: Any, y: Floats) -> Floats | None:
        """Return what the intervals for outputs y [J, N] of rows are scaled by, [N]; None if they have one width."""
        spread = self.form.calibration.spread if self.form.calibration else None
        if spread is None:
            return None
        rows = Rows(self.form, X)
        log = np.full(rows.count, spread.level)
        for at, x in rows.blocks(self._block):
            for curve in spread.curves:
                v = y[0, at] if curve.feature < 0 else x[curve.feature]
                log[at] += np.interp(np.where(np.isnan(v), curve.missing, v), curve.knots, curve.values)
        return np.asarray(np.exp(log))

    def spread(self, X: Any) -> tuple[Floats, Floats]:
        """Return the outputs [J, N] of a committee, and their standard deviations over the members with the divisor K - 1."""
        if len(self._evaluators) == 1:
            raise ModelError("only a committee has a spread, and this is a single model: train with train.members (members=5)")
        rows = Rows(self.form, X)
        y, sd = (np.empty((len(self.form.outputs), rows.count)) for _ in range(2))
        memories = [evaluator.memory(min(self._block, rows.count)) for evaluator in self._evaluators]
        with np.errstate(all="ignore"):
            for at, x in rows.blocks(self._block):
                votes = np.stack([evaluator.predict(x, memory) for evaluator, memory in zip(self._evaluators, memories)])
                y[:, at] = self._uncrossed(votes.mean(axis=0))
                sd[:, at] = votes.std(axis=0, ddof=1)
        return y, sd

    def fire(self, X: Any) -> Fired:
        """Return what the rules of a single model do with rows: levels [N, R] and responses [N, R, J]."""
        if len(self._evaluators) > 1:
            raise ModelError("a committee has no rules of its own, only its members have: export one by --member, or train one model")
        rows, evaluator = Rows(self.form, X), self._evaluators[0]
        count = len(self.form.members[0].rules)
        fired = Fired(np.empty((rows.count, count)), np.empty((rows.count, count, len(self.form.outputs))))
        memory = evaluator.memory(min(self._block, rows.count))
        with np.errstate(all="ignore"):
            for at, x in rows.blocks(self._block):
                part = evaluator.fire(x, memory)
                fired.levels[at] = part.levels.T
                fired.says[at] = part.says.transpose(2, 1, 0)
        return fired

    def median(self) -> int:
        """Return the index of the quantile nearest to the median, the first of equally near ones."""
        return int(np.argmin([abs(output.level - 0.5) for output in self.form.outputs]))

    def _uncrossed(self, y: Floats) -> Floats:
        """Return quantiles [J, B] of a committee of which none is below the one before; other outputs as they are."""
        if self.form.kind != "quantiles" or len(self._evaluators) == 1:
            return y
        return np.asarray(np.maximum.accumulate(y, axis=0))


Values = npt.NDArray[Any]


class Rows:
    """Rows of a table with the columns that a form needs.

    Columns are found by name; those of an array are the columns of the training table, in its order. A column that is missing is a
    DataError; `table_of` and `numbers_of` raise theirs.
    """

    def __init__(self, form: Form, X: Any) -> None:
        table = table_of(X, names=form.order, needed={column.name for column in form.columns})
        given = {column.name: column for column in table.columns}
        self.count = table.rows
        self._columns: list[tuple[Encoded, Values]] = []  # numbers, or codes of levels
        for column in form.columns:
            if column.name not in given:
                raise DataError(_absent(column.name, [*given, *table.others]))
            self._columns.append((column, _values(column, given[column.name])))
        self._features = form.features

    def blocks(self, size: int) -> Iterator[tuple[slice, Floats]]:
        """Yield blocks of rows with their features [F, B], NaN where one is missing. The next block overwrites the features."""
        memory = np.empty((self._features, min(size, self.count)))
        for start in range(0, self.count, size):
            rows = slice(start, min(start + size, self.count))
            x = memory[:, : rows.stop - start]
            for column, values in self._columns:
                _encode(x[column.first : column.first + column.width], column, values[rows])
            yield rows, x


def _values(column: Encoded, given: Column) -> Values:
    """Return the numbers or the codes of a column that a table gives."""
    if column.encoding == "numeric":
        numbers = numbers_of(given)
        return np.where(np.isin(numbers, column.mark_numbers), np.nan, numbers) if len(column.mark_numbers) else numbers
    codes = codes_of(given, column.levels + column.mark_texts)
    return np.where(codes >= len(column.levels), -2, codes) if column.mark_texts else codes


def _encode(x: Floats, column: Encoded, values: Values) -> None:
    """Write the features of a column to x [width, B]."""
    if column.encoding == "numeric":
        x[0] = values
        if column.width == 2:
            x[1] = np.where(np.isnan(values), np.nan, 0.0)
    elif column.encoding == "ordinal":
        x[0] = values + 1.0
        x[0, values < 0] = np.nan
    else:
        np.equal(values, np.arange(column.width)[:, np.newaxis], out=x, casting="unsafe")
        x[:, values == -2] = np.nan


def _absent(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), [n.lower() for n in names], 1)
    hint = next(
        (f"; did you mean {n!r} there?" for n in names if near and n.lower() == near[0]),
        f" (its columns: {', '.join(map(repr, names[:12]))})",
    )
    return f"the table has no column {name!r:.100}, which the model needs{hint}"


def threshold(form: Form, level: float, *, sets: bool, side: str = "both") -> float:
    """Return the largest score inside the intervals, or the sets, of a level.

    A level that is not between 0 and 1, or needs more calibration samples, is a SettingError; it is a ModelError if the model was not
    calibrated, classes have no intervals, or numbers no sets.
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
    sides = {"both": calibration.residuals, "lower": calibration.below, "upper": calibration.above}
    if side not in sides:
        raise SettingError(f"side is {side!r:.100}: must be both, lower or upper", "side")
    residuals = sides[side]
    if residuals is None:
        raise ModelError("the model was exported without the scores of bounds on one side: fit it again, or export it by this version")
    samples = calibration.samples
    rank = math.ceil((samples + 1) * level - 1e-9)  # 0.9 of 10 is 9, despite rounding
    if rank > samples:
        raise SettingError(
            f"level is {level}: needs at least {math.ceil(level / (1 - level) - 1e-9)} calibration samples; there were {samples}, "
            f"enough for levels up to {samples / (samples + 1):.4g}",
            "level",
        )
    return float(residuals[-(-rank * len(residuals) // samples) - 1])


def intervals(form: Form, y: Floats, score: float, *, scales: Floats | None = None, side: str = "both") -> Floats:
    """Return the bounds [2, N], of several targets [2, C, N], of a score for outputs y [J, N], within the ranges of the targets."""
    assert form.calibration is not None
    low, high = form.calibration.low[:, np.newaxis], form.calibration.high[:, np.newaxis]
    lower, upper = _unlimited(form, form.calibration, y, score if scales is None else score * scales)
    if side == "upper":
        lower = np.where(np.isnan(upper), np.nan, -np.inf)
    elif side == "lower":
        upper = np.where(np.isnan(lower), np.nan, np.inf)
    else:  # where it is empty, its middle
        middle, empty = lower + (upper - lower) / 2, upper < lower
        lower, upper = np.where(empty, middle, lower), np.where(empty, middle, upper)
    bounds: Floats = np.clip(np.stack([lower, upper]), low, high)
    return bounds if form.calibration.scales is not None else bounds[:, 0]


def _unlimited(form: Form, calibration: Calibration, y: Floats, score: float | Floats) -> Floats:
    """Return the bounds [2, C, N] without limits."""
    if form.kind == "quantiles":
        return np.stack([[y[0] - score], [y[-1] + score]])
    if calibration.scales is not None:
        half = score * calibration.scales[:, np.newaxis]
        return np.stack([y - half, y + half])
    half = score * _unit(calibration, y[0])
    low = y[0] - half
    if calibration.power:
        low = np.maximum(0.0, low)
    return np.stack([[low], [y[0] + half]])


def sets_of(y: Floats, score: float) -> Booleans:
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
    return mean**calibration.power
