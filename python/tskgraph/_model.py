"""What a model predicts, with NumPy alone, and the files that hold it; `Model` adds what it shows of itself."""

from __future__ import annotations

import copy
import json
import os
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from ._files import replace
from ._form import read
from ._member import Booleans
from ._node import Floats, parse
from ._predictor import Predictor, intervals, sets_of, threshold
from .errors import ModelError
from .rules import Rules

T = TypeVar("T", bound="BaseModel")


class Firing(NamedTuple):
    """What the rules of a model do with rows.

    Attributes
    ----------
    firing : ndarray of shape (N, R)
        Normalised firing levels of the rules, in the order of the model file, see `Rules.columns`. Zero in a row that no rule covers.
    rule : ndarray of shape (N, R) or (N, R, J)
        What each rule says alone, without limits: a number, or all J targets, quantiles or probabilities. The prediction is the mean
        of these by the firing levels for a model of numbers with the identity link, unless it was limited.
    """

    firing: Floats
    rule: Floats


class BaseModel:
    """A trained model, see `Model`: a document that was checked, the files that hold it, and what it predicts."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._form = read(document)
        self._document = document
        self._predictor = Predictor(self._form)

    @classmethod
    def from_json(cls: type[T], text: str | bytes) -> T:
        """Return the model of a document of ``tskgraph export --to json``, bytes of UTF-8; a text that is none is a ModelError."""
        return cls(parse(text))

    @classmethod
    def load(cls: type[T], path: str | os.PathLike[str]) -> T:
        """Return the model of a file that `save` or ``tskgraph export --to json`` wrote. The program tskgraph is not needed.

        A file that is damaged, of another version or of another format is a ModelError.
        """
        with open(path, "rb") as file:
            text = file.read()
        try:
            return cls.from_json(text)
        except ModelError as error:
            raise ModelError(f"{os.fspath(path)}: {error}") from error

    @classmethod
    def from_run(cls: type[T], path: str | os.PathLike[str]) -> T:
        """Return the model of a directory of ``tskgraph train``, or of a model file. It needs the program tskgraph.

        A damaged file is a ModelError, and a model with neighbours, whose predictions need its training rows, a SettingError.
        """
        from ._program import run  # which predictions do without

        return cls.from_json(run(["export", "--model", os.fspath(path), "--to", "json", "--out", "-"]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file, which `load` reads. A file of this name is replaced when the new one is complete."""
        replace(path, (json.dumps(self._document, separators=(",", ":"), allow_nan=False) + "\n").encode())

    @property
    def document(self) -> dict[str, Any]:
        """What ``tskgraph export --to json`` writes, as a copy."""
        return copy.deepcopy(self._document)

    def model_file(self) -> bytes:
        """Return the model file of the program tskgraph."""
        text: str = self._document["model"]
        return text.encode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BaseModel) and bool(self._document == other._document)

    def __hash__(self) -> int:
        return hash(self._document["model"])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._document,)

    @property
    def rules(self) -> Rules:
        """The rules, which print and show in notebooks as ``tskgraph show`` prints them; without a description a ModelError."""
        return Rules(self._document)

    @property
    def kind(self) -> str:
        """``"numbers"``, ``"quantiles"`` or ``"classes"``."""
        return self._form.kind

    @property
    def columns(self) -> list[str]:
        """Names of the columns that the model was trained on, in order. Predictions need those of `columns_used`."""
        return list(self._form.order)

    @property
    def columns_used(self) -> list[str]:
        """Names of the columns that predictions need."""
        return [column.name for column in self._form.columns]

    @property
    def targets(self) -> list[str]:
        """Names of the targets; one unless the model predicts several numbers."""
        return [output.name for output in self._form.outputs] if self.kind == "numbers" else [self._form.target]

    @property
    def units(self) -> list[str]:
        """Units of the targets; empty where there is none."""
        return [output.unit for output in self._form.outputs] if self.kind == "numbers" else [self._form.unit]

    @property
    def classes(self) -> list[str]:
        """Names of the classes, in the order of their probabilities; none unless the model predicts classes."""
        return [output.name for output in self._form.outputs] if self.kind == "classes" else []

    @property
    def levels(self) -> list[float]:
        """Levels of the quantiles, ascending; none unless the model predicts quantiles."""
        return [output.level for output in self._form.outputs] if self.kind == "quantiles" else []

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict for rows of an array-like or frame. A column that is missing is a DataError.

        Returns
        -------
        ndarray of shape (N,) or (N, C)
            Numbers: of one target [N], of several [N, C]; of quantiles the one nearest to the median [N]. Classes: the text of the most
            probable one [N], the first of equal ones.
        """
        y = self._predictor.predict(X)
        if self.kind == "classes":
            names: npt.NDArray[Any] = np.array(self.classes, dtype=object)[y.argmax(axis=0)]
            names[np.isnan(y[0])] = None
            return names
        if self.kind == "quantiles":
            return np.asarray(y[self._predictor.median()])
        return self._per_target(y)

    def predict_proba(self, X: Any) -> Floats:
        """Predict the probabilities of `classes`, [N, K]; a model of numbers raises a ModelError."""
        self._need("classes", "probabilities")
        return np.ascontiguousarray(self._predictor.predict(X).T)

    def predict_quantiles(self, X: Any) -> Floats:
        """Predict the quantiles of `levels`, [N, Q], which never decrease; a model of others raises a ModelError."""
        self._need("quantiles", "quantiles")
        return np.ascontiguousarray(self._predictor.predict(X).T)

    def predict_interval(self, X: Any, level: float = 0.9, *, side: str = "both") -> Floats:
        """Predict intervals that hold the target of a new row with a probability of at least ``level``.

        They are lower and upper bounds, [N, 2]; of several targets boxes that hold all of them, [N, C, 2]. It is a ModelError if the model
        was not calibrated, or predicts classes, and a SettingError if the level is not between 0 and 1, or needs more calibration samples.
        ``side`` is "both", or "lower" or "upper" for a bound on one side: the other one is infinite, or the end of the target's range.
        """
        score = threshold(self._form, level, sets=False, side=side)
        y = self._predictor.predict(X)
        return np.ascontiguousarray(intervals(self._form, y, score, scales=self._predictor.scales(X, y), side=side).T)

    def predict_set(self, X: Any, level: float = 0.9) -> Booleans:
        """Predict whether each of `classes`, [N, K], is in a set that holds that of a new row with a probability of at least ``level``.

        The most probable one always is; a row without a prediction has none. Errors are as of `predict_interval`.
        """
        score = threshold(self._form, level, sets=True)
        return np.ascontiguousarray(sets_of(self._predictor.predict(X), score).T)

    def predict_firing(self, X: Any) -> Firing:
        """Return the firing levels of the rules, and what each says; a committee, whose members have rules each, raises a ModelError."""
        levels, says = self._predictor.fire(X)
        return Firing(levels, says[..., 0] if says.shape[2] == 1 else says)

    def predict_spread(self, X: Any) -> Floats:
        """Return standard deviations over the members of a committee, divisor K - 1, of what `predict` predicts, [N] or [N, C].

        Of classes it is that of the probability of the class. A single model raises a ModelError.
        """
        y, spread = self._predictor.spread(X)
        if self.kind == "classes":
            return np.asarray(np.take_along_axis(spread, y.argmax(axis=0)[np.newaxis], axis=0)[0])
        if self.kind == "quantiles":
            return np.asarray(spread[self._predictor.median()])
        return self._per_target(spread)

    def __repr__(self) -> str:
        described = self._document["description"]
        rules = sum(len(one["rules"]) for one in described.get("members") or (described,))
        members = f" in {len(self._form.members)} members" if len(self._form.members) > 1 else ""
        return f"<{type(self).__name__} of {', '.join(map(repr, self.targets))}: {self.kind}, {rules} rules{members}>"

    def _need(self, kind: str, what: str) -> None:
        if self.kind != kind:
            raise ModelError(f"the model predicts {self.kind}, not {what}: use predict")

    @staticmethod
    def _per_target(y: Floats) -> Floats:
        """Return [N] of one target, [N, C] of several."""
        return np.asarray(y[0]) if len(y) == 1 else np.ascontiguousarray(y.T)
