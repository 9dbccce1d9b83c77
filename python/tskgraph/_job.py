"""What an estimator hands to a training: the configuration by its parameters, and the tables."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState

from ._column import is_decimal, joined, number_of, numbers_of, quoted
from ._evaluation import Watched
from ._settings import KEYS
from ._table import Column, Table
from .errors import DataError, SettingError

_MOST_LEVELS = 50  # of a category that is one-hot without being named


def configuration(parameters: Mapping[str, Any], features: Table, target: Table, random: RandomState) -> dict[str, Any]:
    """Return the keys of config.yaml that parameters set, and those of the columns.

    Parameters that are None are left to the preset; random gives the seed if random_state is not an integer. A value that fit does not
    support is a SettingError.
    """
    _check(parameters)
    config = {KEYS[name]: plain(value) for name, value in parameters.items() if name in KEYS and value is not None}
    seed = parameters["random_state"]
    config["train.seed"] = int(seed if isinstance(seed, (int, np.integer)) else random.randint(np.iinfo(np.int32).max))
    config["data.target"] = target.names if len(target.columns) > 1 else target.names[0]
    config["data.categorical"] = _categorical(config.get("data.categorical", "auto"), features)
    return config


def _check(parameters: Mapping[str, Any]) -> None:
    """Refuse values of those parameters that the program does not check."""
    jobs, share = parameters["n_jobs"], parameters["validation"]
    for name, valid, want in (
        ("missing", parameters["missing"] in ("error", "mean", "own"), "'error', 'mean' or 'own'"),
        ("split", parameters["split"] in (None, "random", "chronological"), "'random' or 'chronological'"),
        ("early_stopping", isinstance(parameters["early_stopping"], (bool, np.bool_)), "True or False"),
        (
            "validation",
            share is None or (isinstance(share, (int, float)) and 0 <= share < 1),
            "a share of the rows, at least 0 and below 1, or None",
        ),
        ("n_jobs", jobs is None or (isinstance(jobs, Integral) and jobs != 0), "a number of threads, -1 for all processors, or None"),
        ("verbose", isinstance(parameters["verbose"], (Integral, np.bool_)), "0 or 1"),
        (
            "class_weights",
            isinstance(parameters.get("class_weights", ""), (str, type(None))),
            "'balanced' or 'none'; for weights of your own give sample_weight to fit",
        ),
    ):
        if not valid:
            raise SettingError(f"{name}: {parameters[name]!r}: want {want}", KEYS.get(name, name))


def _categorical(given: Any, features: Table) -> Any:
    """Return the encoding of each category: as given, else ordinal if its levels have an order, else one-hot."""
    if given == "none":
        return given
    own = given if isinstance(given, Mapping) else {}
    found = {column.name: _encoding(column) for column in features.columns if column.name not in own and _used(column)}
    return {**found, **own} or "auto"


def _used(column: Column) -> int:
    """Return the number of levels of a column that some row has; 0 of numbers."""
    return 0 if column.levels is None else np.count_nonzero(np.bincount(column.values + 1, minlength=1)[1:])


def read_texts(features: Table, categorical: Any) -> Table:
    """Return the features with the numbers of those columns of texts that are all numbers, unless parameters name them.

    A column of texts most of which are numbers is a category, with a warning for the user, who called fit.
    """
    named = categorical if isinstance(categorical, Mapping) else {}
    read = (_read_texts(column) if column.texts and column.name not in named else column for column in features.columns)
    return Table(tuple(read), features.rows)


def _read_texts(column: Column) -> Column:
    levels, present = column.levels or (), column.values[column.values >= 0]
    counts = np.bincount(present, minlength=len(levels))
    plain = ~np.isnan(np.fromiter(map(number_of, levels), np.float64, len(levels)))
    numbers = counts[plain].sum()
    if numbers and numbers == len(present):
        return Column(column.name, numbers_of(column))
    if 2 * numbers > len(present):
        row = int(np.flatnonzero(column.values == np.flatnonzero(~plain & (counts > 0))[0])[0])
        text, name = levels[column.values[row]], quoted(column.name)
        warnings.warn(
            f"column {name} is a category, because row {row + 1} holds {quoted(text)}, but {numbers} of {len(present)} texts are numbers: "
            f"correct or remove the others, or set categorical={{{name}: 'onehot'}}",
            stacklevel=6,
        )
    return column


def _encoding(column: Column) -> Any:
    """Return the encoding of a category that the parameters do not name."""
    if column.ordered:
        return list(column.levels or ())
    if _used(column) > _MOST_LEVELS:
        name = quoted(column.name)
        remedy = "convert it to numbers" if all(map(is_decimal, column.levels or ())) else "group them"
        raise DataError(
            f"column {name} has {_used(column)} levels, too many for one feature each, such as {quoted((column.levels or ('',))[0])}: "
            f"{remedy}, leave the column out, or set categorical={{{name}: 'onehot'}} or {{{name}: 'ordinal'}}"
        )
    return "onehot"


def plain(value: Any) -> Any:
    """Return a value without types of NumPy, as JSON holds it."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


class Job(NamedTuple):
    """A training: values by the keys of config.yaml, and the rows to train on, then those of a validation part of its own."""

    config: dict[str, Any]
    table: Table
    numbers: npt.NDArray[np.intp] | None = None  # of the rows to train on as the user gave them, from 1; None if they are the same
    given: Table | None = None  # these rows in the order of the user, on which rules are described; None if it is `table`
    watch: Sequence[Watched] = ()  # what to measure as training goes on


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
    their order. A parameter that is not valid, or leaves no rows to train on or to validate on, is a SettingError or ValueError.
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
    columns = tuple(map(joined, zip(table.columns, (*validation.columns, *own))))
    table = Table(columns, table.rows + validation.rows)
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
