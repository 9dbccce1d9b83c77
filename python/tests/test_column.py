"""Columns of values of every type, and the texts of levels."""

from __future__ import annotations

import datetime
import decimal
import fractions
from typing import Any

import numpy as np
import pytest
from conftest import refused

from tskgraph._column import Column, codes_of, column_of, number_of, numbers_of

NAN = float("nan")


def texts_of(column: Column) -> list[str | None]:
    """Return the texts of a category's rows, None where one is missing."""
    assert column.levels is not None
    assert len(set(column.levels)) == len(column.levels)
    return [None if code < 0 else column.levels[code] for code in column.values]


def numbers(values: Any) -> list[float | None]:
    """Return the numbers that a column of values has, None where one is missing."""
    column = column_of("c", values)
    assert column.levels is None
    assert column.values.dtype == np.float64
    return [None if v != v else v for v in column.values.tolist()]


@pytest.mark.parametrize("text", ["1", "-1.5", "+.5", "5.", "1e3", "2E-7", "1e-400", "0012"])
def test_texts_of_numbers(text: str) -> None:
    assert number_of(text) == float(text)


@pytest.mark.parametrize("text", ["", "x", "1,5", "1_000", "1 000", "0x10", "inf", "1e400", "\u0663", "--1", ".", "e3", "1e", "True"])
def test_texts_of_no_numbers(text: str) -> None:
    assert np.isnan(number_of(text))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int64", "uint64", "float16", "float32", "float64", "longdouble", "object", ">f8", "<i2"]
)
def test_numbers_of_every_type(dtype: str) -> None:
    values = np.array([1, 3, 5], dtype=dtype)
    strided = np.array([[1, 0], [3, 0], [5, 0]], dtype=dtype)[:, 0]
    for given in (values, strided, values.tolist(), tuple(values), range(1, 6, 2)):
        assert numbers(given) == [1.0, 3.0, 5.0]


def test_numbers_that_no_float64_has() -> None:
    assert numbers(np.array([2**53 + 1, -(2**63)])) == [2.0**53, -(2.0**63)]
    assert numbers([10**30, 1]) == [1e30, 1.0]
    assert numbers(np.array(["1e4000"], dtype=np.longdouble))[0] in (float("inf"), 1e308)


def test_objects_that_are_numbers() -> None:
    values = [decimal.Decimal("1.5"), fractions.Fraction(1, 4), np.float32(0.5), np.int8(3), 2, True, None, NAN, np.array(7.0)]
    column = np.empty(len(values), dtype=object)
    column[:] = values
    assert numbers(column) == [1.5, 0.25, 0.5, 3.0, 2.0, 1.0, None, None, 7.0]
    assert numbers([None, None]) == [None, None]


def test_masked_values() -> None:
    mask = [False, True, False]
    assert numbers(np.ma.MaskedArray([1, 2, 3], mask)) == [1.0, None, 3.0]
    assert numbers(np.ma.MaskedArray([1.5, NAN, 3], False)) == [1.5, None, 3.0]
    assert texts_of(column_of("c", np.ma.MaskedArray(["u", "v", "u"], mask))) == ["u", None, "u"]
    assert texts_of(column_of("c", np.ma.MaskedArray([True, True, False], mask))) == ["True", None, "False"]


def test_texts_of_levels() -> None:
    same: list[Any] = [" a ", "a", b"a", np.str_("a"), np.bytes_(b"a"), "\u00a0a\u2003", "a\n"]
    assert texts_of(column_of("c", same)) == ["a"] * 7
    missing: list[Any] = [None, NAN, np.float32("nan"), np.nan, "", " ", "NA", "n/a", "?", " null", "NaN", "\u3000"]
    assert texts_of(column_of("c", [*missing, "x"])) == [None] * 12 + ["x"]
    other: list[Any] = ["Na.", "none", "??", "d\x1f", "a\x00b", "a\nb", "\u00e9\U0001f600", "inf", "-", "#"]
    assert texts_of(column_of("c", other)) == other


def test_numbers_among_texts() -> None:
    same: list[Any] = [3.0, 3, np.int64(3), 2.5, np.float32(0.5), -0.0, 1e22, 10**22, 2**63, 10**400, 2**53 + 1, float("inf")]
    want = ["3", "3", "3", "2.5", "0.5", "0", "1e+22", "1e+22", "9.223372036854776e+18", str(10**400), "9007199254740993", "inf"]
    assert texts_of(column_of("c", ["x", *same, fractions.Fraction(1, 2)])) == ["x", *want, "0.5"]


def test_true_is_not_one_among_texts() -> None:
    assert texts_of(column_of("c", [True, 1, "x", 1.0, False, 0, "True"])) == ["True", "1", "x", "1", "False", "0", "True"]


@pytest.mark.parametrize("values", [np.array([True, False]), [True, False], np.array([True, False], dtype=object), [np.True_, np.False_]])
def test_booleans(values: Any) -> None:
    assert column_of("c", values).levels == ("False", "True")
    assert texts_of(column_of("c", values)) == ["True", "False"]
    assert texts_of(column_of("c", [*values, None])) == ["True", "False", None]


@pytest.mark.parametrize(
    ("values", "kind", "words"),
    [
        (np.array(["2020-01-01"], dtype="M8[D]"), TypeError, "column 'c' holds dates or times .datetime64.D..,.* the year"),
        (np.array([5], dtype="m8[s]"), TypeError, "column 'c' holds dates or times .*total_seconds"),
        ([datetime.date(2020, 1, 1)], TypeError, "column 'c', row 1: .* is a date or a time"),
        ([1.0, datetime.timedelta(1)], TypeError, "column 'c', row 2: .* is a date or a time"),
        (["x", datetime.date(2020, 1, 1)], TypeError, "column 'c', row 2: .* neither a text nor a number"),
        (["x", None, {"foo": "bar"}], TypeError, "column 'c', row 3: {'foo': 'bar'} is neither a text nor a number"),
        ([1.0, {"foo": "bar"}], TypeError, "column 'c', row 2: .*argument must be a string.* number"),
        ([1.0, object()], TypeError, "column 'c', row 2: .*argument must be a string.* number"),
        ([1.0, 10**400], ValueError, "column 'c', row 2: 1000.* is too large for dtype"),
        ([1j], ValueError, "Complex data not supported: column 'c'"),
        (np.array([[1.0]]), ValueError, r"column 'c': expected values of one dimension, got shape \(1, 1\)"),
        (["a", "\ud800"], ValueError, "column 'c': '.ud800' is not valid Unicode"),
        ([b"a\xff"], ValueError, "is not valid Unicode"),
        (np.zeros(2, dtype=[("a", "f8")]), TypeError, "neither numbers nor texts"),
        ("text", ValueError, "one dimension"),
    ],
)
def test_refused_values(values: Any, kind: type[Exception], words: str) -> None:
    refused(kind, words, column_of, "c", values)


def test_names_in_messages_are_escaped_and_short() -> None:
    with pytest.raises(TypeError) as error:
        column_of("\x1b[31m\n" + "a" * 100_000, [object()])
    assert str(error.value).startswith(r"column '\x1b[31m\n")
    assert len(str(error.value)) < 300


def test_codes_of_rows_to_predict() -> None:
    assert codes_of(Column("c", np.array([3.0, 2.5, 4.0, np.nan, -0.0, np.inf])), ["2.5", "3", "03", "0"]).tolist() == [1, 0, -1, -2, 3, -1]
    assert codes_of(Column("c", np.array([3.0, np.nan])), ["u", "v"]).tolist() == [-1, -2]
    assert codes_of(Column("c", np.array([0, 1, -1]), ("u", "v")), ["v"]).tolist() == [-1, 0, -2]
    assert codes_of(Column("c", np.array([-1, -1]), ()), ["v"]).tolist() == [-2, -2]


def test_codes_of_numbers_agree_with_those_of_texts() -> None:
    random = np.random.default_rng(3)
    values = np.concatenate(
        [random.integers(-5, 5, 500).astype(float), random.normal(size=50), 10.0 ** random.integers(-30, 30, 50), [np.nan]]
    )
    levels = list(texts_of(column_of("c", ["x", *values.tolist()])))[1::3]
    levels = [*dict.fromkeys(level for level in levels if level is not None), "1.0", "01", "+2", "1_0", "u"]
    assert np.array_equal(codes_of(column_of("c", values), levels), codes_of(column_of("c", ["u", *values.tolist()]), levels)[1:])


def test_booleans_to_predict() -> None:
    truths = column_of("c", [False, True, None])
    assert codes_of(truths, ["false", "true"]).tolist() == [0, 1, -2]
    assert codes_of(truths, ["True", "False"]).tolist() == [1, 0, -2]
    assert codes_of(truths, ["TRUE", "x"]).tolist() == [-1, -1, -2]
    assert codes_of(Column("c", np.array([1.0, 0.0, 2.0])), ["False", "True"]).tolist() == [1, 0, -1]
    assert np.array_equal(numbers_of(truths), [0.0, 1.0, np.nan], equal_nan=True)


def test_numbers_of_texts() -> None:
    with pytest.raises(TypeError, match="column 'c', row 2: expected a number, got the text 'v': convert the column to numbers"):
        numbers_of(column_of("c", [None, "v"]))
    assert np.isnan(numbers_of(column_of("c", ["", "NA"]))).all()
