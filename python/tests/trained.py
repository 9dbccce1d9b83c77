"""Models of every kind, trained by the program on a small table with categories and missing cells."""

from __future__ import annotations

import csv
import io
import pathlib
import subprocess
from collections.abc import Mapping
from typing import Any

import numpy as np

from tskgraph import _training
from tskgraph._job import Job
from tskgraph._parquet import write
from tskgraph._table import Table
from tskgraph._training import Trained

COLUMNS = ("length", "width", "day", "size")

#: Settings of each kind besides those of `train`.
KINDS: dict[str, list[str]] = {
    "number": ["data.target=y", "data.calibration=0.3"],
    "count": ["data.target=count", "train.loss=poisson", "data.calibration=0.3"],
    "cost": ["data.target=y", "train.loss=gamma", "data.calibration=0.3"],
    "targets": ["data.target=[y, z]", "data.calibration=0.3"],
    "quantiles": ["data.target=y", "train.loss=quantile", "train.quantiles=[0.1, 0.5, 0.8]", "data.calibration=0.3"],
    "classes": ["data.target=kind", "data.calibration=0.3"],
    "binary": ["data.target=both"],
    "committee": ["data.target=y", "train.members=3"],
    "committee of classes": ["data.target=kind", "train.members=3"],
    "committee of quantiles": ["data.target=y", "train.loss=quantile", "train.quantiles=[0.2, 0.5]", "train.members=2"],
    "components": ["data.target=y", "data.pca=2"],
    "readable": ["data.target=y", "preset=readable", "model.init=tree"],
    "page": ["data.target=y", "preset=readable"],
    "page of classes": ["data.target=both", "preset=readable"],
    "pages of quantiles": ["data.target=y", "preset=readable", "train.loss=quantile", "train.quantiles=[0.1, 0.8]"],
    "pages of targets": ["data.target=[y, z]", "preset=readable"],
}


def table(rows: int, seed: int) -> dict[str, list[Any]]:
    """Return columns of rows; some cells are missing."""
    random = np.random.default_rng(seed)
    length, width = random.normal(20, 5, rows), np.exp(random.normal(0, 1, rows))
    day, size = random.choice(["mon", "tue, wed", "Ω"], rows), random.choice(["S", "M", "L"], rows)
    y = 40 + length + np.sin(length) * width + 3 * (day == "mon") + random.normal(size=rows)
    columns: dict[str, list[Any]] = {
        "length": [None if n % 17 == 3 else v for n, v in enumerate(length.tolist())],
        "width": width.tolist(),
        "day": [None if n % 19 == 5 else v for n, v in enumerate(day.tolist())],
        "size": size.tolist(),
        "y": np.abs(y).tolist(),
        "z": (-100 * width + y).tolist(),
        "count": random.poisson(np.abs(y) / 20).tolist(),
        "kind": np.array(["low", "mid", "high"])[np.digitize(y, [57, 63])].tolist(),
        "both": np.where(y > 60, "yes", "no").tolist(),
    }
    return columns


def parquet_of(given: Table) -> bytes:
    """Return a table as a Parquet file."""
    out = io.BytesIO()
    write(given, out)
    return out.getvalue()


def train_table(config: Mapping[str, Any], given: Table, **options: Any) -> Trained:
    """Train a model on a table by a configuration."""
    return _training.train(Job(dict(config), given), **options)


def csv_of(columns: dict[str, list[Any]]) -> str:
    """Return columns as comma-separated text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if v is None else repr(v) if isinstance(v, float) else v for v in row] for row in zip(*columns.values()))
    return out.getvalue()


def train(binary: str, kind: str, directory: pathlib.Path) -> pathlib.Path:
    """Train a model and return the directory of its run."""
    path = directory / "train.csv"
    columns = table(300, 1)
    targets = ("y", "z", "count", "kind", "both")
    used = [t for t in targets if t in KINDS[kind][0].partition("=")[2].strip("[]").split(", ")]
    path.write_text(csv_of({name: columns[name] for name in (*COLUMNS, *used)}), encoding="utf-8")
    settings = [
        "preset=paper",
        f"data.path={path}",
        "data.missing=mean",
        "model.rules=4",
        "train.iterations=40",
        "train.batch=32",
        *KINDS[kind],
    ]
    settings = [*settings, "data.categorical={size: [S, M, L]}", f"output.dir={directory / 'runs'}"]
    run(binary, "train", *(word for setting in settings for word in ("--set", setting)))
    (done,) = (directory / "runs").iterdir()
    return done


def predict(binary: str, directory: pathlib.Path, columns: dict[str, list[Any]], *options: str) -> dict[str, list[str]]:
    """Return the columns that ``tskgraph predict`` adds."""
    out = run(binary, "predict", "--model", str(directory), "--data", "-", "--out", "-", *options, given=csv_of(columns))
    header, *rows = csv.reader(io.StringIO(out))
    return {name: [row[i] for row in rows] for i, name in enumerate(header) if name not in columns}


def run(binary: str, *words: str, given: str = "") -> str:
    """Run the program and return what it prints."""
    done = subprocess.run([binary, *words], input=given, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
