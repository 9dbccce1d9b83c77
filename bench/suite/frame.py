"""Frame: the columns of a CSV file as floats, categories as codes of the levels of the training rows."""

import collections
import csv
import dataclasses
import math

import numpy as np
from tables import number

LEVELS = 250  # of more levels, the most frequent; boosting has 255 bins


@dataclasses.dataclass
class Frame:
    """The training rows x, y and the test rows x of a task; a missing cell and a level that is not coded are NaN."""

    x: np.ndarray
    y: np.ndarray
    test: np.ndarray
    categories: list  # whether a column holds codes
    labels: list  # of classes, in the order of the codes in y; none of numbers


def rows(path):
    """Return the header and the rows of a CSV file."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *cells = csv.reader(file)
    return header, cells


def coder(cells):
    """Return the function from a cell of a column to its number, and whether the column is one of categories."""
    present = [cell for cell in cells if cell]
    if all(number(cell) for cell in present):
        return (lambda cell: float(cell) if number(cell) else math.nan), False
    counts = collections.Counter(present)
    kept = sorted(sorted(counts, key=lambda level: (-counts[level], level))[:LEVELS])
    codes = {level: float(i) for i, level in enumerate(kept)}
    return (lambda cell: codes.get(cell, math.nan)), True


def load(train, test, kind):
    """Return the frame of two CSV files with the target last."""
    fitted, held = rows(train)[1], rows(test)[1]
    coders = [coder(column) for column in list(zip(*fitted))[:-1]]
    x, unseen = (np.array([[code(cell) for (code, _), cell in zip(coders, row)] for row in part]) for part in (fitted, held))
    labels = sorted({row[-1] for row in fitted}) if kind == "classes" else []
    y = np.array([labels.index(row[-1]) if labels else float(row[-1]) for row in fitted])
    return Frame(x, y, unseen, [category for _, category in coders], labels)
