"""Writes DIR/reference.json: test accuracy and log loss of scikit-learn's classifiers on the splits of DIR.

    reference.py DIR [TABLE ...]      DIR as tables.py writes it

"boosting" is HistGradientBoostingClassifier(random_state=0) at its defaults, with text columns as categories;
"logistic" is LogisticRegression(max_iter=5000) on standardised numbers and one-hot categories. Figures are kept
for tables that are not named.
"""
import csv, json, os, sys
import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier as Boosting
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

DIR, only = sys.argv[1], sys.argv[2:]


def number(c):
    try:
        return float(c)
    except ValueError:
        return None


def features(head, rows, t):
    """Numbers [N, M], categories as codes, and which columns are categories."""
    x, text = [], []
    for c, title in enumerate(head):
        if title == t["target"] or title in t["ignore"]:
            continue
        cells = [r[c] for r in rows]
        nominal = any(number(v) is None for v in cells)
        codes = {v: i for i, v in enumerate(sorted(set(cells)))}
        x.append([codes[v] if nominal else float(v) for v in cells])
        text.append(nominal)
    return np.array(x, float).T, text


def models(text):
    words = [i for i, t in enumerate(text) if t]
    numbers = [i for i, t in enumerate(text) if not t]
    scale = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), words))
    return {"boosting": Boosting(random_state=0, categorical_features=text if words else None),
            "logistic": make_pipeline(scale, LogisticRegression(max_iter=5000))}


path = os.path.join(DIR, "reference.json")
out = json.load(open(path)) if os.path.exists(path) else {}
for t in json.load(open(os.path.join(DIR, "list.json"))):
    name = t["file"]
    if only and name not in only:
        continue
    head, *rows = csv.reader(open(os.path.join(DIR, name + ".csv")))
    y = np.array([r[head.index(t["target"])] for r in rows])
    x, text = features(head, rows, t)
    marks = np.array([list(l) for l in open(os.path.join(DIR, "splits", name + ".txt")).read().split()])
    o = out[name] = {}
    for k in range(marks.shape[1]):
        train, test = marks[:, k] == "0", marks[:, k] == "1"
        for method, model in models(text).items():
            p = model.fit(x[train], y[train]).predict_proba(x[test])
            accuracy = float(np.mean(model.classes_[p.argmax(1)] == y[test]))
            o.setdefault(method + "_accuracy", []).append(accuracy)
            o.setdefault(method + "_log_loss", []).append(float(log_loss(y[test], p, labels=model.classes_)))
    print(name, {m: float("%.4g" % np.mean(v)) for m, v in o.items()}, flush=True)
    json.dump(out, open(path, "w"), indent=1)
