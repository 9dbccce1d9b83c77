"""Predicts by the file that each line of standard input names, and answers in a line."""

import ast
import importlib.util
import json
import sys
import warnings

import numpy as np

warnings.simplefilter("error")


class NAType:
    """As pandas.NA: neither true nor false, and not comparable."""

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __eq__(self, other):
        return self

    __ne__ = __eq__


class Frame:
    """As a DataFrame: not a mapping, with columns."""

    def __init__(self, columns):
        self.columns, self._of = list(columns), columns

    def __getitem__(self, name):
        return self._of[name]


def load(path):
    with open(path, encoding="utf-8") as file:
        ast.parse(file.read(), feature_version=(3, 8))
    spec = importlib.util.spec_from_file_location("exported", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values_of(cells, numeric, form):
    """A column in one of the forms that predict takes."""
    if form == 0 and numeric:
        return np.array([np.nan if c == "" else float(c) for c in cells])
    missing = [None, None, NAType(), "", float("nan")][form]
    values = [missing if c == "" else float(c) if numeric else c for c in cells]
    return np.ma.array(values, dtype=object) if form == 3 else values if form == 1 else np.array(values, dtype=object)


def refused(module, texts):
    """The texts that the filter does not take for numbers."""
    for text in texts:
        try:
            list(module._cells("x", True, [text], 1))
        except ValueError:
            yield text


def answer(question):
    module = load(question["path"])
    if "texts" in question:
        return {"refused": list(refused(module, question["texts"]))}
    if "given" in question:
        module.predict(question["given"])
        return {}
    rows, form, columns = question["rows"], question["form"], {}
    for i, column in enumerate(module.COLUMNS):
        numeric = column["encoding"] == "numeric"
        columns[column["name"]] = values_of([row[i] for row in rows], numeric, (form + i) % 5)
    given = Frame(columns) if form % 2 else columns
    p, labels = module.predict(given), None
    if hasattr(module, "predict_proba"):
        labels, p = p.tolist(), module.predict_proba(given)
    p = list(p.values()) if isinstance(p, dict) else [p]
    return {"values": [[repr(float(v)) for v in row] for row in np.array(p).T], "classes": labels and [label or "" for label in labels]}


for line in sys.stdin:
    try:
        result = answer(json.loads(line))
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error.args[0]}"}
    print(json.dumps(result), flush=True)
