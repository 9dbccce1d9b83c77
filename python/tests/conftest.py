"""What the tests share: the binary, small data sets, and a guard against what a test leaves behind."""

from __future__ import annotations

import os
import pathlib
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import trained

from tskgraph import _program
from tskgraph.errors import BinaryNotFoundError
from tskgraph.model import Model

REMOVED_AT_EXIT = ("joblib_memmapping_folder", "sklearn_testing_")  # of joblib and scikit-learn

Arrays = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Let SIGINT interrupt: a shell that starts the tests in the background has them ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def binary() -> str:
    """Return the path of the program that the package finds; skip the test without one, or fail it under CI=true."""
    try:
        return _program.binary()
    except BinaryNotFoundError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def no_files_left(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves temporary files behind."""
    directory = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(directory))
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    yield
    left = [path.name for path in directory.iterdir() if not path.name.startswith(REMOVED_AT_EXIT)]
    assert not left, f"the test left temporary files: {left}"


@pytest.fixture(autouse=True, scope="module")
def no_processes_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail a module whose tests leave processes of tskgraph behind."""
    yield
    assert not lasting(str(tmp_path_factory.getbasetemp())), "the tests left processes"


def lasting(directory: str, seconds: float = 1.0) -> list[str]:
    """Return the processes that work in a directory, or are children of this one, after they had some time to end."""
    end = time.monotonic() + seconds
    while (running := processes_of(directory)) and time.monotonic() < end:
        time.sleep(0.05)
    return running


def processes_of(directory: str) -> list[str]:
    """Return the command lines of the processes of tskgraph that this process started or that work in a directory (Linux only)."""
    lines = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().decode(errors="replace").split("\0")
            parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
            home = os.readlink(path / "cwd")
        except (OSError, ValueError, IndexError):  # it ended
            continue
        ours = words[0] == os.environ.get("TSKGRAPH_BINARY") or "tskgraph" in os.path.basename(words[0])
        if (ours and parent == os.getpid()) or home.startswith(directory):
            lines.append(" ".join(words))
    return lines


def refused(kind: type[Exception], words: str, call: Callable[..., object], *given: Any, **named: Any) -> None:
    """Check that a call raises an error that says some words, a regular expression."""
    with pytest.raises(kind, match=words):
        call(*given, **named)


def script(path: pathlib.Path, text: str) -> pathlib.Path:
    """Write a script of the shell."""
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def versioned(path: pathlib.Path, version: str, rest: str = "") -> pathlib.Path:
    """Write a script that has a version as the program has."""
    return script(path, f'if [ "$1" = version ]; then echo \'{{"version": "{version}"}}\'; exit; fi\n{rest}')


@pytest.fixture(scope="session")
def numbers() -> Arrays:
    """Return 200 rows of three features and a smooth target."""
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 3))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * random.normal(size=200)


@pytest.fixture(scope="session")
def classes() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return 240 rows of two features and three classes."""
    random = np.random.default_rng(2)
    y = np.arange(240) % 3
    centres = np.array([[0.0, 0.0], [2.0, 0.5], [0.5, 2.5]])
    return centres[y] + 0.6 * random.normal(size=(240, 2)), y


@pytest.fixture(scope="session")
def runs(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], pathlib.Path]:
    """Return a function that trains a model of a kind of `trained.KINDS`, once, and returns the directory of its run."""
    made: dict[str, pathlib.Path] = {}

    def get(kind: str) -> pathlib.Path:
        if kind not in made:
            made[kind] = trained.train(binary, kind, tmp_path_factory.mktemp("trained"))
        return made[kind]

    return get


@pytest.fixture(scope="session")
def model_of(binary: str, runs: Callable[[str], pathlib.Path]) -> Callable[[str], Model]:
    """Return a function that returns the model of a kind of `trained.KINDS`."""
    made: dict[str, Model] = {}

    def get(kind: str) -> Model:
        if kind not in made:
            made[kind] = Model.from_json(trained.run(binary, "export", str(runs(kind)), "--to", "json", "--out", "-"))
        return made[kind]

    return get
