"""Tables of arrays, lists and mappings; targets and weights."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
from typing import Any

import numpy as np
import pytest
from conftest import refused

from tskgraph._table import Table, check_cells, table_of, target_of, weights_of


class Arraylike:
    """Only has `__array__`."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: Any = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)


def same(a: Table, b: Table) -> bool:
    """Report whether tables are equal; codes may be numbered differently."""
    return a.rows == b.rows and [cells(c) for c in a.columns] == [cells(c) for c in b.columns]


def cells(column: Any) -> tuple[str, list[Any]]:
    if column.levels is None:
        return column.name, [None if v != v else v for v in column.values.tolist()]
    return column.name, [None if code < 0 else column.levels[code] for code in column.values]


def test_numbers() -> None:
    X = np.arange(6.0).reshape(3, 2)
    read_only = X.copy()
    read_only.flags.writeable = False
    lists = (X.tolist(), tuple(map(tuple, X)), list(X))
    for given in (X, np.asfortranarray(X), X[::-1][::-1], *lists, Arraylike(X), X.astype(object), read_only):
        table = table_of(given)
        assert table.names == ["x0", "x1"]
        assert table.rows == 3
        for m, column in enumerate(table.columns):
            assert column.levels is None
            assert column.values.flags.c_contiguous
            assert column.values.tolist() == [m, m + 2.0, m + 4.0]
            assert not np.shares_memory(column.values, X)


def test_texts_and_numbers() -> None:
    rows: list[list[Any]] = [[1.5, "a", True], [None, " b", False], [3, None, None]]
    names = ["x", "w", "t"]
    array = np.array(rows, dtype=object)
    mapping = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    records = np.array([tuple(row) for row in rows], dtype=[(name, "O") for name in names])
    want = table_of(mapping)
    assert cells(want["x"]) == ("x", [1.5, None, 3.0])
    assert cells(want["w"]) == ("w", ["a", "b", None])
    assert cells(want["t"]) == ("t", ["True", "False", None])
    for given in (rows, array, array.tolist(), Arraylike(array), records, want):
        assert same(table_of(given, names=names), want)


class Text(str, enum.Enum):
    A = "a"


STRUCTURED = np.array([(1, "u"), (2, "v")], dtype=[("a", "i4"), ("b", "U1")])
MAPPING = {"a": [1], "date": [np.datetime64("2020-01-01")], "b": ["u"]}


@pytest.mark.parametrize(
    ("X", "options", "want"),
    [
        *((np.array([["1", "a"], ["2", ""]], dtype=t), {}, {"x0": ["1", "2"], "x1": ["a", None]}) for t in ("U3", "S3", object)),
        (STRUCTURED, {}, {"a": [1.0, 2.0], "b": ["u", "v"]}),
        (STRUCTURED.view(np.recarray), {}, {"a": [1.0, 2.0], "b": ["u", "v"]}),
        (np.ma.MaskedArray([[1, 2], [3, 4]], [[False, True], [False, False]]), {}, {"x0": [1.0, 3.0], "x1": [None, 4.0]}),
        (MAPPING, {"needed": {"b", "a", "other"}}, {"a": [1.0], "b": ["u"]}),
        (MAPPING, {"needed": ()}, {}),
        ([[1.0, 2.0]], {"needed": {"x1"}}, {"x1": [2.0]}),
        ([[1.0, "u"]], {"needed": {"x1"}}, {"x1": ["u"]}),
        ([[1, 2]], {"names": ["a", "b"]}, {"a": [1.0], "b": [2.0]}),
        ({0: [1.0], 1: [2.0]}, {}, {"x0": [1.0], "x1": [2.0]}),
        ({0: [1.0], 1: [2.0]}, {"names": ["a", "b"]}, {"a": [1.0], "b": [2.0]}),
        ({Text.A: [Text.A, "b"]}, {}, {"a": ["a", "b"]}),
    ],
)
def test_names_and_cells(X: Any, options: dict[str, Any], want: dict[str, list[Any]]) -> None:
    table = table_of(X, **options)
    assert dict(map(cells, table.columns)) == want and list(want) == table.names
    assert table.rows == len(next(iter(want.values()), [1]))


def test_names_that_do_not_go_with_an_array() -> None:
    words = "X has 2 features, but 3 features are expected as input, in this order: 'a', 'b', 'c'"
    refused(ValueError, words, table_of, [[1, 2]], names=["a", "b", "c"])
    refused(ValueError, "'a' is used 2 times", table_of, [[1, 2]], names=["a", "a"])


@pytest.mark.parametrize(
    ("X", "kind", "words"),
    [
        ({"a": [1], "": [2]}, ValueError, "column 2 of 2 has an empty name"),
        ({" a": [1]}, ValueError, "column ' a' has blanks around its name: remove them, such as X.columns.*strip"),
        ({"\ud800": [1]}, ValueError, "not valid Unicode: rename"),
        ({"a": [1], 1: [2]}, TypeError, "Feature names are only supported if all input features have string names.*'int', 'str'"),
        ({("a", "b"): [1]}, TypeError, "several levels of names"),
        ({"a": [1, 2], "b": [1]}, ValueError, "column 'b' has 1 rows, others have 2"),
        ({"a": 1.0}, ValueError, "write it as a list"),
        ({"a": "text"}, ValueError, "write it as a list"),
        ({}, ValueError, r"0 sample\(s\)"),
        ({"a": []}, ValueError, r"0 sample\(s\) \(shape=\(0, 1\)\)"),
        (np.zeros((0, 3)), ValueError, r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required."),
        (np.zeros((12, 0)), ValueError, r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required."),
        ([], ValueError, "Expected 2D array, got 1D"),
        ([1, 2], ValueError, "Reshape your data"),
        (3.0, ValueError, "got scalar"),
        (None, ValueError, "got scalar"),
        ("text", ValueError, "got scalar"),
        (np.zeros((2, 2, 2)), ValueError, "Found array with dim 3"),
        (np.zeros((2, 2)) * 1j, ValueError, "Complex data not supported"),
        (np.zeros((2, 2), dtype="M8[s]"), TypeError, "column 'x0' holds dates"),
        ([[1.0, {"foo": "bar"}]], TypeError, "column 'x1', row 1: .*argument must be a string.* number"),
        ([[1.0], [[2.0]]], ValueError, "not a table|Expected 2D"),
    ],
)
def test_refused_tables(X: Any, kind: type[Exception], words: str) -> None:
    refused(kind, words, table_of, X)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of NumPy before 1.24
@pytest.mark.parametrize("X", [[[1.0, 2.0], [3.0]], [[1.0], 2.0], [["a"], ["b", "c"]]])
def test_rows_of_different_lengths(X: Any) -> None:
    refused(ValueError, r"not a table|Expected 2D", table_of, X)


@pytest.mark.parametrize("make", ["csr_matrix", "coo_matrix", "csr_array", "dok_matrix"])
def test_sparse_matrices(make: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[0.0, 2.0, 0.0], [-1.0, 0.0, np.nan]])
    X = getattr(sparse, make)(dense)
    assert [column.name for column in table_of(X).columns] == ["x0", "x1", "x2"]
    np.testing.assert_array_equal(np.c_[tuple(column.values for column in table_of(X).columns)], dense)
    (column,) = table_of(X, names=["a", "b", "c"], needed={"b"}).columns
    assert (column.name, column.values.tolist()) == ("b", [2.0, 0.0])
    refused(TypeError, "Sparse data was passed for y", target_of, X)
    refused(ValueError, "X has 3 features, but 2 features are expected", table_of, X, names=["a", "b"])


def test_sparse_matrices_that_repeat_a_cell_or_are_too_large() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    twice = sparse.csc_matrix((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(2, 1))
    assert table_of(twice).columns[0].values.tolist() == [3.0, 0.0]
    assert len(twice.data) == 2  # X is not changed
    huge = sparse.csr_matrix((1_000_000, 50_000))
    refused(ValueError, r"1000000 rows of 50000 columns are 400\.0 GB, more than 4 GB: reduce the columns first", table_of, huge)
    assert table_of(huge, needed={"x7"}).rows == 1_000_000
    refused(ValueError, "Complex data", table_of, sparse.csr_matrix([[1j]]))
    refused(ValueError, r"0 sample\(s\)", table_of, sparse.csr_matrix((0, 3)))


def test_cells_that_are_not_finite() -> None:
    table = table_of({"a": [1.0, 2.0, np.nan], "b": ["u", None, "v"]})
    check_cells(table, missing=True)
    refused(ValueError, "Input X contains NaN: column 'a', row 3", check_cells, table, missing=False)
    refused(ValueError, "Input X contains NaN: column 'b', row 2", check_cells, table_of({"b": ["u", "", "v"]}), missing=False)
    for infinite in (np.inf, -np.inf):
        with pytest.raises(ValueError, match=r"Input X contains infinity or a value too large for dtype\('float64'\): column 'a', row 2"):
            check_cells(table_of({"a": [np.nan, infinite]}), missing=True)


class Unhashable(str):
    __hash__ = None  # type: ignore[assignment]


# Cells of strangers, of which a table may hold or refuse any.
CELLS: list[Any] = [
    0, 1.5, -(10**20), 10**400, "a", " a", "", "NA", "\ud800", b"x", b"\xff", None, np.nan, np.inf, True, np.True_, 1j,
    {}, set(), (1,), [], [1], object(), type, ..., slice(3), range(3),
    datetime.date(2020, 1, 1), datetime.timedelta(1), np.datetime64("2020"), np.timedelta64(3),
    decimal.Decimal("1.5"), decimal.Decimal("NaN"), decimal.Decimal("sNaN"), fractions.Fraction(1, 3), np.float16(2),
    np.longdouble("1e400"),
    np.array(3), np.array([3]), np.array([1, 2]), np.str_("u"), np.void(b"abc"), np.ma.masked, Text.A, Unhashable("a"), bytearray(b"a"),
]  # fmt: skip


def table_or_fault(X: Any) -> Table | str:
    """Return a table or why it is refused."""
    try:
        return table_of(X)
    except (TypeError, ValueError) as error:
        return str(error)


@pytest.mark.filterwarnings("ignore")  # of NumPy about what it converts
@pytest.mark.parametrize("seed", range(20))
def test_random_cells(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(50):
        few = random.integers(0, len(CELLS), 3)
        rows = [[CELLS[random.choice(few)] for _ in range(3)] for _ in range(int(random.integers(1, 5)))]
        array = np.empty((len(rows), 3), dtype=object)
        for n, row in enumerate(rows):
            for m, cell in enumerate(row):
                array[n, m] = cell
        for X in (rows, array, {f"c{m}": array[:, m] for m in range(3)}, {f"c{m}": array[:, m].tolist() for m in range(3)}):
            table = table_or_fault(X)
            if isinstance(table, str):
                assert table
                continue
            assert table.rows == len(rows)
            for column in table.columns:
                assert column.values.shape == (len(rows),)
                if column.levels is None:
                    assert column.values.dtype == np.float64
                else:
                    assert all(type(level) is str for level in column.levels)
                    assert np.all((column.values >= -1) & (column.values < len(column.levels)))


def test_taking_rows() -> None:
    table = table_of({"a": [1.0, 2.0, 3.0], "b": ["u", "v", "u"]})
    for index in ([2, 0], np.array([True, False, True]), slice(None, None, 2)):
        part = table.taking(index)
        assert part.rows == 2
        assert sorted(cells(part["a"])[1]) == [1.0, 3.0]
        assert cells(part["b"])[1] == ["u", "u"]
    with pytest.raises(KeyError):
        table["c"]


def test_targets() -> None:
    y = np.array([1.0, 2.0])
    for given in (y, y.tolist(), y[:, np.newaxis], y.astype(int), y.astype("float32"), Arraylike(y)):
        assert [cells(c) for c in target_of(given).columns] == [("y", [1.0, 2.0])]
    assert [cells(c) for c in target_of({"a": y, "b": y + 1}).columns] == [("a", [1.0, 2.0]), ("b", [2.0, 3.0])]
    assert [cells(c) for c in target_of(np.stack([y, y + 1], axis=1)).columns] == [("y0", [1.0, 2.0]), ("y1", [2.0, 3.0])]
    assert target_of(y, "x", taken=["x", "x_target"]).names == ["x_target_target"]
    assert cells(target_of(["b", "a"]).columns[0]) == ("y", ["b", "a"])
    assert cells(target_of([True, False]).columns[0]) == ("y", ["True", "False"])


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([1.0, np.nan], "Input y contains NaN: column 'y', row 2"),
        (["a", None], "Input y contains NaN: column 'y', row 2"),
        ([1.0, np.inf], r"Input y contains infinity or a value too large for dtype\('float64'\)"),
        ([], r"0 sample\(s\)"),
        (np.zeros((2, 2, 2)), "dim 3"),
        (1.0, "got scalar"),
        ([1j], "Complex data not supported"),
    ],
)
def test_refused_targets(y: Any, words: str) -> None:
    refused(ValueError, words, target_of, y)


def test_weights() -> None:
    assert weights_of(None, 3) is None
    for given in ([1, 0, 2], np.array([1, 0, 2], dtype="float32"), Arraylike([1.0, 0.0, 2.0])):
        weights = weights_of(given, 3)
        assert weights is not None
        assert weights.dtype == np.float64
        assert weights.tolist() == [1.0, 0.0, 2.0]
    assert np.array_equal(np.asarray(weights_of(2, 3)), [2.0, 2.0, 2.0])


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, 2.0], r"sample_weight.shape == \(2,\), expected \(3,\)!"),
        (np.ones((3, 2)), "Sample weights must be 1D array or scalar"),
        ([1.0, -1.0, 2.0], "Negative values in data passed to `sample_weight`: row 2"),
        ([1.0, np.nan, 2.0], "Input sample_weight contains NaN: column 'sample_weight', row 2"),
        ([1.0, np.inf, 2.0], "Input sample_weight contains infinity"),
        ([0.0, 0.0, 0.0], "all values of sample_weight are zero"),
    ],
)
def test_refused_weights(weights: Any, words: str) -> None:
    refused(ValueError, words, weights_of, weights, 3)
