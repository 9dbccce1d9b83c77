"""Compares predictions by NumPy with ``tskgraph predict``: CPU and wall-clock seconds, in turns.

Run as ``PYTHONPATH=python TSKGRAPH_BINARY=FILE python3 python/benchmarks/predict.py [ROWS]``; by default a million rows of 20 columns.
"""

from __future__ import annotations

import os
import pathlib
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from tskgraph._parquet import write
from tskgraph._program import binary, run
from tskgraph._table import table_of
from tskgraph.model import Model

ROUNDS = 3
PRESETS = ("paper", "robust", "readable")


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Return the CPU seconds of work, those of its children included, and its wall-clock seconds."""
    usages = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)

    def used() -> float:
        return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, usages))

    cpu, wall = used(), time.perf_counter()
    work()
    return used() - cpu, time.perf_counter() - wall


def table(rows: int, seed: int) -> dict[str, np.ndarray]:
    """Return 20 columns and a target."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 20))
    X[:, 3], X[:, 7] = np.exp(X[:, 3]), np.exp(1.5 * X[:, 7])
    y = 10 * np.sin(X[:, 0] * X[:, 1]) + 5 * (X[:, 2] > 0) * X[:, 4] + X[:, 5] ** 2 + X @ np.linspace(-1, 1, 20) + random.normal(size=rows)
    return {**{f"x{i}": X[:, i] for i in range(20)}, "y": y}


def compare(directory: pathlib.Path, preset: str, rows: int) -> str:
    """Train a model of 32 rules and return a line with the medians of some rounds."""
    settings = [f"preset={preset}", f"data.path={directory / 'train.parquet'}", "data.target=y", "model.rules=32", "train.iterations=100"]
    words = [word for setting in [*settings, f"output.dir={directory / preset}"] for word in ("--set", setting)]
    run(["train", *words])
    (trained,) = (directory / preset).iterdir()
    model = Model.from_run(trained)
    given, out = directory / "rows.parquet", directory / "out.parquet"
    X = table(rows, 2)
    X.pop("y")
    figures: list[tuple[float, float, float, float]] = []
    for _ in range(ROUNDS):
        python = seconds(lambda: model.predict(X))
        program = seconds(lambda: run(["predict", "--model", str(trained), "--data", str(given), "--out", str(out)]))
        figures.append((*python, *program))
    cpu, wall, program_cpu, program_wall = map(statistics.median, zip(*figures))
    return f"{preset:<10}{cpu:>12.2f}{wall:>12.2f}{program_cpu:>14.2f}{program_wall:>14.2f}{cpu / program_cpu:>8.2f}"


def main() -> None:
    """Print a table."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    print(f"{rows} rows of 20 columns, {os.cpu_count()} processors, {binary()}")
    print(f"{'preset':<10}{'NumPy: CPU':>12}{'wall':>12}{'tskgraph: CPU':>14}{'wall':>14}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        for part, given in {"train": table(4000, 1), "rows": {n: v for n, v in table(rows, 2).items() if n != "y"}}.items():
            with (directory / f"{part}.parquet").open("xb", buffering=0) as file:
                write(table_of(given), file)
        for preset in PRESETS:
            print(compare(directory, preset, rows), flush=True)


if __name__ == "__main__":
    main()
