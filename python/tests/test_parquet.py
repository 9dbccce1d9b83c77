"""Parquet files are read by the program as they were written: the same bits, the same texts."""

from __future__ import annotations

import csv
import io
import pathlib

import numpy as np
import numpy.typing as npt
import pytest
from trained import parquet_of
from trained import train_table as train

from tskgraph._program import run
from tskgraph._table import Column, Table
from tskgraph.model import Model

ODD = [0.0, -0.0, 5e-324, -2.2250738585072014e-308, 1e308, -1.7976931348623157e308, 0.1, 1 / 3, np.pi, 2.0**53 + 2, 1e-7, np.nan]
TEXTS = ("a", "Käse", "日本", "😀", 'quote " and , comma', "line\nbreak", "=1+1", "tab\there", "x" * 70_000)


def column(name: str, values: npt.ArrayLike) -> Column:
    return Column(name, np.asarray(values, float), None)


@pytest.fixture(scope="module")
def model(binary: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a model of a column `of`: predict copies all other columns of a table."""
    assert binary
    path = tmp_path_factory.mktemp("model") / "model.json"
    table = Table((column("of", np.arange(30)), column("y", np.arange(30) % 7)), 30)
    config = {"preset": "paper", "data.target": "y", "data.train": 1, "train.iterations": 1, "model.rules": 2}
    path.write_text(Model.from_json(train(config, table).form).document["model"])
    return str(path)


def read_back(model: str, path: pathlib.Path, *columns: Column) -> dict[str, list[str]]:
    """Write columns, and return their cells as the program reads them."""
    rows = len(columns[0].values)
    path.write_bytes(parquet_of(Table((column("of", np.ones(rows)), *columns), rows)))
    text = run(["predict", "-q", "--model", model, "--data", str(path), "--out", "-"]).decode()
    cells = list(csv.reader(io.StringIO(text, newline="")))
    return {name: [row[i] for row in cells[1:]] for i, name in enumerate(cells[0])}


def bits(values: npt.ArrayLike) -> list[int]:
    return [int(v) for v in np.asarray(values, float).view(np.int64)]


def test_every_number_keeps_its_bits(model: str, tmp_path: pathlib.Path) -> None:
    random = np.random.default_rng(1)
    any_bits = random.integers(0, 1 << 64, 5000, dtype=np.uint64).view(float)
    values = np.concatenate([ODD, any_bits[np.isfinite(any_bits)]])
    cells = read_back(model, tmp_path / "t.parquet", column("v", values))["v"]
    assert bits([float(c or "nan") for c in cells]) == bits(np.where(np.isnan(values), np.nan, values))


@pytest.mark.parametrize(("rows", "missing"), [*((n, m) for n in (1, 7, 8, 9) for m in (0.0, 0.5, 1.0)), (131_072, 0.0), (131_073, 0.5)])
def test_missing_cells_stay_where_they_are(model: str, tmp_path: pathlib.Path, rows: int, missing: float) -> None:
    gone = np.random.default_rng(rows).random(rows) < missing
    values = np.where(gone, np.nan, np.arange(rows) / 8)
    codes = np.where(gone, -1, np.arange(rows) % 3)
    cells = read_back(model, tmp_path / "t.parquet", column("v", values), Column("w", codes, ("a", "b", "c")))
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
    cells = read_back(model, tmp_path / "t.parquet", *(column(f"c{i}", matrix[:, i]) for i in range(300)))
    assert all(np.array_equal(np.array(cells[f"c{i}"], float), matrix[:, i]) for i in range(300))


def test_no_rows(model: str, tmp_path: pathlib.Path) -> None:
    cells = read_back(model, tmp_path / "t.parquet", column("v", []), Column("w", np.zeros(0, int), ()))
    assert cells["v"] == cells["w"] == []
