"""Estimators with frames: categories, missing values, targets and weights of every type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import refused
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from tskgraph import DataError, TSKClassifier, TSKRegressor

pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")


ROWS = 200
SMALL: dict[str, Any] = {"preset": "paper", "iterations": 20, "rules": 3, "batch": 32}

pytestmark = pytest.mark.usefixtures("binary")


@pytest.fixture(name="X")
def frame() -> Any:
    """Return a frame of every type of column, cells of which are missing."""
    random = np.random.default_rng(1)
    X = pandas.DataFrame(
        {
            "a": random.normal(size=ROWS),
            "word": pandas.Categorical(random.choice(["u", "v"], ROWS)),
            "object": random.choice(["x", "y", None], ROWS),
            "flag": random.random(ROWS) < 0.5,
            "count": pandas.array(random.integers(0, 9, ROWS), dtype="Int64"),
            "size": pandas.Categorical(random.choice(["S", "M", "L"], ROWS), categories=["S", "M", "L", "XL"], ordered=True),
        },
        index=random.permutation(ROWS),
    )
    X.iloc[::10, 0] = np.nan
    X.iloc[5::10, 4] = pandas.NA
    return X


@pytest.fixture(name="y")
def target(X: Any) -> Any:
    y = X["a"].fillna(0) + 2 * (X["word"] == "u") + X["size"].cat.codes
    return y.rename("price")


def columns_of(model: Any) -> dict[str, tuple[str, Any]]:
    return {c["name"]: (c["encoding"], c["levels"]) for c in model.model_.document["columns"]}


def test_a_frame_of_every_type(X: Any, y: Any) -> None:
    model = TSKRegressor(**SMALL, missing="mean").fit(X, y)
    assert columns_of(model) == {
        "a": ("numeric", None),
        "word": ("onehot", ["u", "v"]),
        "object": ("onehot", ["x", "y"]),
        "flag": ("onehot", ["False", "True"]),
        "count": ("numeric", None),
        "size": ("ordinal", ["S", "M", "L", "XL"]),
    }
    assert model.feature_names_in_.tolist() == list(X)
    assert model.model_.targets == ["price"]
    assert model.score(X, y) > 0.5
    want = model.predict(X)
    np.testing.assert_array_equal(model.predict(dict(X)), want)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        np.testing.assert_array_equal(model.predict(X.to_numpy()), want)
    np.testing.assert_array_equal(
        TSKRegressor(**SMALL, missing="mean").fit(X.astype(object).astype({"size": X["size"].dtype}), y).predict(X), want
    )


def test_refused_frames(X: Any, y: Any) -> None:
    for given, kind, words in (
        (X.assign(a=np.inf), ValueError, "Input X contains infinity.*column 'a', row 1"),
        (X.rename(columns={"word": "a"}), ValueError, "'a' is used 2 times"),
        (X.iloc[:0], ValueError, r"0 sample\(s\)"),
        (X[[]], ValueError, r"0 feature\(s\)"),
        (X.assign(a=pandas.Timestamp("2020-01-01")), TypeError, "column 'a' holds dates"),
        (
            X.assign(a=[f"id {n}" for n in range(ROWS)]),
            DataError,
            "'a' has 200 levels, .*'id 0': group them, .*set categorical={'a': 'onehot'}",
        ),
        (
            X.assign(a=pandas.Categorical([f"{n / 8:.2f}" for n in range(ROWS)])),
            DataError,
            "'a' has 200 levels, .*'0.00': convert it to numbers",
        ),
        (X.assign(a=np.nan), DataError, '"a" has no value in any row'),
        (X.assign(word=pandas.Categorical([None] * ROWS, categories=["u"])), DataError, '"word" has no value in any row'),
        (X.rename(columns={"a": "word=u"}), DataError, '"word=u" is used twice: rename'),
    ):
        refused(kind, words, TSKRegressor(**SMALL, missing="mean").fit, given, y[: len(given)])


def test_texts_that_are_numbers(X: Any, y: Any) -> None:
    numbers = TSKRegressor(**SMALL, missing="mean").fit(X, y)
    texts = X.assign(a=[f" {v!r} " for v in X["a"]])
    model = TSKRegressor(**SMALL, missing="mean").fit(texts, y)
    assert model.model_ == numbers.model_
    assert (model.predict(texts) == numbers.predict(X)).all()
    assert model.explain_local(texts[1:3]).data[:, 0].tolist() == X["a"][1:3].tolist()
    refused(TypeError, "'a', row 2: expected a number, got the text 'x'", model.predict, texts.assign(a=["1", "x"] * (ROWS // 2)))
    assert (
        columns_of(TSKRegressor(**SMALL, missing="mean", categorical={"size": "onehot", "a": "ordinal"}).fit(texts, y))["a"][0] == "ordinal"
    )
    one = X.assign(a=["17", "x", *map(str, range(18, 16 + ROWS))])
    said = "'a' is a category, because row 2 holds 'x', but 199 of 200 texts are numbers"
    with pytest.warns(UserWarning, match=said) as warned, pytest.raises(DataError, match="levels, too many"):
        TSKRegressor(**SMALL, missing="mean").fit(one, y)
    assert warned[0].filename == __file__


def test_encodings_that_are_given(X: Any, y: Any) -> None:
    ids = X.assign(a=[f"id {n % 60}" for n in range(ROWS)])
    given = {"a": "ordinal", "word": ["v", "u"], "size": "onehot"}
    found = columns_of(TSKRegressor(**SMALL, missing="mean", categorical=given).fit(ids, y))
    assert found["a"][0] == "ordinal"
    assert found["word"] == ("ordinal", ["v", "u"])
    assert found["size"] == ("onehot", ["L", "M", "S"])


def test_targets_of_regression(X: Any, y: Any) -> None:
    def fit(given: Any, **settings: Any) -> Any:
        return TSKRegressor(**SMALL, missing="mean", **settings).fit(X, given)

    want = fit(y).predict(X)
    for given in (y.to_numpy(), y.tolist(), y.astype("Float64"), y.astype(object), y.astype(str), y.reset_index(drop=True)):
        np.testing.assert_array_equal(fit(given).predict(X), want)
    with pytest.warns(Warning, match="column-vector y"):
        assert fit(y.to_frame()).model_.targets == ["price"]
    several = fit(pandas.DataFrame({"p": y, "q": -y}))
    assert several.model_.targets == ["p", "q"]
    assert several.predict(X).shape == (ROWS, 2)
    assert fit(y.rename("a")).model_.targets == ["a_target"]
    assert set(np.unique(fit(y > 1).predict(X) > 0.5)) == {False, True}
    for missing in (y.where(y > 0), y.astype("Float64").where(y > 0), y.where(y > 0).tolist()):
        refused(ValueError, r"Input y contains NaN: column '(price|y)', row", fit, missing)
    refused(TypeError, "column 'price', row 1: expected a number, got the text", fit, "about " + y.astype(str))


def test_labels_of_classes(X: Any, y: Any) -> None:
    words = pandas.Series(np.where(y > 1, "high", "low"), index=X.index, name="kind")

    def fit(given: Any) -> Any:
        return TSKClassifier(**SMALL, missing="mean").fit(X, given)

    want = fit(words).predict(X)
    for given in (words.to_numpy(), words.tolist(), words.astype("category"), words.astype("string"), pandas.Categorical(words)):
        model = fit(given)
        assert model.classes_.tolist() == ["high", "low"]
        np.testing.assert_array_equal(model.predict(X), want)
    assert fit(words).model_.targets == ["kind"]
    truths, numbers = words == "high", (words == "high") * 1
    for given, classes in (
        (truths, [False, True]),
        (truths.astype("boolean"), [False, True]),
        (numbers.astype("Int64"), [0, 1]),
        (numbers, [0, 1]),
    ):
        model = fit(given)
        assert model.classes_.tolist() == classes
        assert model.predict(X).dtype == model.classes_.dtype
        np.testing.assert_array_equal(model.predict(X), np.where(want == "high", classes[1], classes[0]))
    for missing in (
        words.where(y > 0, None),
        words.where(y > 0, np.nan),
        words.astype("string").where(y > 0),
        numbers.astype("Int64").where(y > 0),
        numbers.where(y > 0),
    ):
        refused(ValueError, "Input y contains NaN: row", fit, missing)


def test_rows_without_weight_do_not_count(X: Any, y: Any) -> None:
    weights = (np.arange(ROWS) % 3 > 0) * 1.0
    model = TSKRegressor(**SMALL, missing="mean")
    want = model.fit(X[weights > 0], y[weights > 0]).predict(X)
    spoiled = y.where(weights > 0, 1e9)
    for given in (weights, weights.tolist(), pandas.Series(weights), weights.astype(int), pandas.array(weights, dtype="Float64")):
        np.testing.assert_array_equal(model.fit(X, spoiled, sample_weight=given).predict(X), want)


def test_pipelines_of_frames(X: Any, y: Any) -> None:
    numeric = make_pipeline(SimpleImputer(), StandardScaler())
    chosen = make_column_selector(dtype_include=["category", "object"])
    for rest in ("passthrough", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)):
        columns = ColumnTransformer([("numbers", numeric, ["a", "count"]), ("rest", rest, chosen)], verbose_feature_names_out=False)
        floats = X.astype({"count": "Float64"}).astype({"count": float})
        for output in ("default", "pandas"):
            model = make_pipeline(columns, TSKRegressor(**SMALL, missing="mean")).set_output(transform=output)
            assert np.isfinite(model.fit(floats, y).predict(floats.iloc[::-1])).all()
            names = getattr(model[-1], "feature_names_in_", None)
            assert (names is None) if output == "default" else (names.tolist() == ["a", "count", "word", "object", "size"])
    assert np.isfinite(cross_val_score(TSKRegressor(**SMALL, missing="mean"), X, y, cv=3)).all()
