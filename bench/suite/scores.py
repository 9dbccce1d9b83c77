"""Scores: measures of predictions, results of systems, and ratios of them."""

import json
import math

import numpy as np

LEAST = 1e-6  # probability of a class, and so 13.8 the largest log loss of a row


def measure(predicted, targets, kind):
    """Return the RMSE of numbers; the error rate and the log loss of classes. predicted is the header and the rows of a CSV file."""
    header, rows = predicted
    values = np.array(rows, float)
    if len(values) != len(targets) or not np.isfinite(values).all():
        raise ValueError("a prediction is missing or not finite")
    if kind == "numbers":
        return {"rmse": float(np.sqrt(np.mean((values[:, 0] - np.array(targets, float)) ** 2)))}
    known = {label: i for i, label in enumerate(header)}
    values = np.clip(values, LEAST, 1)
    values /= values.sum(1, keepdims=True)
    told = [values[i, known[label]] if label in known else LEAST for i, label in enumerate(targets)]
    wrong = [header[k] != label for k, label in zip(values.argmax(1), targets)]
    return {"error": float(np.mean(wrong)), "logloss": float(-np.mean(np.log(told)))}


def load(data, name):
    """Return the results of a system by table, seed and whether inner; the last of each counts."""
    path = data / "results" / f"{name}.jsonl"
    if not path.exists():
        return {}
    results = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(result["table"], result["seed"], result["inner"]): result for result in results}


def mean(values):
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def ratio(result, base, measured):
    """Return a result over another; of error rates and log losses with 0.01 more each, since a table may be learned without an error."""
    more = {"error": 0.01, "logloss": 0.01, "cpu": 0.001}.get(measured, 0)
    return max(result[measured] + more, 1e-12) / max(base[measured] + more, 1e-12)


def ratios(results, base, measured):
    """Return by table the geometric mean, over the splits that both have, of the ratio to a base."""
    found = {}
    for key, result in results.items():
        other = base.get(key, {})
        if measured in result and measured in other:
            found.setdefault(key[0], []).append(ratio(result, other, measured))
    return {table: mean(values) for table, values in found.items()}
