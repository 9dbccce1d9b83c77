"""The program as a child that reports its progress."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Any

from ._program import environment, not_run

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
