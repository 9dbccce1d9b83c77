"""Predicts by the Python package: reads a question a line and answers with a line, numbers as text."""

import json
import sys

import numpy as np

from tskgraph.model import Model


def outputs(model, table):
    """Return all outputs [N, J], after checking that predict agrees with them."""
    predicted = model.predict(table)
    if model.kind == "classes":
        y = model.predict_proba(table)
        assert predicted.tolist() == [None if np.isnan(p[0]) else model.classes[p.argmax()] for p in y]
    elif model.kind == "quantiles":
        y = model.predict_quantiles(table)
        assert np.array_equal(predicted, y[:, len(model.levels) // 2], equal_nan=True)
    else:
        y = predicted.reshape(len(predicted), -1)
    return y


def columns(document, header, rows):
    """Return the columns of cells: numbers as float64, NaN where one is missing, and texts."""
    numeric = {c["name"] for c in document["columns"] if c["encoding"] == "numeric"}
    cells = dict(zip(header, zip(*rows)))
    return {name: np.array([float(v or "nan") for v in of]) if name in numeric else list(of) for name, of in cells.items()}


for line in sys.stdin:
    question = json.loads(line)
    model = Model.load(question["path"])
    table = columns(model.document, question["header"], question["rows"])
    print(json.dumps([list(map(repr, row)) for row in outputs(model, table).tolist()]), flush=True)
