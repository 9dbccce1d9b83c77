"""Finds and runs the program tskgraph."""

from __future__ import annotations

import importlib.resources
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from ._version import __version__
from .errors import BinaryNotFoundError, DataError, ModelError, SettingError, TrainingError, TskgraphError, in_python

_FILE = "tskgraph.exe" if os.name == "nt" else "tskgraph"
_REMEDY = (
    "install a wheel of tskgraph for this platform, or set TSKGRAPH_BINARY to the path of a program tskgraph of version " + __version__
)
_SMALLER = "train on fewer rows or columns, with fewer rules, or with n_jobs=1"
_PREFIX = "tskgraph: "  # of errors
FIRST_LINES = 20  # that an exception shows if no line says error

# Programs whose version was checked: path -> time of modification and size.
_checked: dict[str, tuple[int, int]] = {}


def binary() -> str:
    """Return the path of the program tskgraph.

    It is the value of the environment variable ``TSKGRAPH_BINARY``, else the program of the package, else the first on ``PATH``. It is a
    BinaryNotFoundError if there is none, or it cannot be run, or it has another version than the package.
    """
    path = _candidate()
    try:
        state = os.stat(path)
    except OSError as error:
        raise BinaryNotFoundError(f"the program {path} cannot be read: {error.strerror}: {_REMEDY}") from error
    if os.path.isdir(path):
        raise BinaryNotFoundError(f"{path} is a directory, not the program tskgraph: {_REMEDY}")
    mark = (state.st_mtime_ns, state.st_size)
    if _checked.get(path) != mark:
        _check(path)
        _checked[path] = mark
    return path


def _candidate() -> str:
    """Return the path of the program, which may not exist."""
    named = os.environ.get("TSKGRAPH_BINARY")
    if named:
        return os.path.abspath(named)
    found = packaged() or shutil.which("tskgraph")
    if found is None:
        raise BinaryNotFoundError(f"the program tskgraph is neither in the package nor on PATH: {_REMEDY}")
    return os.path.abspath(found)


def packaged() -> str | None:
    """Return the path of the program in the package, or None if it is not installed from a wheel."""
    path = importlib.resources.files(__package__) / "bin" / _FILE
    return str(path) if isinstance(path, Path) and path.exists() else None


def _check(path: str) -> None:
    """Check that a program can be run and has the version of the package."""
    done = _execute(path, ["version", "--json"], stdin=subprocess.DEVNULL)
    try:
        version = json.loads(done.stdout)["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise BinaryNotFoundError(f"{path} is not the program tskgraph: {_REMEDY}") from error
    if version != __version__:
        raise BinaryNotFoundError(f"{path} has version {version}, but the package has {__version__}: {_REMEDY}")


def _execute(path: str, arguments: Sequence[str], **given: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end."""
    try:
        return subprocess.run([path, *arguments], capture_output=True, env=environment(), check=False, **given)
    except OSError as error:
        raise not_run(path, error) from error


def not_run(path: str, error: OSError) -> TskgraphError:
    """Return the exception for a program that could not be started."""
    if isinstance(error, PermissionError):
        return BinaryNotFoundError(f"{path} is not executable: run chmod +x on it, if its file system may hold programs (noexec)")
    if isinstance(error, FileNotFoundError) or error.strerror == "Exec format error" or os.name == "nt":
        return BinaryNotFoundError(f"{path} cannot be run on this machine ({error.strerror}): {_REMEDY}")
    return TrainingError(f"{path} could not be started: {error.strerror}")


def environment(jobs: int | None = None) -> dict[str, str]:
    """Return the environment of the program, which uses so many processors, -1 for all, not 0; None: as Go's runtime chooses."""
    variables = {name: value for name, value in os.environ.items() if not name.upper().startswith("TSKGRAPH_")}
    if jobs is not None:
        if jobs == 0:
            raise SettingError("n_jobs is 0: want the number of processors to use, or -1 for all", "n_jobs")
        variables["GOMAXPROCS"] = str(jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs))
    return variables


def run(arguments: Sequence[str], *, table: IO[bytes] | None = None, files: Sequence[int] = ()) -> bytes:
    """Run a short command on a table, its standard input, with descriptors that it inherits, and return its standard output.

    It raises the exception for the exit code, with what the program printed, and what `binary` raises.
    """
    done = _execute(binary(), arguments, stdin=table or subprocess.DEVNULL, pass_fds=files)
    if done.returncode != 0:
        raise failure(done.returncode, done.stderr)
    return done.stdout


def failure(code: int, stderr: bytes) -> TskgraphError:
    """Return the exception for an exit code, with the errors that the program printed, or else the first lines of what it printed."""
    lines = stderr.decode("utf-8", "backslashreplace").splitlines()
    errors = [line[len(_PREFIX) :] for line in lines if line.startswith(_PREFIX)]
    message = "\n".join(errors or lines[:FIRST_LINES])
    if code < 0:
        return _killed(-code, message)
    if not errors:  # a crash
        text = f"tskgraph ended with exit code {code}"
        if "out of memory" in message or "cannot allocate memory" in message:
            text += f" because memory ran out: {_SMALLER}"
        return TrainingError(f"{text}\n{message}" if message else f"{text} and without a message")
    kinds: Mapping[int, type[TskgraphError]] = {2: SettingError, 3: DataError, 4: ModelError}
    return kinds.get(code, TrainingError)(in_python(message))


def _killed(number: int, message: str) -> TrainingError:
    """Return the exception for a program that a signal ended."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    text = f"tskgraph was ended by {name}"
    if name == "SIGKILL":
        text += f", probably because memory ran out: {_SMALLER}"
    return TrainingError(f"{text}\n{message}" if message else text)
