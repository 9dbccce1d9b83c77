"""Interrupts, killed processes, odd parents: a training ends, says why, and leaves nothing."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable

import numpy as np
import pytest
from conftest import lasting, processes_of, refused, versioned
from trained import train_table as train

from tskgraph import _program, errors
from tskgraph._progress import Progress
from tskgraph._table import Column, Table
from tskgraph._training import Trained
from tskgraph._version import __version__
from tskgraph.model import Model

pytestmark = [pytest.mark.usefixtures("binary"), pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")]

LONG = {"preset": "paper", "data.target": "y", "data.train": 1, "model.rules": 2, "train.iterations": 100_000_000}
SHORT = {**LONG, "train.iterations": 20}

# The start of a process that trains.
HEAD = f"""
import os, sys
sys.path[:0] = [{str(pathlib.Path(_program.__file__).parent.parent)!r}, {str(pathlib.Path(__file__).parent)!r}]
import numpy as np
from tskgraph._table import Column, Table
from trained import train_table as train
x = np.linspace(0.0, 1.0, 200)
table = Table((Column("x", x, None), Column("y", np.sin(6 * x), None)), 200)
LONG, SHORT = {LONG!r}, {SHORT!r}
"""


def table() -> Table:
    x = np.linspace(0.0, 1.0, 200)
    return Table((Column("x", x, None), Column("y", np.sin(6 * x), None)), 200)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Callable[[str], None]:
    """Return a function that replaces the program by a script of the shell."""
    return lambda text: monkeypatch.setenv("TSKGRAPH_BINARY", str(versioned(tmp_path / "tskgraph", __version__, text)))


def interrupting(stage: str) -> Callable[[Progress], None]:
    """Return a callback that sends this process SIGINT in a stage, once."""
    left = [signal.SIGINT]

    def callback(progress: Progress) -> None:
        if progress.stage == stage and (stage != "training" or progress.done > 0) and left:
            signal.raise_signal(left.pop())

    return callback


def test_an_interrupt_keeps_the_model_so_far() -> None:
    trained = train(LONG, table(), callbacks=[interrupting("training")])
    assert trained.interrupted
    assert 0 < len(trained.metrics) < LONG["train.iterations"]  # type: ignore[operator]
    assert np.isfinite(Model.from_json(trained.form).predict(np.array([[0.5]]))).all()


def test_an_interrupt_while_the_caller_waits() -> None:
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    assert train(LONG, table()).interrupted
    timer.join()


def test_an_interrupt_before_there_is_a_model() -> None:
    slow = {"preset": "robust", "data.target": "y", "data.train": 1, "train.race_splits": 1, "train.iterations": 1_000_000}
    with pytest.raises(KeyboardInterrupt):
        train(slow, table(), callbacks=[interrupting("race")])


def test_a_second_interrupt_kills(fake: Callable[[str], None]) -> None:
    event = '{"event": "progress", "stage": "race", "done": 0, "total": 0, "seconds": 0}'
    fake(f"trap '' INT TERM\nwhile :; do echo '{event}' >&2; sleep 0.1; done")
    seen = [0]

    def callback(_: Progress) -> None:
        seen[0] += 1
        if seen[0] == 2:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        train(LONG, table(), callbacks=[callback])


def test_an_interrupt_while_the_table_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tskgraph._files.write", lambda *_: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        train(LONG, table())


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'out of luck' >&2; kill -9 $$", r"SIGKILL, probably because memory ran out: (.|\n)*\nout of luck$"),
        ("kill -SEGV $$", "ended by SIGSEGV"),
        ("printf 'panic: \\377\\n\\ngoroutine 1\\n' >&2; exit 2", r"exit code 2\npanic: \\xff\n\ngoroutine 1"),
        ("echo 'fatal error: runtime: out of memory' >&2; exit 2", "exit code 2 because memory ran out: train on fewer"),
        ("exit 5", "exit code 5 and without a message"),
    ],
)
def test_a_child_that_fails_without_events(fake: Callable[[str], None], script: str, message: str) -> None:
    fake(script)
    refused(errors.TrainingError, message, train, LONG, table())


def test_floods_of_output(fake: Callable[[str], None]) -> None:
    note = '{"event": "note", "message": "again"}'
    fake(
        f"yes '{note}' | head -n 30000 >&2; yes | head -c 3000000; yes 'no event' | head -n 30000 >&2; head -c 300000 /dev/zero >&2; exit 1"
    )
    refused(errors.TrainingError, "no event\nno event", train, LONG, table())


def run_python(text: str, home: pathlib.Path, **options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HEAD + text]
    return subprocess.Popen(command, env={**os.environ, "TMPDIR": str(home)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.skipif(not os.path.exists("/proc/self/cwd"), reason="needs /proc")
def test_a_killed_parent_takes_the_child_along(tmp_path: pathlib.Path) -> None:
    parent = run_python("train(LONG, table, callbacks=[lambda p: print(p.done, flush=True)])", tmp_path)
    assert parent.stdout is not None
    while int(parent.stdout.readline()) == 0:
        pass
    assert processes_of(str(tmp_path))
    parent.kill()
    parent.communicate()
    assert all(b"PAR1" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())  # no training data
    assert not lasting(str(tmp_path), 10)


@pytest.mark.parametrize("closed", [[0], [0, 1, 2]])
def test_closed_descriptors(tmp_path: pathlib.Path, closed: list[int]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    done = tmp_path / "done"
    text = f"for fd in {closed}: os.close(fd)\nopen({str(done)!r}, 'w').write(str(len(train(SHORT, table).metrics)))"
    process = run_python(text, home)
    process.communicate()
    assert process.returncode == 0
    assert done.read_text() == "20"
    assert not list(home.iterdir())


def test_after_a_fork(tmp_path: pathlib.Path) -> None:
    text = """
train(SHORT, table)
if os.fork() == 0:
    print(len(train(SHORT, table).metrics), flush=True)
    sys.exit()
os.wait()
"""
    out, err = run_python(text, tmp_path).communicate()
    assert (out, err) == (b"20\n", b"")
    assert not list(tmp_path.iterdir())


def test_an_interrupt_that_the_terminal_sends_to_the_group(tmp_path: pathlib.Path) -> None:
    process = run_python(
        "print(train(LONG, table, callbacks=[lambda p: print(p.done, flush=True)]).interrupted)", tmp_path, start_new_session=True
    )
    assert process.stdout is not None
    while int(process.stdout.readline()) == 0:
        pass
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    assert out.endswith(b"True\n"), err
    assert not list(tmp_path.iterdir())


def test_threads() -> None:
    results: list[Trained] = []
    threads = [threading.Thread(target=lambda: results.append(train(SHORT, table(), jobs=1))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({result.form for result in results}) == 1
    assert len(results) == 4


def test_workers_of_joblib() -> None:
    text = "import joblib\nprint([len(t.metrics) for t in joblib.Parallel(2)(joblib.delayed(train)(SHORT, table) for _ in range(3))])"
    out, err = run_python(text, pathlib.Path(tempfile.gettempdir())).communicate()
    assert out == b"[20, 20, 20]\n", err
