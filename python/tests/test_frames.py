"""Frames of pandas, of polars, and of other libraries by the dataframe interchange protocol."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
from conftest import refused
from interchange import BOOL, CATEGORICAL, DATETIME, FLOAT, INT, STRING, UINT, ArrowColumn, ArrowFrame
from test_table import cells, same

from tskgraph._table import codes_of, table_of, target_of, weights_of

pandas = pytest.importorskip("pandas")

# Columns of pandas and their cells.
COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "float": (pandas.Series([1.5, None, 3.0]), [1.5, None, 3.0]),
    "int": (pandas.Series([1, 2, 3], dtype="int8"), [1.0, 2.0, 3.0]),
    "Int64": (pandas.array([1, None, 3], dtype="Int64"), [1.0, None, 3.0]),
    "UInt8": (pandas.array([1, None, 3], dtype="UInt8"), [1.0, None, 3.0]),
    "Float64": (pandas.array([1.5, None, 3], dtype="Float64"), [1.5, None, 3.0]),
    "sparse": (pandas.arrays.SparseArray([0.0, 0.0, 2.0]), [0.0, 0.0, 2.0]),
    "numbers as objects": (pandas.Series([1, pandas.NA, 2.5], dtype=object), [1.0, None, 2.5]),
    "NaT as objects": (pandas.Series([1, pandas.NaT, 2.5], dtype=object), [1.0, None, 2.5]),
    "bool": (pandas.Series([True, False, True]), ["True", "False", "True"]),
    "boolean": (pandas.array([True, None, False], dtype="boolean"), ["True", None, "False"]),
    "bools as objects": (pandas.Series([True, None, False], dtype=object), ["True", None, "False"]),
    "object": (pandas.Series(["a", None, " b "], dtype=object), ["a", None, "b"]),
    "mixed": (pandas.Series(["a", pandas.NA, 3.0], dtype=object), ["a", None, "3"]),
    "string": (pandas.array(["a", None, "NA"], dtype="string"), ["a", None, None]),
    "category": (pandas.Categorical(["a", None, "b"], categories=["unused", "b", "a"]), ["a", None, "b"]),
    "numbers as category": (pandas.Categorical([2.0, None, 0.5]), ["2", None, "0.5"]),
    "Int64 as category": (pandas.Series([2**53 + 1, None, 1], dtype="Int64").astype("category"), [str(2**53 + 1), None, "1"]),
    "bools as category": (pandas.Categorical([True, None, False]), ["True", None, "False"]),
    "blanks as category": (pandas.Categorical(["a ", "a", ""]), ["a", "a", None]),
    "intervals": (pandas.cut(pandas.Series([1, 5, None]), [0, 3, 6]), ["(0, 3]", "(3, 6]", None]),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_pandas(name: str) -> None:
    values, want = COLUMNS[name]
    frame = pandas.DataFrame({"other": [0, 1, 2], "c": values})
    frame.index = [7, 7, -1]
    for given in (frame, {"other": [0, 1, 2], "c": values}, {"other": [0, 1, 2], "c": frame["c"]}, frame[["other", "c"]].copy()):
        assert cells(table_of(given)["c"]) == ("c", want)


def test_categories_with_an_order() -> None:
    values = pandas.Categorical(["b", "a", None], categories=["b", "c", "a"], ordered=True)
    for given in (pandas.DataFrame({"c": values}), {"c": pandas.Series(values)}, {"c": values}):
        column = table_of(given)["c"]
        assert column.ordered
        assert column.levels == ("b", "c", "a")
    assert table_of(pandas.DataFrame({"c": values})).taking([1]).columns[0].ordered
    assert not table_of(pandas.DataFrame({"c": values.as_unordered()}))["c"].ordered


def test_rows_of_a_filtered_frame() -> None:
    frame = pandas.DataFrame({name: values for name, (values, _) in COLUMNS.items()})
    part = table_of(frame[frame["int"] > 1].iloc[::-1])
    for name, (_, want) in COLUMNS.items():
        assert cells(part[name]) == (name, [3.0, None] if name == "mixed" else want[:0:-1])  # no text is left in it


def test_names_of_pandas() -> None:
    frame = pandas.DataFrame([[1.0, "u"], [2.0, "v"]])
    assert table_of(frame).names == ["x0", "x1"]
    assert table_of(frame, names=["a", "b"]).names == ["a", "b"]
    frame.columns = ["a", 1]
    refused(TypeError, "Feature names are only supported if all input features have string names", table_of, frame)
    frame.columns = ["a", "a"]
    refused(ValueError, "the column name 'a' is used 2 times", table_of, frame)
    frame.columns = pandas.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    refused(TypeError, "several levels of names: join them", table_of, frame)
    frame.columns = pandas.CategoricalIndex(["b", "a"])
    assert table_of(frame).names == ["b", "a"]


@pytest.mark.parametrize(
    "values",
    [
        pandas.Series(pandas.to_datetime(["2020-01-01", "2020-01-02"])),
        pandas.Series(pandas.to_datetime(["2020-01-01", "2020-01-02"])).dt.tz_localize("UTC"),
        pandas.Series(pandas.to_timedelta([1, 2], unit="s")),
        pandas.Series(pandas.period_range("2020", periods=2, freq="D")),
        pandas.Series([pandas.Timestamp("2020-01-01"), None], dtype=object),
    ],
)
def test_dates_of_pandas(values: Any) -> None:
    frame = pandas.DataFrame({"a": [1, 2], "t": values})
    refused(TypeError, r"column 't'.*(dates or times|a date or a time).*replace", table_of, frame)
    assert table_of(frame, needed={"a"}).names == ["a"]


def test_targets_and_weights_of_pandas() -> None:
    y = pandas.Series([1.0, 2.0], name="price", index=[5, 3])
    for given in (y, y.to_frame(), y.astype("Float64"), y.astype(object)):
        assert cells(target_of(given).columns[0]) == ("price", [1.0, 2.0])
    assert target_of(y, taken=["price"]).names == ["price_target"]
    assert target_of(y.rename(None)).names == target_of(y.rename(3)).names == target_of(y.rename(" ")).names == ["y"]
    assert target_of(pandas.DataFrame({"a": y, "b": y})).names == ["a", "b"]
    assert cells(target_of(pandas.Series(["u", "v"], dtype="category")).columns[0]) == ("y", ["u", "v"])
    for given in (y.where(y > 1), y.astype("Float64").where(y > 1)):
        refused(ValueError, "Input y contains NaN: column 'price', row 1", target_of, given)
    weights = weights_of(y.astype("Int64"), 2)
    assert weights is not None
    assert weights.tolist() == [1.0, 2.0]
    refused(ValueError, "Input sample_weight contains NaN", weights_of, pandas.array([1, None], dtype="Int64"), 2)


def test_protocol_of_pandas() -> None:
    class Foreign:
        """A frame that only has the protocol."""

        def __init__(self, frame: Any) -> None:
            self.frame = frame

        def __dataframe__(self) -> Any:
            return self.frame.__dataframe__()

    names = ["float", "int", "bool", "object", "category"]
    frame = pandas.DataFrame({name: COLUMNS[name][0] for name in names})
    assert same(table_of(Foreign(frame)), table_of(frame))
    assert same(table_of(Foreign(frame.iloc[1:])), table_of(frame.iloc[1:]))


def arrow_frame(**options: Any) -> ArrowFrame:
    words = ArrowColumn(["unused", "\u00e9", " b", None], STRING)
    return ArrowFrame(
        {
            "int": ArrowColumn([9, 1, None, 3, 4], INT, **options),
            "uint": ArrowColumn([9, 1, 2, 3, 255], UINT, **options),
            "float": ArrowColumn([9.0, 1.5, None, float("nan"), 4.0], FLOAT, **options),
            "bool": ArrowColumn([True, True, None, False, True], BOOL, **options),
            "text": ArrowColumn(["x", "\u00e9\U0001f600", None, " b ", ""], STRING, **options),
            "short": ArrowColumn(["x", "b", "", "NA", "b"], STRING, wide=False, **options),
            "category": ArrowColumn([0, 1, None, 2, 3], CATEGORICAL, categories=words, **options),
            "numbers": ArrowColumn([0, 1, None, 0, 1], CATEGORICAL, categories=ArrowColumn([2.5, 3.0], FLOAT), **options),
        }
    )


@pytest.mark.parametrize("chunks", [1, 2, 3, 4])
def test_protocol_of_arrow(chunks: int) -> None:
    table = table_of(arrow_frame(offset=1, chunks=chunks))
    assert [cells(c) for c in table.columns] == [
        ("int", [1.0, None, 3.0, 4.0]),
        ("uint", [1.0, 2.0, 3.0, 255.0]),
        ("float", [1.5, None, None, 4.0]),
        ("bool", ["True", None, "False", "True"]),
        ("text", ["\u00e9\U0001f600", None, "b", None]),
        ("short", ["b", None, None, "b"]),
        ("category", ["\u00e9", None, "b", None]),
        ("numbers", ["3", None, "2.5", "3"]),
    ]


def test_bits_of_many_rows() -> None:
    flags = (np.random.default_rng(1).random(1000) < 0.5).tolist()
    for offset in (0, 1, 7, 8, 9, 995):
        table = table_of(ArrowFrame({"a": ArrowColumn(flags, BOOL, offset=offset)}))
        assert cells(table["a"])[1] == [str(flag) for flag in flags[offset:]]


def test_refusals_of_the_protocol() -> None:
    class Stream:
        def __arrow_c_stream__(self) -> None:
            raise AssertionError

    refused(TypeError, r"X is a Stream of Arrow.*: pass a frame, such as polars.DataFrame\(X\)", table_of, Stream())
    refused(TypeError, r"column 't' holds dates or times .tsu:.", table_of, ArrowFrame({"t": ArrowColumn([1, 2], DATETIME)}))
    refused(TypeError, "categorical without a dictionary", table_of, ArrowFrame({"c": ArrowColumn([0, 1], CATEGORICAL)}))
    refused(ValueError, r"0 sample\(s\)", table_of, ArrowFrame({"t": ArrowColumn([], FLOAT)}))


class Series:
    """A series with the part of polars' interface that is used."""

    def __init__(self, name: str, values: Any) -> None:
        self.name, self.values = name, values
        self.dtype = type("Enum", (), {"categories": self})()  # no type of NumPy
        self.to_numpy = lambda: np.asarray(values)

    def __len__(self) -> int:
        return len(self.values)


class DataFrame:
    """A frame with the part of polars' interface that is used."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self.series = [Series(name, values) for name, values in columns.items()]
        self.columns, self.height = list(columns), len(self.series[0])
        self.to_series = self.series.__getitem__

    def __dataframe__(self) -> Any:
        raise AssertionError("newer versions of polars warn of it")


class LazyFrame:
    """A frame without rows."""


@pytest.fixture
def polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in for polars, whose series give arrays: NaN for missing integers, None for missing texts and booleans."""
    module = types.ModuleType("polars")
    module.DataFrame, module.LazyFrame = DataFrame, LazyFrame  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "polars", module)


@pytest.mark.usefixtures("polars")
def test_frames_of_polars() -> None:
    frame = DataFrame(
        {
            "i64": np.array([1.0, np.nan]),
            "bool": np.array([True, None], dtype=object),
            "text": np.array([" a", None], dtype=object),
            "date": np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"),
        }
    )
    table = table_of(frame, needed={"i64", "bool", "text"})
    assert [cells(c) for c in table.columns] == [("i64", [1.0, None]), ("bool", ["True", None]), ("text", ["a", None])]
    refused(TypeError, "column 'date' holds dates or times", table_of, frame)
    refused(TypeError, r"pass X.collect\(\)", table_of, LazyFrame())
    assert cells(target_of(Series("price", np.array([1, 2]))).columns[0]) == ("price", [1.0, 2.0])
    assert target_of(DataFrame({"a": [1.0], "b": [2.0]})).names == ["a", "b"]


def random_column(random: np.random.Generator, rows: int) -> tuple[Any, list[Any]]:
    """Return a column of pandas and its cells."""
    values, want = COLUMNS[random.choice([name for name in COLUMNS if name != "intervals"])]  # as objects they are refused
    index = random.integers(0, len(want), rows)
    return pandas.Series(values).iloc[index].reset_index(drop=True), [want[i] for i in index]


@pytest.mark.filterwarnings("ignore:The behavior of .astype:FutureWarning")  # of pandas about sparse columns
@pytest.mark.parametrize("seed", range(30))
def test_random_frames(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 40))
    made = {f"c{i}": random_column(random, rows) for i in range(int(random.integers(1, 6)))}
    frame = pandas.DataFrame({name: values for name, (values, _) in made.items()})
    table = table_of(frame)
    codes = {name: codes_of(table[name], ["b", "2", "True", "a"]).tolist() for name in made}
    for name, (_, want) in made.items():
        column = table[name]
        if column.levels is None or any(want):  # a column of missing values alone has no type
            assert [None if v is None else str(v) for v in cells(column)[1]] == [None if v is None else str(v) for v in want]
    order = random.permutation(list(made))
    for given in (frame[order], {name: frame[name].to_numpy() for name in order}, {name: frame[name].tolist() for name in order}):
        other = table_of(given)
        for name in made:
            assert codes_of(other[name], ["b", "2", "True", "a"]).tolist() == codes[name]
    objects = table_of(frame.to_numpy(dtype=object), names=list(frame))
    assert {name: codes_of(objects[name], ["b", "2", "True", "a"]).tolist() for name in made} == codes
