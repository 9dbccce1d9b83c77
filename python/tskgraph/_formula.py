"""Formulas as calls of NumPy's functions on arrays that are reused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ._form import Formula
from ._node import Floats

Operand = Union[Floats, float]


def _relu(x: Any, out: Any = None) -> Any:
    return np.maximum(x, 0.0, out=out)


def sigmoid(x: Any, out: Any = None) -> Any:
    """Return 1 / (1 + exp(-x)) without overflow."""
    far = np.exp(-np.abs(x))
    return np.divide(np.where(x < 0, far, 1.0), 1.0 + far, out=out)


_CALLS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "min": np.minimum, "max": np.maximum,
    "neg": np.negative, "square": np.square, "exp": np.exp, "log": np.log, "sqrt": np.sqrt, "abs": np.abs,
    "relu": _relu, "tanh": np.tanh, "cos": np.cos, "sigmoid": sigmoid,
}  # fmt: skip

# A reciprocal of which no digit is lost lies between these.
_LEAST, _MOST = 1e-300, 1e300


class Compiled:
    """A formula of some variables, its first arguments; the others are known, and broadcast with the variables.

    Steps of known values are computed once. The others write to registers, as few as their results need; the last step writes to the
    result.
    """

    def __init__(self, formula: Formula, variables: int, known: Sequence[Operand]) -> None:
        self.registers = 0
        self._variables = variables
        self._known: list[Operand] = []
        self._calls: list[_Call] = []
        # Of each value: what it is if it is known, and else its place: of a variable, or after these of a register.
        values: list[Operand | None] = [None] * variables + list(known)
        places = list(range(formula.arguments)) + [0] * len(formula.steps)
        last = _last_uses(formula)
        free: list[int] = []
        for number, (name, operands, constant) in enumerate(formula.steps, formula.arguments):
            given = [values[i] for i in operands]
            if name == "const" or all(v is not None for v in given):
                values.append(constant if name == "const" else _CALLS[name](*given))
                continue
            values.append(None)
            call, given = _cheaper(name, given)
            read = [_Place(False, places[i]) if v is None else self._keep(v) for i, v in zip(operands, given)]
            free += [places[i] for i in set(operands) if values[i] is None and i >= formula.arguments and last[i] == number]
            places[number] = free.pop() if free else self._new_register()
            self._calls.append(_Call(call, read, places[number]))
        end = values[formula.result]
        self._result = _Place(False, places[formula.result]) if end is None else self._keep(end)

    def _keep(self, value: Operand) -> _Place:
        self._known.append(value)
        return _Place(True, len(self._known) - 1)

    def _new_register(self) -> int:
        self.registers += 1
        return self._variables + self.registers - 1

    def run(self, variables: Sequence[Floats], registers: Sequence[Floats], out: Floats) -> None:
        """Write the result to ``out``, which may be a variable. It and the registers, at least so many as `registers`, have its shape."""
        places: list[Any] = [*variables, *registers]
        final = self._calls[-1] if self._calls and self._result == _Place(False, self._calls[-1].to) else None
        for call in self._calls:
            operands = [self._known[at] if known else places[at] for known, at in call.operands]
            call.function(*operands, out=out if call is final else places[call.to])
        if final is None:
            np.copyto(out, self._known[self._result.at] if self._result.known else places[self._result.at])


class _Place(NamedTuple):
    """Where a value is: among the known ones, or among the variables and registers."""

    known: bool
    at: int


class _Call(NamedTuple):
    """A step that is computed for each block of rows."""

    function: Callable[..., Any]
    operands: list[_Place]
    to: int


def _cheaper(name: str, given: list[Operand | None]) -> tuple[Callable[..., Any], list[Operand | None]]:
    """Return an operation with its operands, None if one is not known; a product with the reciprocal for a division by a known value."""
    if name == "div" and _invertible(given[1]):
        return np.multiply, [given[0], 1.0 / np.asarray(given[1])]
    return _CALLS[name], given


def _last_uses(formula: Formula) -> list[int]:
    """Return for each value the number of the last step that reads it; that of no step for the result."""
    last = [-1] * (formula.arguments + len(formula.steps))
    for number, (_, operands, _) in enumerate(formula.steps, formula.arguments):
        for i in operands:
            last[i] = number
    last[formula.result] = len(last)
    return last


def _invertible(value: Operand | None) -> bool:
    """Report whether multiplying by the reciprocal gives the same as dividing, except for the last digit."""
    if value is None:
        return False
    size: npt.NDArray[np.float64] = np.abs(np.asarray(value))
    return bool(np.all((size >= _LEAST) & (size <= _MOST)))
