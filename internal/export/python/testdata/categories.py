"""Predicts by the file that the argument names, for categories that are numbers."""

import sys, runpy, numpy as np
p = runpy.run_path(sys.argv[1])["predict"]
def of(day): return p({"x": [3] * 4, 'wind "speed", m/s': [1] * 4, "day": day, "größe 100%": [None] * 4, "select": [-41] * 4}).tolist()
texts = of(["1", "2", "2.5", None])
assert len(set(texts[:3])) == 3, texts
for day in ([1, 2, 2.5, None], np.array([1, 2, 2.5, np.nan]), np.array([np.int64(1), 2, 2.5, float("nan")], dtype=object), [" 1", "2 ", "2.5", " "]):
    assert of(day) == texts, (day, of(day), texts)
