"""One training by the program, as a child that reports its progress."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import IO, Any

import numpy as np

from ._files import nameless, private_directory, readable, unwritten
from ._job import Job
from ._program import FIRST_LINES, binary, environment, failure, not_run, run
from ._progress import Display, Progress
from .errors import DataError, ModelError, SettingError, StopTraining, TrainingError, TskgraphError, in_python
from .model import Model

# How long one wait for an event lasts: on Windows, Python handles an interrupt only between two waits.
_PATIENCE = 0.5


class Child:
    """A command that reads a table and writes a JSON object per line on standard error, as ``tskgraph train --progress json`` does.

    It runs in a process group of its own, so that Ctrl-C reaches this process alone, which decides what to do. Leaving the context kills
    the child if it still runs.
    """

    def __init__(
        self, arguments: Sequence[str], directory: str, table: IO[bytes], *, files: Sequence[int] = (), jobs: int | None = None
    ) -> None:
        group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                arguments, cwd=directory, env=environment(jobs), stdin=table, stdout=pipe, stderr=pipe, pass_fds=files, **group
            )
        except OSError as error:
            raise not_run(arguments[0], error) from error
        self._events: queue.Queue[dict[str, Any]] = queue.Queue()
        self._output = bytearray()
        self._readers = [
            threading.Thread(target=self._read_events, args=(self._process.stderr,), daemon=True),
            threading.Thread(target=self._read_output, args=(self._process.stdout,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def next(self) -> dict[str, Any] | None:
        """Wait for the next event, and return it; None at the end.

        A line that is no JSON object, such as the trace of a crash, is an event without a kind.
        """
        while True:
            try:
                return self._events.get(timeout=_PATIENCE if self._readers[0].is_alive() else 0)
            except queue.Empty:
                if not self._readers[0].is_alive() and self._events.empty():
                    return None

    def interrupt(self) -> None:
        """Ask the child to stop and to write the best model so far."""
        if sys.platform == "win32":
            self._process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            self._process.send_signal(signal.SIGINT)

    def ended(self) -> tuple[int, bytes]:
        """Wait for the end, and return the exit code, negative for a signal, and the standard output."""
        code = self._process.wait()
        self._readers[1].join()
        return code, bytes(self._output)

    def _read_events(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            text = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
            try:
                event = json.loads(text)
            except ValueError:
                event = None
            self._events.put(event if isinstance(event, dict) else {"message": text})
        self._events.put({})  # wakes next

    def _read_output(self, pipe: IO[bytes]) -> None:
        for part in iter(lambda: pipe.read(1 << 16), b""):
            self._output += part


_TABLE, _CONFIG, _RUNS = "-", "config.yaml", "runs"
_DESCRIBED = 2000  # rows that rules are described on
_NOTES = 1000  # notes that are kept
_INTERRUPTED = 130


@dataclass
class Trained:
    """The result of a training."""

    form: bytes  # the document of the predictor, as ``tskgraph export --to json`` writes it
    summary: dict[str, Any]  # of the run
    metrics: list[dict[str, Any]]  # figures of each iteration: a line of metrics.jsonl each
    interrupted: bool  # the model is the best so far
    notes: list[str] = field(default_factory=list)  # what the program found worth saying


def train(
    job: Job,
    *,
    callbacks: Sequence[Callable[[Progress], object]] = (),
    jobs: int | None = None,
    verbose: bool | int = False,
) -> Trained:
    """Train a model on the table of a job, which has all columns that its configuration names; data.path and output.* are set here.

    Callbacks receive the progress in the thread of the caller: whenever sets are measured, otherwise about 10 times a second at most and
    once a second at least. An exception ends the training and propagates; KeyboardInterrupt and StopTraining end it and keep the model so
    far. The result does not depend on jobs, the number of processors, -1 for all.

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
    with private_directory() as directory, nameless(job.table, directory) as rows, contextlib.ExitStack() as watched:
        _configure(directory, job.config)
        arguments, files = [program, "train", "--config", _CONFIG, "--json", "--progress", "json"], list[int]()
        for one in job.watch:
            path, inherited = watched.enter_context(readable(one.table, directory)) if one.table is not None else ("", ())
            arguments += ["--watch", f"{one.part}={path}" if path else one.part]
            files += inherited
        with Child(arguments, directory, rows, files=files, jobs=jobs) as child, Display(verbose) as display:
            followed = _Followed(callbacks, job, display)
            followed.follow(child)
            code, output = child.ended()
        trained = _result(directory, rows, code, output, followed)
    return trained  # noqa: RET504 (a context may end exceptions)


class _Followed:
    """What a child reported."""

    def __init__(self, callbacks: Sequence[Callable[[Progress], object]], job: Job, display: Display) -> None:
        self.callbacks = callbacks
        self.job = job
        self.names = {one.part: one.name for one in job.watch}
        self.display = display
        self.interrupted = self.stopped = False
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
            except StopTraining:
                self.stopped = True
                child.interrupt()
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
            note = self.said(event["message"])
            if len(self.notes) < _NOTES:
                self.notes.append(note)
            self.display.note(note)
        elif kind == "error":
            self.errors.append(event)
        elif event and len(self.rest) < FIRST_LINES:
            self.rest.append(str(event.get("message", event)))

    def show(self, event: dict[str, Any]) -> None:
        loss, metric, value = event.get("loss"), event.get("metric", ""), event.get("value")
        evaluations = self.named(event.get("watched", {}))
        progress = Progress(event["stage"], event["done"], event["total"], loss, metric, value, event["seconds"], evaluations)
        self.display.show(progress)
        for callback in self.callbacks if not (self.interrupted or self.stopped) else ():
            callback(progress)

    def named(self, watched: Mapping[str, float]) -> dict[str, float]:
        """Return figures by the names of the sets; NaN of one that is not finite."""
        return {name: watched.get(part, np.nan) for part, name in self.names.items()} if watched else {}

    def said(self, message: str) -> str:
        """Return a message about the table with the numbers of the rows as they were given."""

        def row(line: re.Match[str]) -> str:
            number, numbers = int(line[1]), self.job.numbers
            if numbers is None:
                return line[0]
            last = len(numbers)
            return f"standard input:{numbers[number - 1]}" if number <= last else f"row {number - last} of the validation set"

        return in_python(re.sub(r"^standard input:(\d+)", row, message))

    def failure(self, code: int) -> TskgraphError:
        """Return the exception for the end of a child."""
        if not self.errors:
            return failure(code, "\n".join(self.rest).encode())
        lines = (": ".join(part for part in (error.get("key"), self.said(error["message"])) if part) for error in self.errors)
        text, kind = in_python("\n".join(lines)), self.errors[0]["kind"]
        if kind in ("usage", "config"):
            return SettingError(text, next((error["key"] for error in self.errors if error.get("key")), ""))
        return {"data": DataError, "model": ModelError}.get(kind, TrainingError)(text)


def _result(directory: str, rows: IO[bytes], code: int, output: bytes, followed: _Followed) -> Trained:
    """Read the result of a child that ended."""
    if code != 0 and not (code == _INTERRUPTED and output):
        if followed.interrupted:
            raise KeyboardInterrupt
        if followed.stopped:
            raise TrainingError("a callback raised StopTraining before there was a model: raise it in the stage 'training'")
        raise followed.failure(code)
    home = os.path.join(directory, _RUNS)
    (name,) = os.listdir(home)
    form = _form(os.path.join(home, name), followed.job, rows, directory)
    with open(os.path.join(home, name, "metrics.jsonl"), "rb") as lines:
        metrics = json.loads(b"[" + b",".join(lines) + b"]")
    for line in metrics:
        if "watched" in line:
            line["watched"] = followed.named(line["watched"])
    return Trained(form, json.loads(output), metrics, code == _INTERRUPTED and not followed.stopped, followed.notes)


def _form(path: str, job: Job, rows: IO[bytes], directory: str) -> bytes:
    """Return the document of the predictor of a run. Its rules are described on all rows or, of many, on some at equal distances."""
    table = job.given or job.table
    step = -(-table.rows // _DESCRIBED)
    command = ["export", path, "--to", "json", "--data", _TABLE, f"--data-step={step}", "--out", "-"]
    if table is job.table and step == 1:
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
