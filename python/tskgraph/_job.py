"""What an estimator hands to a training: the tables and the configuration."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState

from ._configuration import configuration
from ._evaluation import Watched, appended
from ._table import Column, Table
from .errors import SettingError


class Job(NamedTuple):
    """A training.

    Attributes
    ----------
    config : dict
        Values by the keys of config.yaml.
    table : Table
        The rows to train on, then those of a validation part of its own.
    numbers : array or None
        The numbers of the rows to train on as the user gave them, from 1; None if they are the same.
    given : Table or None
        The rows to train on in the order in which the user gave them, on which rules are described; None if it is `table`.
    watch : sequence of Watched
        What to measure as training goes on.
    """

    config: dict[str, Any]
    table: Table
    numbers: npt.NDArray[np.intp] | None = None
    given: Table | None = None
    watch: Sequence[Watched] = ()


def job_of(
    parameters: Mapping[str, Any],
    features: Table,
    target: Table,
    weights: npt.NDArray[np.float64] | None,
    watch: Sequence[Watched],
    random: RandomState,
) -> Job:
    """Return the training of an estimator with parameters.

    Rows without weight are left out. Unless they are in time order, rows are sorted by their values, so that the model does not depend on
    their order.

    Raises
    ------
    SettingError, ValueError
        If a parameter is not valid, or leaves no rows to train on or to validate on.
    """
    config = configuration(parameters, features, target, random)
    table = Table(features.columns + target.columns, features.rows)
    if weights is None or (weights == 1).all():
        weights = np.ones(table.rows)
    given, rows = table.taking(weights > 0), np.arange(table.rows)
    if parameters["split"] != "chronological":
        rows = np.lexsort((weights, *(column.values for column in target.columns), _hashes(features)))
    rows = rows[weights[rows] > 0]
    if (weights != 1).any():
        config["data.weight"] = _unused("weight", table.names)
        table = Table((*table.columns, Column(config["data.weight"], weights)), table.rows)
    table = table.taking(rows)
    if parameters["early_stopping"]:
        config.setdefault("train.patience", 500)
    validation = next((one.table for one in watch if one.part == "validation"), None)
    if validation is None:
        config.update(_shares(parameters, table.rows))
        return Job(config, table, rows + 1, given, watch)
    if parameters["validation"] is not None:
        raise SettingError("validation: eval_set has the rows to validate on: leave validation at None", "data.validation")
    own = tuple(Column(name, np.ones(validation.rows)) for name in table.names[len(given.columns) :])
    table = appended(table, Table((*validation.columns, *own), validation.rows))
    if parameters["split"] == "chronological":
        config.update({"data.train": len(rows) / table.rows, "data.validation": validation.rows / table.rows})
    else:
        config.update({"data.split": "column", "data.split_column": _unused("part", table.names)})
        part = Column(config["data.split_column"], (np.arange(table.rows) >= len(rows)).astype(np.intp), ("train", "validation"))
        table = Table((*table.columns, part), table.rows)
    watch = [one._replace(table=None) if one.part == "validation" else one for one in watch]
    return Job(config, table, rows + 1, given, watch)


def _shares(parameters: Mapping[str, Any], rows: int) -> dict[str, Any]:
    """Divide the rows: those not for validation are for training, none for a test."""
    share = parameters["validation"]
    if parameters["early_stopping"]:
        share = 0.1 if share is None else share
    if not share:
        return {"data.train": 1, "data.validation": 0}
    count = round(share * rows)
    if not 0 < count < rows:
        raise ValueError(
            f"validation: {share} of {rows} rows leaves none to validate on, or none to train on: give more rows, or another share"
        )
    return {"data.train": (rows - count) / rows, "data.validation": count / rows}


def _hashes(table: Table) -> npt.NDArray[np.uint64]:
    """Return a hash of the values of each row."""
    key = np.zeros(table.rows, np.uint64)
    for column in table.columns:
        if column.levels is None:
            bits = np.where(np.isnan(column.values), np.nan, column.values + 0.0).view(np.uint64)
        else:
            digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in column.levels]
            bits = np.frombuffer(b"".join((*digests, bytes(8))), np.uint64)[column.values]
        key = (key ^ bits) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(32)
    return key


def _unused(name: str, names: list[str]) -> str:
    """Return a name that is not among others."""
    while name in names:
        name += "_"
    return name
