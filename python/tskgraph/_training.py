"""One training by the program, as a child."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from ._child import Child
from ._directory import private_directory
from ._handing import nameless, unwritten
from ._program import FIRST_LINES, binary, failure, run
from ._table import Table
from ._verbose import Display
from .errors import DataError, ModelError, SettingError, TrainingError, TskgraphError, in_python
from .model import Model

_TABLE, _CONFIG, _RUNS = "-", "config.yaml", "runs"
_DESCRIBED = 2000  # rows that rules are described on
_NOTES = 1000  # notes that are kept
_INTERRUPTED = 130


@dataclass(frozen=True)
class Progress:
    """The state of a training, for a callback.

    Attributes
    ----------
    stage : str
        ``"reading"``, ``"race"`` (trainings of the settings to choose from) or ``"training"`` (iterations).
    done, total : int
        The number of trainings or iterations that are done, and of all; 0 if it is unknown.
    loss : float or None
        The loss of the last batch.
    metric : str
        The name of the metric, ``"RMSE"`` except for losses with another one; empty outside of training.
    value : float or None
        Its value on the batches, smoothed over about 20 of them.
    seconds : float
        The time since the child began.
    """

    stage: str
    done: int
    total: int
    loss: float | None
    metric: str
    value: float | None
    seconds: float

    @property
    def rmse(self) -> float | None:
        """The value of the metric if that is the RMSE."""
        return self.value if self.metric == "RMSE" else None


@dataclass
class Trained:
    """The result of a training.

    Attributes
    ----------
    form : bytes
        The document of the predictor, as ``tskgraph export --to json`` writes it.
    summary : dict
        The summary of the run.
    metrics : list of dict
        The figures of each iteration: a line of metrics.jsonl each.
    interrupted : bool
        Whether the training was interrupted; the model is the best so far.
    notes : list of str
        What the program found worth saying.
    """

    form: bytes
    summary: dict[str, Any]
    metrics: list[dict[str, Any]]
    interrupted: bool
    notes: list[str] = field(default_factory=list)


def train(
    config: Mapping[str, Any],
    table: Table,
    *,
    callback: Callable[[Progress], None] | None = None,
    jobs: int | None = None,
    verbose: bool | int = False,
) -> Trained:
    """Train a model on a table.

    Parameters
    ----------
    config : mapping
        Values by the keys of config.yaml, such as ``{"train.l2": 0.1}``. The keys data.path and output.* are set here.
    table : Table
        All columns that the configuration names.
    callback : callable, optional
        Receives the progress, about 10 times a second at most and once a second at least, in the thread of the caller. An exception
        that it raises ends the training and propagates; KeyboardInterrupt ends it and keeps the model so far.
    jobs : int, optional
        The number of processors to use; -1 for all. The result does not depend on it.
    verbose : bool or int
        Whether to show progress and notes.

    Raises
    ------
    SettingError, DataError, ModelError
        If the configuration, the table or a model that it names is at fault.
    TrainingError
        If the training diverges, is killed, or runs out of memory or disk space.
    KeyboardInterrupt
        If the training is interrupted before there is a model, or a second time.
    """
    program = binary()
    with private_directory() as directory, nameless(table, directory) as rows:
        _configure(directory, config)
        arguments = [program, "train", "--config", _CONFIG, "--json", "--progress", "json"]
        with Child(arguments, directory, rows, jobs=jobs) as child, Display(verbose) as display:
            followed = _Followed(callback, display)
            followed.follow(child)
            code, output = child.ended()
        return _result(directory, table, rows, code, output, followed)


class _Followed:
    """What a child reported."""

    def __init__(self, callback: Callable[[Progress], None] | None, display: Display) -> None:
        self.callback = callback
        self.display = display
        self.interrupted = False
        self.notes: list[str] = []
        self.errors: list[dict[str, str]] = []
        self.rest: list[str] = []  # the first lines that are no events

    def follow(self, child: Child) -> None:
        """Handle the events of a child to its end."""
        while True:
            try:
                event = child.next()
                if event is None:
                    return
                self.handle(event)
            except KeyboardInterrupt:
                if self.interrupted:
                    raise
                self.interrupted = True
                child.interrupt()

    def handle(self, event: dict[str, Any]) -> None:
        kind = event.get("event")
        if kind == "progress":
            self.show(event)
        elif kind == "note":
            if len(self.notes) < _NOTES:
                self.notes.append(event["message"])
            self.display.note(event["message"])
        elif kind == "error":
            self.errors.append(event)
        elif event and len(self.rest) < FIRST_LINES:
            self.rest.append(str(event.get("message", event)))

    def show(self, event: dict[str, Any]) -> None:
        loss, metric, value = event.get("loss"), event.get("metric", ""), event.get("value")
        progress = Progress(event["stage"], event["done"], event["total"], loss, metric, value, event["seconds"])
        self.display.show(progress)
        if self.callback is not None and not self.interrupted:
            self.callback(progress)

    def failure(self, code: int) -> TskgraphError:
        """Return the exception for the end of a child."""
        if not self.errors:
            return failure(code, "\n".join(self.rest).encode())
        lines = (": ".join(part for part in (error.get("key"), in_python(error["message"])) if part) for error in self.errors)
        text, kind = in_python("\n".join(lines)), self.errors[0]["kind"]
        if kind in ("usage", "config"):
            return SettingError(text, next((error["key"] for error in self.errors if error.get("key")), ""))
        return {"data": DataError, "model": ModelError}.get(kind, TrainingError)(text)


def _result(directory: str, table: Table, rows: IO[bytes], code: int, output: bytes, followed: _Followed) -> Trained:
    """Read the result of a child that ended."""
    if code != 0 and not (code == _INTERRUPTED and output):
        if followed.interrupted:
            raise KeyboardInterrupt
        raise followed.failure(code)
    home = os.path.join(directory, _RUNS)
    (name,) = os.listdir(home)
    form = _form(os.path.join(home, name), table, rows, directory)
    with open(os.path.join(home, name, "metrics.jsonl"), "rb") as lines:
        metrics = json.loads(b"[" + b",".join(lines) + b"]")
    return Trained(form, json.loads(output), metrics, code == _INTERRUPTED, followed.notes)


def _form(path: str, table: Table, rows: IO[bytes], directory: str) -> bytes:
    """Return the document of the predictor of a run. Its rules are described on all rows or, of many, on some at equal distances."""
    step = -(-table.rows // _DESCRIBED)
    command = ["export", path, "--to", "json", "--data", _TABLE, f"--data-step={step}", "--out", "-"]
    if step == 1:
        rows.seek(0)
        return run(command, table=rows)
    with nameless(table.taking(slice(None, None, step)), directory) as some:
        return run(command, table=some)


def _configure(directory: str, config: Mapping[str, Any]) -> None:
    """Write the configuration."""
    values = {**config, "data.path": _TABLE, "output.dir": _RUNS, "output.tables": False}
    start = values.get("model.init")
    try:
        if isinstance(start, str) and os.path.exists(start):
            values["model.init"] = _start_of(start, directory)
        with open(os.path.join(directory, _CONFIG), "x", encoding="utf-8") as out:
            out.write(_yaml(values))
    except OSError as error:
        raise unwritten(directory, error) from error


def _start_of(path: str, directory: str) -> str:
    """Return the path of a file to start with that the program reads: of a file that `save` wrote, that of the model file in it."""
    try:
        model = b"" if os.path.isdir(path) else Model.load(path).model_file()
    except ModelError:
        model = b""
    if not model:
        return os.path.abspath(path)  # the child has another working directory
    with open(os.path.join(directory, "init.json"), "xb") as file:
        file.write(model)
    return "init.json"


def _yaml(values: Mapping[str, Any]) -> str:
    """Return a configuration as YAML: JSON, with characters beyond U+FFFF as one escape instead of two."""
    sections: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        (sections.setdefault(section, {}) if section else sections)[name] = value
    text = json.dumps(sections, default=_plain)
    return re.sub(r"\\(?:u(d[89ab]..)\\u(d[c-f]..)|.)", _whole, text)


def _whole(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[0]
    point = 0x10000 + (int(escape[1], 16) - 0xD800 << 10) + int(escape[2], 16) - 0xDC00
    return f"\\U{point:08x}"


def _plain(value: Any) -> Any:
    """Return what JSON can hold of a value of NumPy."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"a setting is of type {type(value).__name__}: want a number, text, list or dict")
