"""Measures what fit costs beside the training: CPU seconds of Python, of the program that trains, and of the one that exports.

Run as ``PYTHONPATH=python TSKGRAPH_BINARY=FILE python3 python/benchmarks/overhead.py [ROWS]``; by default 1e5 rows of 20 columns.
The program that trains makes one update of 4 rules: what it costs beyond reading is preparation and measurement of the model.
"""

from __future__ import annotations

import resource
import sys

import numpy as np

from tskgraph import _training
from tskgraph._program import binary
from tskgraph._table import Table, table_of

CONFIG = {"preset": "paper", "data.target": "y", "data.train": 1, "model.rules": 4, "train.iterations": 1, "prune.rounds": 0}
ROUNDS = 5


def used(whose: int) -> float:
    """Return the CPU seconds of this process or of its children."""
    usage = resource.getrusage(whose)
    return usage.ru_utime + usage.ru_stime


def measure(table: Table) -> tuple[float, float, float]:
    """Train once and return the CPU seconds of Python, training and export."""
    export = [0.0]
    run = _training.run

    def timed(arguments: list[str]) -> bytes:
        before = used(resource.RUSAGE_CHILDREN)
        out = run(arguments)
        export[0] = used(resource.RUSAGE_CHILDREN) - before
        return out

    _training.run = timed  # type: ignore[assignment]
    own, children = used(resource.RUSAGE_SELF), used(resource.RUSAGE_CHILDREN)
    try:
        _training.train(CONFIG, table)
    finally:
        _training.run = run
    return used(resource.RUSAGE_SELF) - own, used(resource.RUSAGE_CHILDREN) - children - export[0], export[0]


def main() -> None:
    """Print the least of some rounds."""
    rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 100_000
    random = np.random.default_rng(1)
    X = random.normal(size=(rows, 20))
    columns = {f"x{i}": X[:, i] for i in range(20)}
    table = table_of({**columns, "y": X[:, 0] * X[:, 1] + np.sin(X[:, 2]) + 0.1 * random.normal(size=rows)})
    binary()  # checks the version, once
    python, training, export = np.min([measure(table) for _ in range(ROUNDS)], axis=0)
    print(f"{rows} rows: Python {python:.3f} s, training {training:.3f} s, export {export:.3f} s of CPU")


if __name__ == "__main__":
    main()
