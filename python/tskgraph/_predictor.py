"""Predictions of a form for rows of a table: the mean over its members."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._evaluate import Evaluator, Fired
from ._form import Form
from ._node import Floats
from ._rows import Rows
from .errors import ModelError


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

    def spread(self, X: Any) -> tuple[Floats, Floats]:
        """Return the outputs [J, N] of a committee, and their standard deviations over the members with the divisor K - 1.

        Raises
        ------
        ModelError
            If the model is not a committee.
        """
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
        """Return what the rules of a single model do with rows: levels [N, R] and responses [N, R, J].

        Raises
        ------
        ModelError
            If the model is a committee.
        """
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
