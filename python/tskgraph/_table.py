"""Tables as tskgraph sees them, from arrays, frames, mappings and lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._column import Column, codes_of, column_of, is_missing, numbers_of, quoted, to_float
from ._frame import Frame, check_names, frame_of, own_names

__all__ = ["Column", "Table", "check_cells", "codes_of", "labels_of", "numbers_of", "table_of", "target_of", "weights_of"]

_DENSE = 4e9  # bytes that a sparse matrix may become


@dataclasses.dataclass(frozen=True)
class Table:
    """Columns of equally many rows, with names that differ."""

    columns: tuple[Column, ...]
    rows: int
    others: tuple[str, ...] = ()  # names of the columns that were not needed

    def taking(self, index: Any) -> Table:
        """Return the rows that an index of NumPy selects: a slice, an array of indices or of booleans."""
        columns = tuple(dataclasses.replace(column, values=column.values[index]) for column in self.columns)
        return Table(columns, len(np.arange(self.rows)[index]), self.others)

    def __getitem__(self, name: str) -> Column:
        """Return the column of a name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]


def table_of(X: Any, *, names: Sequence[str] | None = None, needed: Collection[str] | None = None) -> Table:
    """Return a table, of at least one row, of what scikit-learn's users pass as X.

    X is a NumPy array (also structured or masked), a list of rows, a mapping from names to columns, a frame of pandas or polars, any other
    frame with the dataframe interchange protocol, or a sparse matrix of SciPy, of which the columns to return become dense. `column_of`
    says what types columns may have. An X without names, or without a name that is text, has the names given, by default x0, x1, ... Of
    needed names only these columns are returned: others may hold anything, and needed ones may be absent.

    Raises
    ------
    TypeError
        If some but not all names are text, or a column holds dates or objects.
    ValueError
        If X is not of two dimensions, has no rows or no columns, names that are empty, used twice or not valid, or columns of different
        lengths; or if it is sparse and too large.
    """
    if isinstance(X, Table):
        return X
    if hasattr(X, "nnz"):
        return _of_sparse(X, names, needed)
    given = frame_of(X)
    if given is None:
        array = _matrix(X)
        if array.dtype.names is None:
            return _of_matrix(array, names, needed)
        fields = list(array.dtype.names)
        given = Frame(fields, lambda i: array[fields[i]], len(array))
    return _of_frame(given, names, needed)


def _of_frame(frame: Frame, names: Sequence[str] | None, needed: Collection[str] | None) -> Table:
    if not frame.names or not frame.rows:
        raise _too_small((frame.rows, len(frame.names)))
    own = own_names(frame.names)
    columns: list[Column] = []
    others: list[str] = []
    for i, name in enumerate(_names(len(frame.names), names) if own is None else own):
        if needed is not None and name not in needed:
            others.append(name)
            continue
        values = frame.values(i)
        column = dataclasses.replace(values, name=name) if isinstance(values, Column) else column_of(name, values)
        if len(column.values) != frame.rows:
            raise ValueError(
                f"column {quoted(name)} has {len(column.values)} rows, others have {frame.rows}: give columns of the same length"
            )
        columns.append(column)
    return Table(tuple(columns), frame.rows, tuple(others))


def _names(count: int, names: Sequence[str] | None) -> list[str]:
    """Return the names of columns that have none."""
    if names is None:
        return [f"x{i}" for i in range(count)]
    if len(names) != count:
        text = f"X has {count} features, but {len(names)} features are expected as input, in this order: {', '.join(map(quoted, names))}"
        raise ValueError(text[:1000])
    check_names(names)
    return list(names)


def _too_small(shape: tuple[int, ...]) -> ValueError:
    what = "feature" if shape[0] else "sample"
    return ValueError(f"Found array with 0 {what}(s) (shape={shape}) while a minimum of 1 is required.")


def _of_matrix(array: npt.NDArray[Any], names: Sequence[str] | None, needed: Collection[str] | None) -> Table:
    if array.ndim < 2:
        raise ValueError(
            f"Expected 2D array, got {'scalar' if array.ndim == 0 else '1D'} array instead. Reshape your data either using "
            "array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}. A table has 2: rows and columns.")
    if not array.size:
        raise _too_small(array.shape)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: give the real and the imaginary parts as columns")
    columns = _names(array.shape[1], names)
    if array.dtype.kind in "iuf" and not isinstance(array, np.ma.MaskedArray):
        made = list(map(Column, columns, to_float(array.T)))
    else:
        made = [column_of(name, array[:, i]) for i, name in enumerate(columns) if needed is None or name in needed]
    return Table(tuple(column for column in made if needed is None or column.name in needed), len(array))


def _of_sparse(X: Any, names: Sequence[str] | None, needed: Collection[str] | None) -> Table:
    rows, count = X.shape
    if not rows or not count:
        raise _too_small(X.shape)
    chosen = [(i, name) for i, name in enumerate(_names(count, names)) if needed is None or name in needed]
    size = 8 * rows * len(chosen)
    if size > _DENSE:
        raise ValueError(
            f"X is sparse, and the rules need dense columns: {rows} rows of {len(chosen)} columns are {size / 1e9:.1f} GB, "
            f"more than {_DENSE / 1e9:.0f} GB: reduce the columns first, such as by TruncatedSVD or SelectKBest"
        )
    if X.dtype.kind not in "biuf":
        raise ValueError("Complex data not supported: give the real and the imaginary parts as columns")
    columns = X.tocsc()
    if not columns.has_canonical_format:
        columns = columns.copy()
        columns.sum_duplicates()
    made = []
    for i, name in chosen:
        values, at = np.zeros(rows), slice(columns.indptr[i], columns.indptr[i + 1])
        values[columns.indices[at]] = columns.data[at]
        made.append(Column(name, values))
    return Table(tuple(made), rows)


def _matrix(X: Any) -> npt.NDArray[Any]:
    """Return X as an array; of a list with texts or objects, as an array of objects."""
    if isinstance(X, np.ndarray):
        return X
    try:
        array = np.asarray(X)
        if array.dtype.kind in "USO" and not hasattr(X, "__array__"):
            array = np.asarray(X, dtype=object)
    except ValueError as error:  # of rows of different lengths
        raise ValueError(f"X is not a table: {error}") from error
    return array


def check_cells(table: Table, *, missing: bool, what: str = "X") -> None:
    """Refuse infinite numbers, and missing ones unless they are allowed: a ValueError with the column and the row of what, from 1."""
    for column in table.columns:
        where = f"column {quoted(column.name)}, row "
        infinite = np.isinf(column.values)
        if infinite.any():
            raise ValueError(f"Input {what} contains infinity or a value too large for dtype('float64'): {where}{infinite.argmax() + 1}")
        absent = np.isnan(column.values) if column.levels is None else column.values < 0
        if not missing and absent.any():
            remedy = (
                'set missing="mean" to use the mean of the training rows, missing="own" to let rules name it, or ' if what == "X" else ""
            )
            raise ValueError(f"Input {what} contains NaN: {where}{absent.argmax() + 1}: {remedy}fill missing values or drop the row")


def target_of(y: Any, name: str = "y", *, taken: Collection[str] = ()) -> Table:
    """Return the targets y [N] or [N, C], one column for each.

    One without a name gets that given, several y0, y1, ...; one of a taken name, of a column of X, gets the ending "_target". Missing and
    infinite numbers are a ValueError, as what `table_of` refuses.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    if hasattr(y, "nnz"):
        raise TypeError("Sparse data was passed for y, but dense data is required. Use '.toarray()' to convert to a dense numpy array.")
    if hasattr(y, "columns") or isinstance(y, Mapping) or hasattr(y, "__dataframe__"):
        table = table_of(y)
    else:
        extension = not isinstance(getattr(y, "dtype", np.dtype(float)), np.dtype)  # a series of pandas or polars
        values = y if extension else _matrix(y)
        if extension or values.ndim == 1:
            table = _of_frame(Frame([_series_name(y, name)], lambda _: values, len(values)), None, None)
        else:
            several = values.ndim == 2 and values.shape[1] > 1
            table = table_of(values, names=[f"{name}{c}" for c in range(values.shape[1])] if several else [name])
    check_cells(table, missing=False, what="y")
    columns = []
    for column in table.columns:
        free = column.name
        while free in taken:
            free += "_target"
        columns.append(dataclasses.replace(column, name=free))
    return Table(tuple(columns), table.rows)


def labels_of(y: Any) -> npt.NDArray[Any]:
    """Return labels as an array of NumPy; nullable types of pandas become the plain ones, and a missing label is a ValueError."""
    labels = _matrix(y)
    if labels.dtype.kind not in "Of":
        return labels
    absent = np.fromiter(map(is_missing, labels.ravel().tolist()), np.bool_, labels.size)
    if absent.any():
        raise ValueError(f"Input y contains NaN: row {absent.argmax() + 1}: drop the rows without a label")
    kind = getattr(getattr(y, "dtype", None), "kind", "O")
    return labels.astype({"b": np.bool_, "i": np.int64, "u": np.uint64, "f": np.float64}[kind]) if kind in "biuf" else labels


def _series_name(y: Any, name: str) -> str:
    own = getattr(y, "name", None)
    return own if isinstance(own, str) and own and own.strip() == own else name


def weights_of(sample_weight: Any, rows: int) -> npt.NDArray[np.float64] | None:
    """Return the weights [N] of rows, which may be one number; None if none are given.

    It is a ValueError if there are not N of them, one is negative or not finite, or all are zero.
    """
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight)
    if weights.ndim == 0:
        weights = np.full(rows, weights)
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(weights) != rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(rows,)}!")
    values = numbers_of(column_of("sample_weight", weights))
    check_cells(Table((Column("sample_weight", values),), rows), missing=False, what="sample_weight")
    if (values < 0).any():
        raise ValueError(f"Negative values in data passed to `sample_weight`: row {(values < 0).argmax() + 1}")
    if not values.any():
        raise ValueError("all values of sample_weight are zero: give at least one row a positive weight")
    return values
