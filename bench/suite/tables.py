"""Tables: read the raw file that a row of the manifest names, and divide its rows into the parts of a split.

Cells are texts throughout, so that what is written is what was read; a missing cell is the empty text.
"""

import collections
import csv
import gzip
import io
import json
import math
import pathlib
import re

import numpy as np

MANIFEST = pathlib.Path(__file__).parent / "tables.json"
LARGEST = 12_000  # rows of a table that is kept whole; of a larger one, SAMPLE rows are drawn
SAMPLE = 10_000
RAREST = 10  # rows of a class; rarer ones are left out, since a part of a split may have none


def manifest():
    """Return the tables of tables.json, each with the commit of its repository."""
    read = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return [table | {"commit": read["commits"][table["repository"]]} for table in read["tables"]]


def arff(text, separator):
    """Return columns and rows of an ARFF file; dense, with quoted names and cells, perhaps with a comma at a row's end."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("%")]
    data = next(i for i, line in enumerate(lines) if line.lower().startswith("@data"))
    found = [re.match(r"@attribute\s+(?:'([^']*)'|\"([^\"]*)\"|(\S+))", line, re.IGNORECASE) for line in lines[:data]]
    columns = [next(name for name in match.groups() if name is not None) for match in found if match]
    if separator == "blanks":
        return columns, [line.split() for line in lines[data + 1 :]]
    rows = csv.reader(lines[data + 1 :], quotechar="'", escapechar="\\", skipinitialspace=True)
    return columns, [row[:-1] if len(row) == len(columns) + 1 and not row[-1] else row for row in rows]


def read(raw, table):
    """Return columns and rows of a raw file, before columns are left out."""
    if table["path"].endswith(".gz"):
        raw = gzip.decompress(raw)
    separator = table.get("separator", ",")
    text = raw.decode(table.get("encoding", "utf-8-sig"))
    if table["path"].endswith(".arff"):
        return arff(text, separator)
    if separator == "blanks":
        rows = [line.split() for line in text.splitlines()]
    else:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True))
    rows = [row for row in rows if row]
    if "header" not in table:
        return [name.strip() for name in rows[0]], rows[1:]
    if table["header"] == "numbered":  # x1, x2, ..., y
        return [f"x{i + 1}" for i in range(len(rows[0]) - 1)] + ["y"], rows
    return table["header"].split(","), rows


def number(text):
    """Tell whether a cell reads as a number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def ready(raw, table):
    """Return columns and rows, the target last: no row without it or of a rare class, a sample of a large table, classes as words."""
    columns, rows = read(raw, table)
    if len(set(columns)) < len(columns):
        raise ValueError(f"{table['name']}: two columns have the same name")
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"{table['name']}: a row has not {len(columns)} cells")
    missing = {"", "?", "NA", *table.get("missing", [])}
    target = columns.index(table.get("target", columns[-1]))
    unknown = set(table.get("leave_out", [])) - set(columns)
    if unknown:
        raise ValueError(f"{table['name']}: no column {', '.join(sorted(unknown))}")
    keep = [i for i, name in enumerate(columns) if i != target and name not in table.get("leave_out", [])] + [target]
    rows = [["" if cell.strip() in missing else cell.strip() for cell in row] for row in rows]
    rows = [[row[i] for i in keep] for row in rows if row[target]]
    if len(rows) > LARGEST:
        rows = [rows[i] for i in np.sort(np.random.default_rng(0).permutation(len(rows))[:SAMPLE])]
    if table["kind"] == "classes":
        counts = collections.Counter(row[-1] for row in rows)
        word = "c" if any(number(label) for label in counts) else ""
        rows = [[*row[:-1], word + row[-1]] for row in rows if counts[row[-1]] >= RAREST]
    return [columns[i] for i in keep], rows


def divide(targets, seed, kind):
    """Return the positions of 80% and of the other rows, both in the order of a permutation; of each class alike."""
    order = np.random.default_rng(seed).permutation(len(targets))
    if kind == "numbers":
        first = round(0.8 * len(order))
        return list(order[:first]), list(order[first:])
    left = {label: round(0.8 * targets.count(label)) for label in set(targets)}
    parts = [], []
    for i in order:
        left[targets[i]] -= 1
        parts[left[targets[i]] < 0].append(i)
    return parts


def parts(rows, seed, kind):
    """Return the rows of each part of a split: train and test; and train again as itrain and iheld."""
    train, test = divide([row[-1] for row in rows], seed, kind)
    itrain, iheld = divide([rows[i][-1] for i in train], seed + 100, kind)
    positions = {"train": train, "test": test, "itrain": [train[i] for i in itrain], "iheld": [train[i] for i in iheld]}
    return {name: [rows[i] for i in chosen] for name, chosen in positions.items()}


def write(path, columns, rows):
    """Write a CSV file with a header, whole or not at all."""
    part = path.with_suffix(".part")
    with part.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])
    part.rename(path)
