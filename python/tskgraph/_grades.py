"""Grades of the membership functions of rules over the values of a column."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from ._form import Column, Form, Member
from ._formula import Compiled
from ._inputs import scale
from ._node import Floats
from .errors import ModelError


class Grades(NamedTuple):
    """Grades over the values of a column.

    Attributes
    ----------
    rules : list of int
        Numbers of the rules with a membership function of the column.
    grades : array [len(rules), G]
        Of the G values; of a column of levels the grades of its features, joined by the t-norm.
    """

    rules: list[int]
    grades: Floats


def grades_of(form: Form, member: Member, column: Column, values: Floats) -> Grades:
    """Return the grades of the values [G] of a column: numbers, or codes of levels.

    Raises
    ------
    ModelError
        If the inputs of the rules are principal components.
    """
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
