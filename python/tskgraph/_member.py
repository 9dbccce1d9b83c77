"""A model of one rulebase in blocks of rows. The steps are those that the type Member of tskgraph's package export documents."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ._form import Encoded, Form, Member, Power
from ._formula import Compiled, sigmoid
from ._node import Floats, Ints
from .errors import ModelError

_CELLS = 1 << 15  # of an array of levels, so that some of them fit the cache of a processor
_MIN_BLOCK, _MAX_BLOCK = 256, 4096


class Fired(NamedTuple):
    """What each rule does with rows."""

    levels: Floats  # [R, B] normalised firing levels; zero in rows that no rule covers
    says: Floats  # [J, R, B] responses to each rule alone, without limits


class _Conditions(NamedTuple):
    """The k-th conditions of the rules that have so many."""

    inputs: Ints  # [G], or one if they are all of the same input
    grade: Compiled
    rules: int  # G


class Evaluator:
    """A member, prepared for blocks of rows.

    Rules are sorted by the number of their conditions, the most first: the k-th conditions are those of the first rules, and are
    evaluated together.
    """

    def __init__(self, form: Form, member: Member) -> None:
        self._form = form
        self._member = member
        self._order = np.array(sorted(range(len(member.rules)), key=lambda r: -len(member.rules[r].inputs)), dtype=np.intp)
        rules = [member.rules[r] for r in self._order]
        self._conditions: list[_Conditions] = []
        for k in range(len(rules[0].inputs)):
            having = [rule for rule in rules if len(rule.inputs) > k]
            inputs = np.array([rule.inputs[k] for rule in having], dtype=np.intp)
            parameters = np.array([rule.parameters[k] for rule in having])
            grade = Compiled(member.grade, 1, [parameters[:, p : p + 1] for p in range(member.parameters)])
            self._conditions.append(_Conditions(inputs[:1] if (inputs == inputs[0]).all() else inputs, grade, len(having)))
        self._join = Compiled(member.join, 2, [])
        self._weight = None if member.weight is None else Compiled(member.weight, 1, [])
        weights = np.array([rule.weights for rule in rules])  # [R, C, 1 + M], the bias first
        self._weights = np.concatenate([weights[..., 1:], weights[..., :1]], axis=2).transpose(1, 0, 2).reshape(-1, weights.shape[2])
        self._curves = None if member.curves is None else _own_curves(member, self._order)
        self.block = min(_MAX_BLOCK, max(_MIN_BLOCK, _CELLS // len(rules)))  # rows to evaluate at a time
        programs = [c.grade for c in self._conditions] + [self._join] + ([self._weight] if self._weight else [])
        self._arrays = 2 + max(p.registers for p in programs)

    def memory(self, rows: int) -> Floats:
        """Return memory for blocks of so many rows, which one thread uses at a time."""
        return np.empty((self._arrays, len(self._order), rows))

    def predict(self, x: Floats, memory: Floats) -> Floats:
        """Return the responses [J, B] to features x [F, B]; NaN in rows without a prediction."""
        u, z, finite = scale(self._member, x, self._form.power_limit)
        levels, covered = self._levels(u, memory)
        y = self._means(levels, self._says(z))
        if not covered.all():
            y[:, ~covered] = np.nan
        response = respond(self._member, y, self._form.max_log)
        if not finite.all():
            response[:, ~finite] = np.nan
        return response

    def fire(self, x: Floats, memory: Floats) -> Fired:
        """Return what each rule does with features x [F, B]; NaN in rows without a prediction."""
        u, z, finite = scale(self._member, x, self._form.power_limit)
        levels, covered = self._levels(u, memory)
        outputs = self._says(z)
        y = self._means(levels, outputs)
        said = unlimited(self._member, outputs, self._form.max_log)
        if self._member.link not in ("identity", "ordered"):
            said[:, ~np.isfinite(outputs).all(axis=0)] = np.nan
        answered = covered & np.isfinite(unlimited(self._member, y, self._form.max_log)).all(axis=0)
        fired = Fired(np.empty(levels.shape), np.empty(said.shape))
        fired.levels[self._order] = np.where(answered, levels, 0.0)
        fired.says[:, self._order] = said
        fired.levels[:, ~finite] = fired.says[..., ~finite] = np.nan
        return fired

    def _levels(self, u: Floats, memory: Floats) -> tuple[Floats, Booleans]:
        """Return the normalised levels [R, B], and whether rules cover each row."""
        buffers = memory[:, :, : u.shape[1]]
        levels, gathered, *registers = buffers
        levels[:] = 0.0 if self._member.log_space else 1.0
        for inputs, grade, rules in self._conditions:
            one = len(inputs) == 1
            x = u[inputs[0] : inputs[0] + 1] if one else np.take(u, inputs, axis=0, out=gathered[:rules], mode="clip")
            own = [register[:rules] for register in registers]
            grade.run([x], own, gathered[:rules])
            self._join.run([levels[:rules], gathered[:rules]], own, levels[:rules])
        self._weigh(levels, registers)
        if self._member.log_space:
            levels -= levels.max(axis=0)
            np.exp(levels, out=levels)
        total = levels.sum(axis=0)
        levels /= total
        return levels, (total > self._form.min_firing) & np.isfinite(total)

    def _weigh(self, levels: Floats, registers: list[Floats]) -> None:
        """Replace levels by the weights of the rules."""
        if self._weight is None:
            return
        if self._member.log_space:
            self._weight.run([levels], registers, levels)
            return
        tiny = levels < self._form.least_level
        np.log(levels, out=levels)
        self._weight.run([levels], registers, levels)
        np.exp(levels, out=levels)
        levels[tiny] = 0.0

    def _says(self, z: Floats) -> Floats:
        """Return the outputs [C, R, B] of the rules."""
        says: Floats = np.matmul(self._weights, z).reshape(self._member.outputs, len(self._order), -1)
        first = 0
        for m, knots in enumerate(self._member.knots):
            if self._curves is None or not len(knots):
                continue
            q = np.searchsorted(knots[1:-1], z[m], side="right")
            share = np.clip((z[m] - knots[q]) / (knots[q + 1] - knots[q]), 0.0, 1.0)
            values = self._curves[:, :, first : first + len(knots)]
            low = np.take(values, q, axis=2)
            says += low + share * (np.take(values, q + 1, axis=2) - low)
            first += len(knots)
        return says

    def _means(self, levels: Floats, says: Floats) -> Floats:
        """Return the means [C, B] of the outputs of the rules by their levels."""
        y: Floats = np.einsum("rb,crb->cb", levels, says)
        if not np.isfinite(y).all():  # a rule that does not fire says nothing, whatever it is
            y = np.where(levels == 0.0, 0.0, levels * says).sum(axis=1)
        return y


def _own_curves(member: Member, order: Ints) -> Floats:
    """Return the values [C, R or 1, knots] of curves."""
    assert member.curves is not None
    curves = member.curves.reshape(member.outputs, -1, member.curves.shape[1])
    return curves if curves.shape[1] == 1 else curves[:, order]


Booleans = npt.NDArray[np.bool_]

FARTHEST = 1e100  # z-score from which on a row has no prediction


def scale(member: Member, x: Floats, power_limit: float) -> tuple[Floats, Floats, Booleans]:
    """Return the inputs of IF and THEN parts for features x [F, B], NaN where one is missing.

    These are u [M, B] of the IF parts, z [M + 1, B] of the THEN parts with a row of ones, and near [B], which is false where a row has no
    prediction; its inputs are zero.
    """
    count, rows = len(member.features), x.shape[1]
    z = np.empty((count + 1, rows))
    scaled = z[:count]
    np.take(x, member.features, axis=0, out=scaled, mode="clip")
    scaled -= member.mean[:, np.newaxis]
    scaled /= member.sd[:, np.newaxis]
    for m, limits in member.limits.items():
        np.clip(scaled[m], *limits, out=scaled[m], where=~np.isinf(x[member.features[m]]))
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


def unlimited(member: Member, y: Floats, max_log: float) -> Floats:
    """Return the responses [J, ...] to outputs y [C, ...] of rules, without limits."""
    if member.link == "logit":
        return np.stack([sigmoid(-y[0]), sigmoid(y[0])])
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


class Grades(NamedTuple):
    """Grades over G values of a column, of the rules with a membership function of it."""

    rules: list[int]  # numbers, from 1
    grades: Floats  # [len(rules), G]; of a column of levels those of its features, joined by the t-norm


def grades_of(form: Form, member: Member, column: Encoded, values: Floats) -> Grades:
    """Return the grades of the values [G] of a column: numbers, or codes of levels. Principal components are a ModelError."""
    if member.components is not None:
        raise ModelError("the inputs of the rules are principal components: they have no membership functions over columns")
    features = np.zeros((max(one.first + one.width for one in form.columns), len(values)))
    at = slice(column.first, column.first + column.width)
    if column.encoding == "onehot":
        features[at] = values == np.arange(column.width)[:, np.newaxis]
    else:
        features[at] = values + (column.encoding == "ordinal")
    inputs, _, _ = scale(member, features, form.power_limit)
    own = [m for m, feature in enumerate(member.features) if column.first <= feature < column.first + column.width]
    join = Compiled(member.join, 2, [])
    rules, grades = [], []
    for number, rule in enumerate(member.rules, 1):
        each = [_run(Compiled(member.grade, 1, list(p)), inputs[m]) for m, p in zip(rule.inputs, rule.parameters) if m in own]
        if each:
            rules.append(number)
            joined = functools.reduce(lambda f, g: _run(join, f, g), each)
            grades.append(np.exp(joined) if member.log_space else joined)
    return Grades(rules, np.array(grades).reshape(len(rules), len(values)))


def _run(formula: Compiled, *variables: Floats) -> Floats:
    result = np.empty_like(variables[0])
    with np.errstate(all="ignore"):
        formula.run(list(variables), [np.empty_like(result) for _ in range(formula.registers)], result)
    return result
