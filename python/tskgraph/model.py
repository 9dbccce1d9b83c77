"""Models that predict with NumPy alone, and what they and estimators show of themselves."""

from __future__ import annotations

import abc
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._html import labelled, page, rules_html, visible
from ._model import BaseModel, Firing

if TYPE_CHECKING:
    from ._artifacts import Report
    from .explanation import Explanation
    from .overview import GlobalExplanation

__all__ = ["Firing", "Model"]


class Views(abc.ABC):
    """Base class of `Model` and of the estimators."""

    @abc.abstractmethod
    def _model(self) -> BaseModel:
        """Return the model to show."""

    def _background(self) -> Any:
        """Return rows that explanations compare with; None without them."""
        return None

    def _history(self) -> Sequence[Mapping[str, Any]]:
        """Return the figures of each iteration of training; none if they are not known."""
        return ()

    def _given(self, X: Any) -> Any:
        """Return rows that a user gave, after checks."""
        return X

    def _named_target(self, y: Any) -> Any:
        """Return y as the program reads it."""
        return y

    def explain_local(self, X: Any, y: Any = None, background: Any = None) -> Explanation:
        """Explain predictions by Shapley values, computed by the program tskgraph.

        Parameters
        ----------
        X : array-like or frame of shape (N, M)
        y : array-like of shape (N,) or (N, C), optional
            What was observed, to show it beside the predictions.
        background : array-like or frame, optional
            Rows to compare with, such as the training part; of more than 100 a sample of 100 is drawn. By default those that an estimator
            kept from training; a `Model` has none.

        Raises
        ------
        ValueError, DataError
            If a number is infinite, there is no background, or a column is missing.
        BinaryNotFoundError
            If the program is missing.
        """
        return self._explained(self._given(X), background, y)

    def explain_global(self, X: Any = None, background: Any = None) -> GlobalExplanation:
        """Explain the model as a whole: the importance of each column, the response to it, and the rules.

        X are the rows to average over, by default those that an estimator kept from training; a `Model` has none. The background and the
        errors are those of `explain_local`; a model without a description of rules raises a ModelError.
        """
        from .overview import explain_all

        return explain_all(self._model(), self._rows(X), self._background() if background is None else self._given(background))

    def report(self, X: Any, y: Any, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> Report:
        """Return the page of ``tskgraph report`` on the model and its errors on rows that it was not trained on.

        It is HTML with a slider for each column, which notebooks show.

        Parameters
        ----------
        X : array-like or frame of shape (N, M)
        y : array-like of shape (N,) or (N, C)
        path : path, optional
            A file to write the page to.
        overwrite : bool
            Whether a file of this name is replaced that is not a report; else it is a FileExistsError.

        Raises
        ------
        OSError
            If the file cannot be written, or the program is missing: a BinaryNotFoundError.
        DataError
            If a column is missing or a target is not valid.
        """
        from ._artifacts import report

        return report(self._model(), self._given(X), self._named_target(y), path, overwrite=overwrite)

    def certify(self, *, margin: float = 0.0, budget: float = 60.0, check: bool = True) -> dict[str, Any]:
        """Prove what predictions do for all rows, see ``tskgraph certify``.

        Parameters
        ----------
        margin : float
            The share of its range in the training part by which each column of numbers is widened on both sides.
        budget : float
            Seconds to try; what is not proved by then is open.
        check : bool
            Whether `tskgraph.certificate` checks the certificate, without the program.

        Returns
        -------
        dict
            The certificate; ``"claims"`` has its claims.

        Raises
        ------
        CertificateError
            If the check fails.
        SettingError, TrainingError
            If an argument is not valid, the model has no certificate, or the program is missing: a BinaryNotFoundError.
        """
        from ._artifacts import certify

        return certify(self._model(), margin, budget, check=check)

    def export(self, target: str, path: str | os.PathLike[str] | None = None, **options: Any) -> str | bytes | list[str]:
        """Write the model as a program, a query or a file of another system, see ``tskgraph export``.

        Parameters
        ----------
        target : str
            ``"c"``, ``"excel"``, ``"fis"``, ``"fmu"``, ``"fmu2"``, ``"go"``, ``"js"``, ``"onnx"``, ``"python"`` or ``"sql"``;
            ``"json"``, what `Model.load` reads; ``"model"``, the model file of the program.
        path : path, optional
            The file to write; the target may write others beside it. None: return the content of the first file.
        **options
            ``float`` and ``matrix`` (bool), ``table``, ``key`` and ``name`` (str) of those targets that have them.

        Returns
        -------
        str, bytes or list of str
            The content, bytes of ``"excel"``, ``"onnx"`` and units of FMI; with a path the paths of all files.

        Raises
        ------
        SettingError
            If the target or an option is unknown, or the target cannot express the model.
        OSError, TrainingError
            If a file cannot be written, or the program is missing: a BinaryNotFoundError.
        """
        from ._artifacts import export

        return export(self._model(), target, path, **options)

    def plot_memberships(self, feature: str, *, member: int = 1, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the grades of the rules' conditions on a column, see `plots.plot_memberships`."""
        from .plots import plot_memberships

        return plot_memberships(self._model(), feature, member=member, ax=ax, **kwargs)

    def plot_response(
        self, features: str | Sequence[str], X: Any = None, *, output: str | None = None, ax: Any = None, **kwargs: Any
    ) -> Any:
        """Draw the partial dependence of the prediction on one or two columns, see `plots.plot_response`.

        X are the rows to average over, by default those that an estimator kept from training.
        """
        from .plots import plot_response

        return plot_response(self._model(), features, self._rows(X), output=output, ax=ax, **kwargs)

    def plot_rules(self, *, member: int = 1, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the shares of the rules in the firing, see `plots.plot_rules`."""
        from .plots import plot_rules

        return plot_rules(self._model(), member=member, ax=ax, **kwargs)

    def plot_importance(self, X: Any = None, background: Any = None, *, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the mean size of the Shapley values of each column over rows, see `plots.plot_importance` and `explain_local`.

        X are the rows to explain, by default those that an estimator kept from training; or an `Explanation`.
        """
        from .explanation import Explanation
        from .plots import plot_importance

        explanation = X if isinstance(X, Explanation) else self._explained(self._rows(X), background)
        return plot_importance(explanation, ax=ax, **kwargs)

    def plot_history(self, *, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the errors during training, which an estimator has after fit, see `plots.plot_history`."""
        from .plots import plot_history

        return plot_history(self._history(), ax=ax, **kwargs)

    def plot_predictions(self, X: Any, y: Any, *, target: str | None = None, ax: Any = None, **kwargs: Any) -> Any:
        """Draw predictions over observed values, of classes the numbers of rows, see `plots.plot_predictions`."""
        from .plots import plot_predictions

        return plot_predictions(self._model(), self._given(X), self._named_target(y), target=target, ax=ax, **kwargs)

    def plot_calibration(self, X: Any, y: Any, *, ax: Any = None, **kwargs: Any) -> Any:
        """Draw how often classes are observed over their predicted probabilities, see `plots.plot_calibration`."""
        from .plots import plot_calibration

        return plot_calibration(self._model(), self._given(X), self._named_target(y), ax=ax, **kwargs)

    def _explained(self, rows: Any, background: Any, y: Any = None) -> Explanation:
        from .explanation import explain

        return explain(self._model(), rows, self._background() if background is None else self._given(background), y)

    def _rows(self, X: Any) -> Any:
        if X is not None:
            return self._given(X)
        rows = self._background()
        if rows is None:
            raise ValueError("X is None, and the model has no training rows: pass some")
        return rows

    def _repr_html_(self) -> str:
        return html_of(self._model())


def html_of(model: BaseModel | None, *head: str) -> str:
    """Return the HTML of a model after a head: what it predicts, and its rules."""
    if model is None:
        return page([*head, '<p class="quiet">Not fitted.</p>'])
    return page([*head, f"<p>{_facts(model)}</p>", *rules_html(model.rules.wording, model.rules.shares)])


def _facts(model: BaseModel) -> str:
    """Return what a model predicts from what."""
    targets = map(labelled, model.targets, model.units)
    names = ", ".join(model.classes) or "quantiles " * bool(model.levels) + ", ".join(map(str, model.levels))
    return f"<b>{visible(', '.join(targets))}</b>{visible(f' ({names})' if names else '')} from {visible(', '.join(model.columns_used))}"


class Model(BaseModel, Views):
    """A trained model.

    Models are made by `load`, `from_json` and `from_run`, and by the estimators of the package. They can be pickled, copied and compared.

    X of all methods is a frame, a mapping from names to columns, an array or a list of rows. Columns of frames and mappings are found by
    name, in any order; those of an array are the columns that the model was trained on, in their order. A missing value is NaN, None, NA
    or an empty text; the model fills it in. A row has no prediction, NaN, or None of a class, if one of its numbers is infinite, or 1e100
    standard deviations or more from the mean of the training data.

    Parameters
    ----------
    document : dict
        What ``tskgraph export --to json`` writes, parsed. It is checked and kept, not copied. A field that is missing or not valid, and
        another format or version, are a ModelError.
    """

    def _model(self) -> BaseModel:
        return self
