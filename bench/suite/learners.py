"""Learners: the systems that are Python packages. Each runs in a process of its own.

    learners.py NAME TRAIN TEST KIND OUT

It writes the predictions for the rows of TEST to OUT (a column, or the probabilities of the classes) and prints
{"cpu": seconds of fit and prediction, without imports and reading, "size": ...}. A package that is not installed ends it with ABSENT.
"""

import csv
import json
import os
import sys
import time

import frame
import numpy as np
import tables

ABSENT = 3
THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


def boosting(data):
    """Return the histogram gradient boosting of scikit-learn at its defaults, and its number of leaves."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingClassifier if data.labels else HistGradientBoostingRegressor
    model = kind(random_state=0, categorical_features=data.categories if any(data.categories) else None)
    return model, lambda: sum(tree.get_n_leaf_nodes() for trees in model._predictors for tree in trees)


def forest(data):
    """Return a random forest of scikit-learn at its defaults, with medians for missing cells, and its number of leaves."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline

    trees = (RandomForestClassifier if data.labels else RandomForestRegressor)(random_state=0, n_jobs=THREADS)
    return make_pipeline(SimpleImputer(strategy="median"), trees), lambda: sum(tree.get_n_leaves() for tree in trees.estimators_)


class BestOfSix:
    """XGBoost: the best of six settings, by early stopping on a fifth of the training rows."""

    def __init__(self, data):
        import xgboost

        self.package, self.data, self.booster = xgboost, data, None

    def matrix(self, x, y=None):
        """Return rows in the form of the package."""
        types = ["c" if category else "q" for category in self.data.categories]
        return self.package.DMatrix(x, y, feature_types=types, enable_categorical=True, nthread=THREADS)

    def fit(self, x, y):
        """Train each setting and keep the best one, cut at its best round."""
        classes = len(self.data.labels)
        first, held = tables.divide(list(y), 0, "classes" if classes else "numbers")
        fitted, watched = self.matrix(x[first], y[first]), self.matrix(x[held], y[held])
        common = {"tree_method": "hist", "learning_rate": 0.1, "nthread": THREADS, "seed": 0}
        if classes:
            common |= {"objective": "multi:softprob", "num_class": classes, "eval_metric": "mlogloss"}
        for depth in (3, 5, 8):
            for share in (1.0, 0.7):
                settings = common | {"max_depth": depth, "subsample": share, "colsample_bytree": share}
                booster = self.package.train(settings, fitted, 1000, [(watched, "held")], early_stopping_rounds=30, verbose_eval=False)
                if self.booster is None or booster.best_score < self.booster.best_score:
                    self.booster = booster
        self.booster = self.booster[: self.booster.best_iteration + 1]

    def predict(self, x):
        """Return numbers, or the probabilities of classes."""
        return self.booster.predict(self.matrix(x))

    predict_proba = predict

    def size(self):
        """Return the number of leaves."""
        return sum(tree.count("leaf=") for tree in self.booster.get_dump())


def xgboost(data):
    """Return the best of six settings of XGBoost, and its number of leaves."""
    model = BestOfSix(data)
    return model, model.size


def ebm(data):
    """Return the Explainable Boosting Machine of interpret at its defaults, and the number of scores in its terms."""
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    kind = ExplainableBoostingClassifier if data.labels else ExplainableBoostingRegressor
    types = ["nominal" if category else "continuous" for category in data.categories]
    model = kind(random_state=0, feature_types=types, n_jobs=THREADS)
    return model, lambda: sum(scores.size for scores in model.term_scores_)


def highfis(data):
    """Return HTSK of highfis at its defaults, on standardised columns and indicators of levels; its size is not counted."""
    from highfis import HTSKClassifierEstimator, HTSKRegressorEstimator
    from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    codes = np.array(data.categories)
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ~codes),
            ("levels", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse=False)), codes),
        ]
    )
    if data.labels:
        return make_pipeline(columns, HTSKClassifierEstimator(random_state=0)), lambda: 0
    rules = TransformedTargetRegressor(HTSKRegressorEstimator(random_state=0), transformer=StandardScaler())
    return make_pipeline(columns, rules), lambda: 0


SYSTEMS = {system.__name__: system for system in (boosting, forest, xgboost, ebm, highfis)}


def main(name, train, test, kind, out):
    """Fit a system, predict, and report."""
    data = frame.load(train, test, kind)
    try:
        model, size = SYSTEMS[name](data)
    except ImportError as absent:
        print(absent, file=sys.stderr)
        sys.exit(ABSENT)
    start = time.process_time()
    model.fit(data.x, data.y)
    predicted = model.predict_proba(data.test) if data.labels else model.predict(data.test)
    cpu = time.process_time() - start
    with open(out, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([data.labels or ["predicted"], *np.reshape(predicted, (len(data.test), -1)).tolist()])
    print(json.dumps({"cpu": round(cpu, 3), "size": int(size())}))


if __name__ == "__main__":
    main(*sys.argv[1:])
