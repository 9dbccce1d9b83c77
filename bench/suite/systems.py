"""Systems: how each is trained on the training part of a split and asked for the test part, in processes of its own."""

import csv
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

import frame
import learners
import numpy as np
import tables

HERE = pathlib.Path(__file__).parent


class AbsentError(Exception):
    """A system that is not installed."""


@dataclasses.dataclass
class Task:
    """A split of a table: train and test are CSV files with the target last; scratch is an empty directory."""

    kind: str
    train: pathlib.Path
    test: pathlib.Path
    scratch: pathlib.Path
    threads: int
    limit: float  # seconds that a process may take

    @property
    def out(self):
        """The file of predictions: a column, or the probabilities of the classes, named in the header."""
        return self.scratch / "out.csv"

    def child(self, *command):
        """Return standard output and CPU seconds of a process."""
        words = [str(word) for word in command]
        env = os.environ | {name: str(self.threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOMAXPROCS")}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.scratch, timeout=self.limit, env=env, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            message = f"{words[0]} ends with {done.returncode}: {' '.join(done.stderr.split())[-250:]}"
            raise (AbsentError if done.returncode == learners.ABSENT else RuntimeError)(message)
        return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def learner(name):
    """Return a system of learners.py, which measures itself: its CPU seconds leave out imports and reading."""
    return lambda task: json.loads(task.child(sys.executable, HERE / "learners.py", name, task.train, task.test, task.kind, task.out)[0])


def script(name, *kinds):
    """Return a system of an R script, which prints the size."""

    def run(task):
        if not shutil.which("Rscript"):
            raise AbsentError("Rscript is not installed")
        if task.kind not in kinds:
            raise AbsentError(f"{name} does not learn {task.kind}")
        size, cpu = task.child("Rscript", HERE / f"{name}.R", task.train, task.test, task.kind, task.out)
        return {"cpu": cpu, "size": int(size)}

    return run


def arff(path, header, rows, levels, scale):
    """Write an ARFF file; levels has the levels of columns of categories, and scale is applied to the target."""

    def cell(i, text):
        if i == len(header) - 1:
            return repr(scale(float(text)))
        return (str(levels[i].index(text)) if levels[i] else text) if text else "?"

    kinds = ["{" + ",".join(str(k) for k in range(len(column))) + "}" if column else "numeric" for column in levels]
    lines = ["@relation table", *(f"@attribute a{i} {kind}" for i, kind in enumerate(kinds)), "@data"]
    path.write_text("\n".join(lines + [",".join(cell(i, text) for i, text in enumerate(row)) for row in rows]) + "\n")


def m5p(task):
    """Run M5P of Weka, and its number of linear models. Weka prints four decimals, so it learns the target in units of 0.0001 spreads."""
    jar = pathlib.Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
    if not jar.exists() or not shutil.which("java"):
        raise AbsentError("Weka or Java is not installed")
    if task.kind != "numbers":
        raise AbsentError("m5p does not learn classes")
    (header, fitted), (_, held) = frame.rows(task.train), frame.rows(task.test)
    levels = [[] if all(tables.number(cell) for cell in column if cell) else sorted(set(column) - {""}) for column in zip(*fitted, *held)]
    targets = [float(row[-1]) for row in fitted]
    mean, unit = np.mean(targets), np.std(targets) / 10_000
    for name, rows in ("train.arff", fitted), ("test.arff", held):
        arff(task.scratch / name, header, rows, levels, lambda y: float((y - mean) / unit))
    text, cpu = task.child("java", "-Xmx4g", "-cp", jar, "weka.classifiers.trees.M5P", "-t", "train.arff", "-T", "test.arff")
    error = re.search(r"Error on test data.*?Root mean squared error\s+([\d.]+)", text, re.DOTALL)
    return {"cpu": cpu, "size": int(re.search(r"Number of Rules\s*:\s*(\d+)", text)[1]), "rmse": float(error[1]) * unit}


def tskgraph(*settings, flags=(), search=False, kinds=("numbers", "classes")):
    """Return what a new user of tskgraph does: init, perhaps tune, train on all rows, predict; its size is the number of rules."""

    def run(task):
        if task.kind not in kinds:
            raise AbsentError(f"with {' '.join(settings)}, tskgraph does not learn {task.kind}")
        program = os.environ.get("TSKGRAPH_BINARY", "tskgraph")
        if not shutil.which(program):
            raise AbsentError(f"{program} is not there; TSKGRAPH_BINARY names it")
        target = frame.rows(task.train)[0][-1]
        sets = [word for setting in ("data.train=1", "output.tables=false", *settings) for word in ("--set", setting)]
        steps = [["init", task.train, "--target", target, "--out", "config.yaml", *flags]]
        if search:
            steps += [["tune", "--config", "config.yaml", "--out", "tuned", *sets]]
        config = "tuned/config.yaml" if search else "config.yaml"
        steps += [["train", "--config", config, "--set", "output.dir=runs", "--json", *sets]]
        cpu = 0
        for step in steps:
            text, seconds = task.child(program, *step, "--quiet")
            cpu += seconds
        summary = json.loads(text)
        _, seconds = task.child(program, "predict", "--model", summary["run_dir"], "--data", task.test, "--out", "told.csv", "--quiet")
        header, rows = frame.rows(task.scratch / "told.csv")
        start = target + ("_probability_" if task.kind == "classes" else "_predicted")
        kept = [i for i, name in enumerate(header) if name.startswith(start)]
        with task.out.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[header[i].removeprefix(start) for i in kept], *([row[i] for i in kept] for row in rows)])
        return {"cpu": cpu + seconds, "size": summary["rules"]}

    return run


SYSTEMS = {
    **{name: learner(name) for name in learners.SYSTEMS},
    "m5p": m5p,
    "gam": script("gam", "numbers", "classes"),
    "cubist": script("cubist", "numbers"),
    "tskgraph": tskgraph(),
    "tskgraph-readable": tskgraph(flags=["--readable"]),
    "tskgraph-committee": tskgraph("train.members=5"),
    "tskgraph-neighbours": tskgraph("model.neighbours=auto", kinds=["numbers"]),
    "tskgraph-committee-neighbours": tskgraph("train.members=5", "model.neighbours=auto", kinds=["numbers"]),
    "tskgraph-tune": tskgraph(search=True),
}
