"""A table predicts the same as frame, array, mapping, list, and as CSV or Parquet by the program, which reads the same bits and texts."""

from __future__ import annotations

import csv
import io
import json
import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from interchange import BOOL, FLOAT, STRING, ArrowColumn, ArrowFrame
from test_table import cells
from trained import csv_of, parquet_of, run
from trained import train_table as train

from tskgraph import _program
from tskgraph._table import Column, Table, table_of, target_of
from tskgraph.model import Model

pandas = pytest.importorskip("pandas")

ROWS = 120

# Makers of a column of ROWS values; None is missing. Each takes a random source.
MAKERS: dict[str, Any] = {
    "normal": lambda random: random.normal(size=ROWS),
    "int": lambda random: random.integers(-5, 6, ROWS),
    "skewed": lambda random: np.exp(2 * random.normal(size=ROWS)),
    "word": lambda random: random.choice(["u", "v", 'w,"x', "\u00e9 \U0001f600"], ROWS).astype(object),
    "padded": lambda random: random.choice(["u", " u", "u\u00a0", "v ", "\tv"], ROWS).astype(object),
    "number as text": lambda random: random.choice(["1", "01", "1.0", "-2", "1e3"], ROWS).astype(object),
    "hostile": lambda random: random.choice(["a\nb", "=1+1", "'", "\x1b[31m", "a\x00b", "x" * 5000], ROWS).astype(object),
    "category of numbers": lambda random: pandas.Categorical(random.choice([1.0, 2.5, -3.0, 1e22], ROWS)),
    "category of integers": lambda random: pandas.Categorical(random.choice([10, 2, 2**40], ROWS), categories=[5, 10, 2, 2**40]),
    "flag": lambda random: random.random(ROWS) < 0.4,
    "boolean": lambda random: pandas.array(random.random(ROWS) < 0.4, dtype="boolean"),
    "Int64": lambda random: pandas.array(random.integers(0, 9, ROWS), dtype="Int64"),
    "many": lambda random: np.array([f"level {i}" for i in random.integers(0, 70, ROWS)], dtype=object),
}


def frame_of(random: np.random.Generator, names: list[str]) -> Any:
    """Return a frame with some of the columns, cells of which are missing."""
    frame = pandas.DataFrame({name: MAKERS[name](random) for name in names})
    for name in names:
        absent = random.random(ROWS) < 0.1
        frame[name] = frame[name].astype(object).where(~absent, None) if name == "flag" else frame[name].mask(absent)
    frame.index = random.permutation(ROWS)
    return frame


def fitted(frame: Any, y: Any, **settings: Any) -> Model:
    """Return a model that is trained on a frame."""
    table = table_of(frame)
    target = target_of(y, taken=table.names)
    table = Table(table.columns + target.columns, table.rows)
    encodings = {column.name: "onehot" for column in table.columns if column.levels is not None and column.name not in target.names}
    config = {
        "preset": "paper",
        "data.target": target.names[0],
        "data.missing": "mean",
        "data.categorical": encodings,
        "model.rules": 3,
        "train.iterations": 10,
        "train.batch": 16,
        **settings,
    }
    return Model.from_json(train(config, table).form)


def predicted(binary: str, model: Model, data: str | Table, directory: pathlib.Path, *options: str) -> list[dict[str, str]]:
    """Return the predictions of the program for CSV, or for a table as Parquet."""
    path, table = directory / "model.json", directory / "table.parquet"
    path.write_bytes(model.model_file())
    if isinstance(data, Table):
        table.write_bytes(parquet_of(data))
    source, given = (str(table), "") if isinstance(data, Table) else ("-", data)
    text = run(binary, "predict", "-q", "--model", str(path), "--data", source, "--out", "-", *options, given=given)
    return list(csv.DictReader(io.StringIO(text, newline="")))


def predictions(*given: Any) -> list[str]:
    """Return the predictions of `predicted` for one target."""
    return [row["y_predicted"] for row in predicted(*given)]


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(np.asarray(a, dtype=float), np.asarray(b, dtype=float), rtol=1e-12, atol=1e-12)


def later(random: np.random.Generator, frame: Any) -> Any:
    """Return rows to predict: those of a frame in another order with unknown levels and further missing cells, and further columns."""
    rows = frame.sample(frac=1.0, random_state=int(random.integers(1000))).reset_index(drop=True)
    for name in rows:
        rows[name] = rows[name].astype(object).mask(random.random(len(rows)) < 0.1)
        if name in ("word", "hostile", "many", "padded", "number as text", "category of numbers"):
            unknown = random.random(len(rows)) < 0.1
            rows[name] = rows[name].where(~unknown, pandas.Series(random.choice(["new", "Word", "3.0", "  "], len(rows))))
    order = random.permutation([*rows, "later", "also later"])
    rows["later"], rows["also later"] = pandas.Timestamp("2020-01-01"), "text"
    return rows[order]


@pytest.mark.parametrize("seed", range(6))
def test_all_kinds_of_tables_predict_the_same(binary: str, tmp_path: pathlib.Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    names = random.permutation(list(MAKERS))[: int(random.integers(3, 9))].tolist()
    frame = frame_of(random, names)
    y = random.normal(size=ROWS) + np.arange(ROWS) / 50
    model = fitted(frame, y)
    assert model.columns == names
    rows = later(random, frame)
    table = table_of(rows, needed=set(names))
    want = predictions(binary, model, csv_of(dict(map(cells, table.columns))), tmp_path)
    close(predictions(binary, model, table, tmp_path), want)
    assert len(set(want)) > 10
    ordered = rows[names]
    for given in (
        rows,
        {name: rows[name] for name in rows},
        {name: rows[name].to_numpy() for name in rows},
        {name: rows[name].tolist() for name in rows},
        ordered.to_numpy(dtype=object),
        ordered.to_numpy(dtype=object).tolist(),
        rows.set_index(random.integers(0, 3, ROWS)),
    ):
        close(model.predict(given), want)
    close([model.predict(rows.iloc[[n]])[0] for n in range(20)], want[:20])  # a row alone may have another type
    close(Model.from_json(json.dumps(model.document)).predict(rows), want)


def test_frames_by_the_protocol_predict_the_same(binary: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(7)
    names = ["normal", "word", "boolean"]
    frame = frame_of(random, names)
    model = fitted(frame, random.normal(size=ROWS))
    want = predictions(binary, model, table_of(frame), tmp_path)
    kinds = {"normal": FLOAT, "word": STRING, "boolean": BOOL}
    cells = {name: [None if pandas.isna(v) else v for v in frame[name]] for name in reversed(names)}
    for chunks in (1, 3):
        close(model.predict(ArrowFrame({name: ArrowColumn(cells[name], kinds[name], chunks=chunks) for name in cells})), want)


def test_classes_of_words_and_numbers(binary: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(8)
    frame = frame_of(random, ["normal", "word"])
    for labels in (["a", "b c", "\u00e9"], ["10", "2", "-1"], ["False", "True"], ["1", "x", "01"]):
        y = random.choice(labels, ROWS).astype(object)
        model = fitted(frame, y, task="classification")
        assert sorted(model.classes) == sorted(labels)
        rows = predicted(binary, model, table_of(frame), tmp_path)
        assert model.predict(frame).tolist() == [row["y_predicted"] for row in rows]
        close(model.predict_proba(frame), [[row[f"y_probability_{label}"] for label in model.classes] for row in rows])


def test_marks_of_missing_values(binary: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(12)
    frame = pandas.DataFrame(
        {"x": random.normal(size=ROWS), "w": random.choice(["u", "v", "-", "none"], ROWS), "n": random.choice([7, 8, 9], ROWS)}
    )
    frame.loc[::5, "x"] = -999.0
    marks = {"x": ["-999", "-0.5e1"], "w": ["none"], "n": [9], "*": ["-"]}
    model = fitted(frame, random.normal(size=ROWS), **{"data.na": marks})
    rows = pandas.DataFrame({"x": [0.5, -999, -5, 9, np.nan], "w": ["-", "none", "u", "v", "-999"], "n": [7, 8, 9, -999, 7]})
    want = predictions(binary, model, table_of(rows), tmp_path)
    assert len(set(want)) == 5
    close(model.predict(rows), want)
    close(model.predict(rows.astype(object)), want)
    missing = pandas.DataFrame({"x": [0.5, None, None, 9, None], "w": [None, None, "u", "v", "-999"], "n": [7, 8, None, -999, 7]})
    close(model.predict(missing), want)


@pytest.mark.parametrize("missing", ["mean", "own"])
@pytest.mark.parametrize("settings", [{}, {"train.loss": "tweedie"}, {"preset": "readable"}, {"train.members": 2}], ids=str)
def test_limits_missing_cells_and_intervals(binary: str, tmp_path: pathlib.Path, missing: str, settings: dict[str, Any]) -> None:
    random = np.random.default_rng(13)
    x, word, gone = random.uniform(0, 10, 600), random.choice(["u", "v", "v"], 600).astype(object), random.random((3, 600)) < 0.3
    y = 20 + x + 5 * gone[0] + 4 * gone[1] + 3 * gone[2] + (0.2 + x / 5 + 2 * gone.sum(axis=0)) * random.normal(size=600)
    frame = pandas.DataFrame({"x": x, "w": word, "size": random.choice(["S", "M", "L", "L"], 600).astype(object)})
    frame = frame.mask(gone.T)
    limits = {"data.limits": {"x": [2, 7]}, "data.categorical": {"w": "onehot", "size": ["S", "M", "L"]}}
    model = fitted(frame, np.maximum(y, 0), **{"data.missing": missing, "data.calibration": 0.3, **limits, **settings})
    assert model.document["calibration"]["spread"]
    rows = pandas.DataFrame(
        [[v, w, size] for v in (-50, 2, 5, 7, 1e9, np.nan) for w in ("u", "v", "new", None) for size in ("S", "L", None)], columns=[*frame]
    )
    for side in ("both", "lower", "upper"):
        want = predicted(binary, model, table_of(rows), tmp_path, "--interval", "0.9", "--side", side)
        close(model.predict(rows), [row["y_predicted"] for row in want])
        intervals = model.predict_interval(rows, 0.9, side=side)
        for end in ("lower", "upper") if side == "both" else (side,):
            close(intervals[:, int(end == "upper")], [row[f"y_{end}"] for row in want])


def test_levels_that_are_numbers_in_any_type(binary: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(9)
    code = random.choice([1, 2, 3], ROWS)
    model = fitted(pandas.DataFrame({"code": pandas.Categorical(code), "x": random.normal(size=ROWS)}), code**2.0)
    given: list[Any] = [[1, 0.5], [2, 0.5], [3, 0.5], [4, 0.5], [None, 0.5]]
    want = predictions(binary, model, "code,x\n1,0.5\n2,0.5\n3,0.5\n4,0.5\n,0.5\n", tmp_path)
    close(model.predict(given), want)
    close(model.predict(np.array(given, dtype=float)), want)
    close(model.predict({"code": ["1", " 2", "3 ", "four", ""], "x": [0.5] * 5}), want)
    close(model.predict(pandas.DataFrame({"code": pandas.Categorical([1, 2, 3, 4, None]), "x": 0.5})), want)
    close(model.predict(pandas.DataFrame({"code": pandas.array([1, 2, 3, 4, None], dtype="Int64"), "x": 0.5})), want)


@pytest.mark.usefixtures("binary")
def test_flags_as_numbers() -> None:
    random = np.random.default_rng(10)
    flag = random.random(ROWS) < 0.5
    x = random.normal(size=ROWS)
    model = fitted(pandas.DataFrame({"flag": flag, "x": x}), x + flag)
    want = model.predict({"flag": flag, "x": x})
    close(model.predict(np.stack([flag, x], axis=1)), want)
    close(model.predict([[bool(f), v] for f, v in zip(flag, x)]), want)
    other = fitted(pandas.DataFrame({"flag": flag * 1.0, "x": x}), x + flag)
    close(other.predict({"flag": flag, "x": x}), other.predict(np.stack([flag, x], axis=1)))


def test_hostile_names_train_and_predict(binary: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(11)
    names = ["a\nb", "\x1b[31m", "=1+1", "a,b", '"', "'", "{}", "a: b", "# c", "data.path", "x" * 100_000, "\u202e", "y", "null", "1"]
    frame = pandas.DataFrame(random.normal(size=(ROWS, len(names))), columns=names)
    frame["a\nb"] = random.choice(["u", "v"], ROWS)
    model = fitted(frame, frame[names[1]].to_numpy() + random.normal(size=ROWS))
    assert model.columns == names
    assert model.targets == ["y_target"]
    close(model.predict(frame[names[::-1]]), [row["y_target_predicted"] for row in predicted(binary, model, table_of(frame), tmp_path)])


ODD = [0.0, -0.0, 5e-324, -2.2250738585072014e-308, 1e308, -1.7976931348623157e308, 0.1, 1 / 3, np.pi, 2.0**53 + 2, 1e-7, np.nan]
TEXTS = ("a", "Käse", "日本", "😀", 'quote " and , comma', "line\nbreak", "=1+1", "tab\there", "x" * 70_000)


def numeric(name: str, values: npt.ArrayLike) -> Column:
    return Column(name, np.asarray(values, float), None)


@pytest.fixture(scope="module")
def model(binary: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a model of a column `of`: predict copies all other columns of a table."""
    assert binary
    path = tmp_path_factory.mktemp("model") / "model.json"
    table = Table((numeric("of", np.arange(30)), numeric("y", np.arange(30) % 7)), 30)
    config = {"preset": "paper", "data.target": "y", "data.train": 1, "train.iterations": 1, "model.rules": 2}
    path.write_text(Model.from_json(train(config, table).form).document["model"])
    return str(path)


def read_back(model: str, path: pathlib.Path, *columns: Column) -> dict[str, list[str]]:
    """Write columns, and return their cells as the program reads them."""
    rows = len(columns[0].values)
    path.write_bytes(parquet_of(Table((numeric("of", np.ones(rows)), *columns), rows)))
    text = _program.run(["predict", "-q", "--model", model, "--data", str(path), "--out", "-"]).decode()
    cells = list(csv.reader(io.StringIO(text, newline="")))
    return {name: [row[i] for row in cells[1:]] for i, name in enumerate(cells[0])}


def bits(values: npt.ArrayLike) -> list[int]:
    return [int(v) for v in np.asarray(values, float).view(np.int64)]


def test_every_number_keeps_its_bits(model: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(1)
    any_bits = random.integers(0, 1 << 64, 5000, dtype=np.uint64).view(float)
    values = np.concatenate([ODD, any_bits[np.isfinite(any_bits)]])
    cells = read_back(model, tmp_path / "t.parquet", numeric("v", values))["v"]
    assert bits([float(c or "nan") for c in cells]) == bits(np.where(np.isnan(values), np.nan, values))


@pytest.mark.parametrize(("rows", "missing"), [*((n, m) for n in (1, 7, 8, 9) for m in (0.0, 0.5, 1.0)), (131_072, 0.0), (131_073, 0.5)])
def test_missing_cells_stay_where_they_are(model: str, tmp_path: pathlib.Path, rows: int, missing: float) -> None:
    gone = np.random.default_rng(rows).random(rows) < missing
    values = np.where(gone, np.nan, np.arange(rows) / 8)
    codes = np.where(gone, -1, np.arange(rows) % 3)
    cells = read_back(model, tmp_path / "t.parquet", numeric("v", values), Column("w", codes, ("a", "b", "c")))
    assert cells["v"] == ["" if gone[i] else np.format_float_positional(i / 8, trim="-") for i in range(rows)]
    assert cells["w"] == ["" if gone[i] else "abc"[i % 3] for i in range(rows)]


@pytest.mark.parametrize("levels", [1, 255, 256, 257, 70_000])
def test_categories_of_every_width(model: str, tmp_path: pathlib.Path, levels: int) -> None:
    codes = np.random.default_rng(levels).integers(0, levels, 1001)
    codes[-1] = levels - 1
    texts = tuple(f"level {i}" for i in range(levels))
    assert read_back(model, tmp_path / "t.parquet", Column("w", codes, texts))["w"] == [texts[c] for c in codes]


def test_odd_texts_and_names(model: str, tmp_path: pathlib.Path) -> None:
    names = ["größe, in m", 'the "second"', "日本", "😀", "n" * 300]
    columns = [Column(name, np.arange(len(TEXTS)), TEXTS) for name in names]
    cells = read_back(model, tmp_path / "t.parquet", *columns)
    assert all(cells[name] == list(TEXTS) for name in names)


def test_strided_columns_of_a_wide_matrix(model: str, tmp_path: pathlib.Path) -> None:
    matrix = np.random.default_rng(1).normal(size=(50, 300))
    cells = read_back(model, tmp_path / "t.parquet", *(numeric(f"c{i}", matrix[:, i]) for i in range(300)))
    assert all(np.array_equal(np.array(cells[f"c{i}"], float), matrix[:, i]) for i in range(300))


def test_no_rows(model: str, tmp_path: pathlib.Path) -> None:
    cells = read_back(model, tmp_path / "t.parquet", numeric("v", []), Column("w", np.zeros(0, int), ()))
    assert cells["v"] == cells["w"] == []
