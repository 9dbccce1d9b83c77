"""The classifier of scikit-learn's API."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ._estimator import Estimator
from ._saving import restored_labels, saved_labels, texts_of
from ._settings import ClassifierSettings
from ._table import Column, Table, labels_of


class TSKClassifier(ClassifierMixin, ClassifierSettings, Estimator):  # noqa: D101
    __doc__ = f"""A Takagi-Sugeno-Kang fuzzy model that predicts the probabilities of classes.

    {ClassifierSettings.__doc__}
    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The labels, sorted.
    {(Estimator.__doc__ or "").partition("----------")[2].strip()}

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0, 6, 200).reshape(-1, 1)
    >>> model = TSKClassifier(preset="readable").fit(X, np.sin(X[:, 0]) > 0)  # doctest: +SKIP
    >>> model.predict_proba([[1.5]])  # doctest: +SKIP
    """

    _task = "classification"
    classes_: npt.NDArray[Any]
    _texts: tuple[str, ...]

    def _target(self, y: Any) -> tuple[Table, dict[str, Any]]:
        if y is None:
            raise ValueError("This TSKClassifier estimator requires y to be passed, but the target y is None.")
        name = getattr(y, "name", None)
        labels = column_or_1d(labels_of(y), warn=True)
        check_classification_targets(labels)
        classes, codes = np.unique(labels, return_inverse=True)
        texts = texts_of(classes)
        column = Column(name if isinstance(name, str) and name and name == name.strip() else "y", codes, texts)
        return Table((column,), len(labels)), {"classes_": classes, "_texts": texts}

    def _check_target(self, y: Table, own: dict[str, Any]) -> None:
        used = np.unique(y.columns[0].values)
        if len(used) < 2:
            raise ValueError(
                f"The target has one class only, {own['classes_'][used[0]]!r}: a classifier needs rows of two classes or more."
            )

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the probabilities of the classes, [N, K], in the order of classes_."""
        return self._by_class(self._model().predict_proba(self._given(X)), 0.0)

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the logarithms of the probabilities, [N, K]."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable labels, [N]."""
        best = np.argmax(self.predict_proba(X), axis=1)
        return np.asarray(self.classes_[best])

    def predict_set(self, X: Any, level: float = 0.9) -> npt.NDArray[np.bool_]:
        """Return sets of labels, [N, K], that hold that of a new row with a probability of at least level. It needs calibration > 0."""
        return self._by_class(self._model().predict_set(self._given(X), level), False)

    def _evaluated_target(self, y: Any, target: Table, own: dict[str, Any]) -> Table:
        return _coded(y, target.names[0], own["classes_"], own["_texts"])

    def _named_target(self, y: Any) -> Table:
        return _coded(y, "y", self.classes_, self._texts)

    def _by_class(self, values: npt.NDArray[Any], absent: Any) -> npt.NDArray[Any]:
        """Return columns in the order of classes_. A class whose rows all have the weight 0 is not in the model."""
        ordered = np.full((len(values), len(self.classes_)), absent, dtype=values.dtype)
        for k, text in enumerate(self._texts):
            if text in self.model_.classes:
                ordered[:, k] = values[:, self.model_.classes.index(text)]
        return ordered

    def _saved(self) -> dict[str, Any]:
        return {"classes": saved_labels(self.classes_), "texts": self._texts}

    def _restore(self, own: dict[str, Any]) -> None:
        """Take up what `_saved` returned. The labels of a model that no estimator trained are its texts."""
        self._texts = tuple(own.get("texts", self.model_.classes))
        self.classes_ = restored_labels(own["classes"]) if "classes" in own else np.array(self._texts)


def _coded(y: Any, name: str, classes: npt.NDArray[Any], texts: tuple[str, ...]) -> Table:
    """Return the labels y as the column of a name.

    Raises
    ------
    ValueError
        If a label is not among the classes.
    """
    labels = column_or_1d(labels_of(y))
    codes = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
    unknown = np.flatnonzero(classes[codes] != labels)
    if len(unknown):
        raise ValueError(f"y has a label that training did not have: {labels[unknown[0]]!r}, row {unknown[0] + 1}")
    return Table((Column(name, codes, texts),), len(labels))
