"""A training is a child: its result, its progress, its errors."""

from __future__ import annotations

import errno
import html
import json
import os
import pathlib
import re
import tempfile
import threading
from typing import Any

import numpy as np
import pytest
from conftest import refused
from trained import train_table as train

from tskgraph import _files, _training, errors
from tskgraph._progress import Progress
from tskgraph._table import Column, Table
from tskgraph.model import Model

pytestmark = pytest.mark.usefixtures("binary")

CONFIG = {"preset": "paper", "data.target": "y", "data.train": 1, "model.rules": 2, "train.iterations": 50}


def table(rows: int = 200, name: str = "x") -> Table:
    x = np.linspace(0.0, 1.0, rows)
    return Table((Column(name, x, None), Column("w", np.arange(rows) % 3, ("u", "v", "ü")), Column("y", np.sin(6 * x), None)), rows)


def test_result() -> None:
    trained = train(
        {**CONFIG, "train.l2": np.float64(0.1), "train.iterations": np.int64(50), "data.features": np.array(["x", "w"])}, table()
    )
    assert Model.from_json(trained.form).targets == ["y"]
    assert trained.summary["samples_train"] == 200
    assert [m["iteration"] for m in trained.metrics] == list(range(1, 51))
    assert not trained.interrupted


def test_jobs_and_environment_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    first = train(CONFIG, table(), jobs=1)
    monkeypatch.setenv("TSKGRAPH_TRAIN_SEED", "7")
    monkeypatch.setenv("TSKGRAPH_OUTPUT_DIR", "/none")
    monkeypatch.setenv("TSKGRAPH_NONSENSE", "1")
    assert train(CONFIG, table(), jobs=2).form == first.form
    monkeypatch.undo()


def test_a_wrong_setting_has_key_and_parameter() -> None:
    with pytest.raises(errors.SettingError, match=r"^l2: -1: must be at least 0$") as caught:
        train({**CONFIG, "train.l2": -1}, table())
    assert (caught.value.key, caught.value.parameter) == ("train.l2", "l2")
    with pytest.raises(errors.SettingError, match="did you mean") as caught:
        train({**CONFIG, "train.iteration": 1, "train.batch": "many"}, table())
    assert len(str(caught.value).splitlines()) == 2
    with pytest.raises(errors.SettingError) as caught:
        train({**CONFIG, "train.l2": float("nan"), "train.batch": np.float32(0.5)}, table())
    assert "l2: " in str(caught.value)
    assert "batch: 0.5" in str(caught.value)
    refused(TypeError, "a setting is of type set", train, {**CONFIG, "data.features": {"x"}}, table())


def test_a_wrong_table() -> None:
    refused(errors.DataError, 'column "z"', train, {**CONFIG, "data.target": "z"}, table())
    holes = table()
    holes.columns[0].values[[3, 7]] = np.nan
    with pytest.raises(errors.DataError, match="row 4: ") as caught:
        train(CONFIG, holes)
    assert "parquet" not in str(caught.value)


def test_divergence_is_an_error() -> None:
    wild = {**CONFIG, "train.optimizer": "sgd", "train.learning_rate": 1e200, "train.iterations": 500}
    refused(errors.TrainingError, "diverged", train, wild, table())


@pytest.mark.parametrize("name", ['a "b" \\ud83d\\ude00', "😀\x7f\u2028\x85.", "größe, in m²", "[x]: {y} #z", "~", "- a", "\\U0001F600"])
def test_names_of_columns(name: str) -> None:
    given = {**CONFIG, "data.features": [name], "data.units": {name: "😀"}}
    assert Model.from_json(train(given, table(name=name)).form).document["columns"][0]["name"] == name


def test_a_name_that_is_not_unicode() -> None:
    refused(errors.DataError, "cannot be written as UTF-8", train, CONFIG, table(name="\ud800"))


def test_progress() -> None:
    seen: list[Progress] = []
    thread: list[threading.Thread] = []

    def callback(progress: Progress) -> None:
        seen.append(progress)
        thread.append(threading.current_thread())

    train({**CONFIG, "train.iterations": 20_000}, table(), callbacks=[callback])
    stages = [p.stage for p in seen]
    assert list(dict.fromkeys(stages)) == ["reading", "training"]
    assert set(thread) == {threading.current_thread()}
    done = [p.done for p in seen if p.stage == "training"]
    assert done == sorted(done)
    assert (done[-1], seen[-1].total) == (20_000, 20_000)
    last = seen[-1]
    assert last.metric == "RMSE"
    assert last.rmse == last.value is not None
    assert len(seen) < 15 + 12 * last.seconds


def test_progress_of_a_race_and_of_classes() -> None:
    seen: list[Progress] = []
    race = {"preset": "robust", "train.iterations": 100, "data.target": "w", "data.train": 1}
    train({**race, "train.race": [{"l2": 0.1}, {"l2": 0.2}]}, table(), callbacks=[seen.append])
    assert "race" in {p.stage for p in seen}
    assert seen[-1].metric != "RMSE"
    assert seen[-1].rmse is None
    assert seen[-1].value is not None


def test_an_exception_of_the_callback_propagates() -> None:
    def callback(progress: Progress) -> None:
        if progress.done > 100:
            raise ZeroDivisionError(progress.stage)

    refused(ZeroDivisionError, "training", train, {**CONFIG, "train.iterations": 10_000_000}, table(), callbacks=[callback])


def test_a_model_to_continue_with_is_found_from_here(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Model.from_json(train(CONFIG, table()).form).document
    (tmp_path / "saved.json").write_text(document["model"])
    monkeypatch.chdir(tmp_path)
    again = {key: value for key, value in CONFIG.items() if key != "model.rules"}
    continued = train({**again, "model.init": "saved.json"}, table())
    assert continued.metrics
    Model(document).save("model.json")
    of_saved = train({**again, "model.init": "model.json"}, table())
    assert of_saved.metrics == continued.metrics
    (tmp_path / "none.json").write_text("{}")
    refused(errors.ModelError, r"none\.json", train, {**again, "model.init": "none.json"}, table())


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_files, "write", full)
    refused(errors.TrainingError, r"No space left on device: free space there, or set TMPDIR", train, CONFIG, table())


@pytest.mark.skipif(not os.path.exists("/dev/shm") or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounts a file system")
@pytest.mark.parametrize(("kilobytes", "message"), [(64, "cannot be written to"), (188, "no space left|No space left")])
def test_a_small_disk(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, kilobytes: int, message: str) -> None:
    home = tmp_path / "small"
    home.mkdir()
    if os.system(f"mount -t tmpfs -o size={kilobytes}k none '{home}' 2>/dev/null") != 0:
        pytest.skip("no file system can be mounted here")
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(home))
        refused(errors.TrainingError, message, train, {**CONFIG, "train.iterations": 5000}, table(8000))
        assert not list(home.iterdir())
    finally:
        os.system(f"umount '{home}'")


def test_no_directory_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/none/at/all")
    refused(errors.TrainingError, "set TMPDIR to one that can be written", train, CONFIG, table())


@pytest.mark.parametrize("name", ["with spaces", "größe 😀", "[a]*?{b,c}", "-", "'\"\\"])
def test_odd_directories_for_temporary_files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    home = tmp_path / name
    home.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    assert train(CONFIG, table()).metrics
    assert not list(home.iterdir())


def test_the_directory_is_private() -> None:
    modes: list[int] = []

    def callback(_: Progress) -> None:
        modes.extend(path.stat().st_mode & 0o777 for path in pathlib.Path(tempfile.gettempdir()).iterdir())

    before = os.umask(0)
    try:
        train(CONFIG, table(), callbacks=[callback])
    finally:
        os.umask(before)
    assert set(modes) == {0o700}


def test_yaml_is_json_for_what_is_plain() -> None:
    values = {"task": "auto", "train.l2": 0.1, "data.units": {"a": "°C"}, "model.range": [0, None]}
    assert json.loads(_training._yaml(values)) == {
        "task": "auto",
        "train": {"l2": 0.1},
        "data": {"units": {"a": "°C"}},
        "model": {"range": [0, None]},
    }


class Terminal:
    """Standard error that is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True


def test_verbose_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    trained = train({**CONFIG, "model.rules": 40, "train.iterations": 1}, table(30), verbose=True)
    monkeypatch.undo()
    assert trained.notes
    assert f"note: {trained.notes[0]}\n" in terminal.text
    assert re.search(r"\r\[#{30}\] training 1/1  loss .* RMSE .* s *\r", terminal.text)


def test_verbose_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    train(CONFIG, table(), verbose=1)
    assert re.search(r"^reading .*\n(note: .*\n)*training 50/50  loss .* RMSE", capsys.readouterr().err)
    train(CONFIG, table())
    assert capsys.readouterr() == ("", "")


def test_verbose_in_a_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[Any] = []

    class Handle:
        def update(self, cell: Any) -> None:
            shown.append(cell._repr_html_())

    class Shell:
        kernel = 1

    shown_by = Handle()
    ipython = pytest.importorskip("IPython")
    monkeypatch.setattr(ipython, "get_ipython", Shell)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: shown_by)
    noted = train({**CONFIG, "model.rules": 40}, table(30), verbose=True).notes
    assert '<progress value="50" max="50"></progress> training 50/50' in shown[-1]
    assert shown[-1].endswith("<br>".join(["", *(f"note: {html.escape(note)}" for note in noted)]))
    assert noted
    assert capsys.readouterr().err == ""  # red there


def test_verbose_without_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    assert train(CONFIG, table(), verbose=True).metrics


def test_rules_of_a_large_table_are_described_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(train(CONFIG, table()).form)
    monkeypatch.setattr(_training, "_DESCRIBED", 100)
    sample = json.loads(train(CONFIG, table()).form)
    assert sample.pop("description") != whole.pop("description") is not None
    assert sample == whole
