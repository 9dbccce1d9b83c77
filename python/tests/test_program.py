"""The program is found, checked and run; what goes wrong is an exception that says what to do."""

from __future__ import annotations

import os
import pathlib
import pickle
import shutil
import subprocess
import sys

import pytest
from conftest import refused, script, versioned

from tskgraph import _program, errors
from tskgraph._version import __version__

posix = pytest.mark.skipif(os.name != "posix", reason="scripts and modes of POSIX")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> pathlib.Path:
    """Hide every program tskgraph, and return an empty directory that PATH names."""
    home = tmp_path / "bin"
    home.mkdir()
    monkeypatch.setenv("PATH", str(home))
    monkeypatch.delenv("TSKGRAPH_BINARY", raising=False)
    monkeypatch.setattr(_program, "_FILE", "none")
    return home


@posix
def test_order(without: pathlib.Path, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    refused(errors.BinaryNotFoundError, "neither in the package nor on PATH: install", _program.binary)
    on_path = versioned(without / "tskgraph", __version__)
    assert _program.binary() == str(on_path)
    named = versioned(tmp_path / "näme with spaces", __version__)
    monkeypatch.setenv("TSKGRAPH_BINARY", str(named))
    assert _program.binary() == str(named)


def test_of_the_tests(binary: str) -> None:
    assert _program.binary() == os.path.abspath(binary)
    assert __version__ in _program.run(["version"]).decode()


@posix
def test_what_is_no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    bad = {
        "missing": "cannot be read: No such file",
        "directory": "is a directory",
        "mode": "is not executable: run chmod",
        "processor": "cannot be run on this machine",
        "interpreter": "cannot be run on this machine",
        "text": "is not the program tskgraph",
        "old": f"has version 0.0.1, but the package has {__version__}: install",
    }
    (tmp_path / "directory").mkdir()
    (tmp_path / "mode").write_text("#!/bin/sh\n")
    (tmp_path / "processor").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xf3\x00" + bytes(100))
    (tmp_path / "processor").chmod(0o755)
    (tmp_path / "interpreter").write_text("#!/none\n")
    (tmp_path / "interpreter").chmod(0o755)
    script(tmp_path / "text", "echo hello")
    versioned(tmp_path / "old", "0.0.1")
    for name, message in bad.items():
        monkeypatch.setenv("TSKGRAPH_BINARY", str(tmp_path / name))
        refused(errors.BinaryNotFoundError, message, _program.binary)
    assert issubclass(errors.BinaryNotFoundError, OSError)


@posix
def test_a_replaced_program_is_checked_again(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    path = versioned(tmp_path / "tskgraph", __version__)
    monkeypatch.setenv("TSKGRAPH_BINARY", str(path))
    assert _program.binary() == str(path)
    versioned(path, "0.0.1")
    refused(errors.BinaryNotFoundError, r"0\.0\.1", _program.binary)


@posix
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    kinds = {1: errors.TrainingError, 2: errors.SettingError, 3: errors.DataError, 4: errors.ModelError, 77: errors.TrainingError}
    path = versioned(tmp_path / "tskgraph", __version__, 'printf "note: a\\ntskgraph: first\\ntskgraph: \\377\\n" >&2; exit $1')
    monkeypatch.setenv("TSKGRAPH_BINARY", str(path))
    for code, kind in kinds.items():
        with pytest.raises(kind) as caught:
            _program.run([str(code)])
        assert type(caught.value) is kind
        assert str(caught.value) == "first\n\\xff"
    versioned(path, __version__, "kill -9 $$")
    refused(errors.TrainingError, "ended by SIGKILL, probably because memory ran out: train on fewer", _program.run, ["x"])


@pytest.mark.usefixtures("binary")
def test_real_errors(tmp_path: pathlib.Path) -> None:
    refused(errors.ModelError, r"none\.json", _program.run, ["show", "--model", str(tmp_path / "none.json")])
    refused(errors.SettingError, "unknown flag", _program.run, ["train", "--nonsense"])
    with pytest.raises(errors.DataError, match=r"none\.csv"):
        _program.run(["train", "--set", "data.path=none.csv", "--set", "data.target=y", "--set", f"output.dir={tmp_path}/runs"])


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TSKGRAPH_TRAIN_SEED", "7")
    monkeypatch.setenv("GOMAXPROCS", "3")
    assert not [name for name in _program.environment() if name.startswith("TSKGRAPH")]
    assert _program.environment()["GOMAXPROCS"] == "3"
    assert _program.environment(2)["GOMAXPROCS"] == "2"
    assert _program.environment(-1)["GOMAXPROCS"] == str(os.cpu_count())
    assert _program.environment(-1000)["GOMAXPROCS"] == "1"
    with pytest.raises(errors.SettingError) as caught:
        _program.environment(0)
    assert caught.value.parameter == "n_jobs"


def test_exceptions_survive_pickle() -> None:
    error = errors.SettingError("train.l2: too small", "train.l2")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.key, again.parameter) == ("train.l2: too small", "train.l2", "l2")
    assert isinstance(error, ValueError)
    assert isinstance(errors.TrainingError("x"), RuntimeError)


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_isolated_python_in_any_locale(binary: str, tmp_path: pathlib.Path, locale: str) -> None:
    odd = tmp_path / "größe 日本"
    odd.mkdir()
    shutil.copy(binary, odd / "tskgraph")
    home = pathlib.Path(_program.__file__).parent.parent
    code = f"import sys; sys.path.insert(0, {str(home)!r}); from tskgraph import _program; print(len(_program.run(['version'])))"
    variables = {"TSKGRAPH_BINARY": str(odd / "tskgraph"), "LC_ALL": locale, "PATH": os.environ["PATH"]}
    command = f"import os\nos.environ['TSKGRAPH_BINARY'] = {str(odd / 'tskgraph')!r}\n{code}"
    done = subprocess.run([sys.executable, "-I", "-c", command], env=variables, capture_output=True, check=True)
    assert int(done.stdout) > 20
