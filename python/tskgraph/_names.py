"""The names and number of features, checked as scikit-learn's estimators do, whose functions differ from version to version."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ._table import Table

_SHOWN = 5  # names in a message


def attributes_of(X: Any, table: Table) -> dict[str, Any]:
    """Return n_features_in_ and, if X has names that are texts, feature_names_in_."""
    named = {"feature_names_in_": np.asarray(table.names, dtype=object)} if _named(X) else {}
    return {"n_features_in_": len(table.columns), **named}


def compare(estimator: Any, X: Any, table: Table, fitted: Sequence[str] | None, expected: int) -> None:
    """Compare an X with the names, if any, and the number of columns of that of the fit. Names on one side only are a warning.

    Raises
    ------
    ValueError
        If names, their order or their number differ.
    """
    name = type(estimator).__name__
    if _named(X) and fitted is None:
        warnings.warn(f"X has feature names, but {name} was fitted without feature names", stacklevel=4)
    elif not _named(X) and fitted is not None:
        warnings.warn(f"X does not have valid feature names, but {name} was fitted with feature names", stacklevel=4)
    elif fitted is not None and table.names != list(fitted):
        raise ValueError(_difference(set(table.names), set(fitted)))
    if len(table.columns) != expected:
        raise ValueError(f"X has {len(table.columns)} features, but {name} is expecting {expected} features as input.")


def check_parameters(cls: Any, given: Collection[str], error: type[Exception]) -> None:
    """Raise an error of a type if an estimator has no parameter of a name that is given, with the nearest one."""
    names = cls._get_param_names()
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name.lower(), names, 1)
            hint = f": did you mean {near[0]!r}?" if near else f"; its parameters: {', '.join(names)}"
            raise error(f"Invalid parameter {name!r} for estimator {cls.__name__}{hint}")


def _named(X: Any) -> bool:
    """Report whether X has names of columns that are texts."""
    if hasattr(X, "columns") and not hasattr(X, "column_names"):  # columns of pyarrow are data
        return len(X.columns) > 0 and isinstance(X.columns[0], str)
    return hasattr(X, "__dataframe__") or isinstance(X, Mapping) or getattr(getattr(X, "dtype", None), "names", None) is not None


def _difference(given: Collection[str], fitted: Collection[str]) -> str:
    """Return scikit-learn's message for names that differ."""
    text = "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
    if unseen:
        text += "Feature names unseen at fit time:\n" + _list(unseen)
    if missing:
        text += "Feature names seen at fit time, yet now missing:\n" + _list(missing)
    if not unseen and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    return text


def _list(names: list[str]) -> str:
    return "".join(f"- {name}\n" for name in names[:_SHOWN]) + ("- ...\n" if len(names) > _SHOWN else "")
