from __future__ import annotations

import copy
import csv
import json
import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import trained
from conftest import refused

from tskgraph.errors import DataError, ModelError, SettingError
from tskgraph.model import Model

Get = Callable[[str], Model]
ROWS = {name: values for name, values in trained.table(150, 2).items() if name in trained.COLUMNS}


def close(got: Any, want: Any) -> None:
    """Compare numbers to 1e-12 of the range of each column."""
    want = np.asarray(want, dtype=float)
    unit = max(1.0, np.ptp(want))
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-12 * unit)


@pytest.mark.parametrize("kind", trained.KINDS)
def test_predictions_are_those_of_the_program(binary: str, runs: Any, model_of: Get, kind: str) -> None:
    model, added = model_of(kind), trained.predict(binary, runs(kind), ROWS)
    if model.kind == "classes":
        first, *rest = added.values()
        assert model.predict(ROWS).tolist() == first
        close(model.predict_proba(ROWS), np.transpose(rest))
        assert list(added)[1:] == [f"{model.targets[0]}_probability_{name}" for name in model.classes]
    elif model.kind == "quantiles":
        first, *rest = added.values()
        close(model.predict(ROWS), first)
        close(model.predict_quantiles(ROWS), np.transpose(rest))
        assert list(added)[1:] == [f"y_q{level}" for level in model.levels]
    else:
        assert list(added) == [f"{name}_predicted" for name in model.targets]
        close(
            model.predict(ROWS).T, added["y_predicted"] if len(added) == 1 and "y_predicted" in added else np.squeeze(list(added.values()))
        )


@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize("kind", ["number", "count", "cost", "targets", "quantiles"])
def test_intervals_are_those_of_the_program(binary: str, runs: Any, model_of: Get, kind: str, level: float) -> None:
    model, added = model_of(kind), trained.predict(binary, runs(kind), ROWS, "--interval", str(level))
    bounds = [[added[f"{t}_lower"], added[f"{t}_upper"]] for t in model.targets]
    close(
        model.predict_interval(ROWS, level),
        np.squeeze(np.transpose(np.array(bounds, dtype=float), (2, 0, 1)), axis=1 if len(bounds) == 1 else ()),
    )


@pytest.mark.parametrize("level", [0.3, 0.9])
def test_sets_are_those_of_the_program(binary: str, runs: Any, model_of: Get, level: float) -> None:
    model, added = model_of("classes"), trained.predict(binary, runs("classes"), ROWS, f"--sets={level}")
    got = [[name for name, within in zip(model.classes, row) if within] for row in model.predict_set(ROWS, level)]
    assert got == list(csv.reader(added["kind_set"], delimiter="|"))
    assert not model.predict_set({**ROWS, "width": [np.inf] * 150}).any()


@pytest.mark.parametrize("kind", ["number", "count", "targets", "quantiles", "classes", "binary", "readable", "page", "pages of targets"])
def test_firing_is_that_of_the_program(binary: str, runs: Any, model_of: Get, kind: str) -> None:
    added = trained.predict(binary, runs(kind), ROWS, "--firing")
    firing, rule = model_of(kind).predict_firing(ROWS)
    R = firing.shape[1]
    close(firing, np.transpose([added[f"firing_{k + 1}"] for k in range(R)]))
    said = [
        [values for name, values in added.items() if name.startswith(f"rule_{k + 1}") and name[len(f"rule_{k + 1}") :][:1] in ("", "_")]
        for k in range(R)
    ]
    close(rule.reshape(150, R, -1), np.transpose(np.array(said, dtype=float), (2, 0, 1)))


@pytest.mark.parametrize("kind", ["committee", "committee of classes", "committee of quantiles"])
def test_spread_is_that_of_the_program(binary: str, runs: Any, model_of: Get, kind: str) -> None:
    added = trained.predict(binary, runs(kind), ROWS, "--spread")
    close(model_of(kind).predict_spread(ROWS), next(values for name, values in added.items() if name.endswith("_spread")))


def test_infinite_numbers_have_no_prediction(model_of: Get) -> None:
    width = np.array(ROWS["width"])
    width[3] = np.inf
    for kind in ("number", "targets", "components", "committee"):
        assert np.isnan(model_of(kind).predict({**ROWS, "width": width})).reshape(150, -1).any(axis=1).tolist() == [
            n == 3 for n in range(150)
        ]
    assert model_of("classes").predict({**ROWS, "width": width})[3] is None
    assert np.isnan(model_of("number").predict_firing({**ROWS, "width": width}).firing[3]).all()


def test_faulty_rows(model_of: Get) -> None:
    model = model_of("number")
    with pytest.raises(DataError, match="no column 'width', which the model needs; did you mean 'Width' there"):
        model.predict({**{n: v for n, v in ROWS.items() if n != "width"}, "Width": ROWS["width"]})
    refused(ValueError, "X has 2 features, but 4 features are expected", model.predict, np.zeros((3, 2)))
    refused(TypeError, "column 'width', row 1: expected a number, got the text 'a'", model.predict, {**ROWS, "width": ["a"] * 150})


def test_what_a_model_does_not_predict(model_of: Get) -> None:
    number, classes = model_of("number"), model_of("classes")
    for call in (number.predict_proba, number.predict_quantiles, number.predict_set, number.predict_spread, classes.predict_interval):
        with pytest.raises(ModelError):
            call(ROWS)
    refused(ModelError, "committee", model_of("committee").predict_firing, ROWS)
    refused(ModelError, r"not calibrated.*calibration=0.2", model_of("committee").predict_interval, ROWS)
    for level, message in (
        (0.0, "must lie between 0 and 1"),
        (np.nan, "must lie"),
        (0.995, "needs at least 199 calibration samples; there were 63"),
    ):
        refused(SettingError, message, number.predict_interval, ROWS, level)


def test_attributes(model_of: Get) -> None:
    model = model_of("targets")
    assert (model.kind, model.targets, model.units, model.classes, model.levels) == ("numbers", ["y", "z"], ["", ""], [], [])
    assert model.columns == list(trained.COLUMNS)
    assert model_of("classes").classes == ["high", "low", "mid"]
    assert model_of("quantiles").levels == [0.1, 0.5, 0.8]
    assert repr(model) == "<Model of 'y', 'z': numbers, 4 rules>"


def test_files_and_copies(model_of: Get, tmp_path: pathlib.Path) -> None:
    model = model_of("quantiles")
    path = tmp_path / "größe.json"
    path.write_text("before")
    model.save(path)
    loaded = Model.load(path)
    copies = [loaded, pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)]
    joblib = pytest.importorskip("joblib")
    joblib.dump(model, tmp_path / "model.joblib")
    copies.append(joblib.load(tmp_path / "model.joblib"))
    for other in copies:
        assert other == model
        assert hash(other) == hash(model)
        assert np.array_equal(other.predict_quantiles(ROWS), model.predict_quantiles(ROWS))
    assert model != model_of("number")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["größe.json", "model.joblib"]
    document = model.document
    document["kind"] = "classes"
    assert model.document["kind"] == "quantiles"


def test_saved_files_are_those_of_the_program(binary: str, runs: Any, model_of: Get, tmp_path: pathlib.Path) -> None:
    written = trained.run(binary, "export", str(runs("classes")), "--to", "json", "--out", "-")
    model_of("classes").save(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_bytes()) == json.loads(written)
    (tmp_path / "model.json").write_bytes(model_of("classes").model_file())
    assert trained.predict(binary, tmp_path / "model.json", ROWS) == trained.predict(binary, runs("classes"), ROWS)


def test_models_of_runs(runs: Any, model_of: Get, tmp_path: pathlib.Path) -> None:
    run = runs("classes")
    assert Model.from_run(run) == model_of("classes")
    (tmp_path / "model.json").write_bytes(model_of("classes").model_file())
    assert np.array_equal(Model.from_run(tmp_path / "model.json").predict_proba(ROWS), model_of("classes").predict_proba(ROWS))
    (tmp_path / "model.json").write_bytes(model_of("classes").model_file()[:-100])
    refused(ModelError, r"model\.json", Model.from_run, tmp_path / "model.json")


def test_save_leaves_the_old_file_when_it_fails(model_of: Get, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.json"
    path.write_text("before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    refused(OSError, "No space", model_of("number").save, path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("model.json", "before")]
    with pytest.raises(FileNotFoundError):
        model_of("number").save(tmp_path / "none" / "model.json")


def test_models_load_without_program_and_sklearn(model_of: Get, tmp_path: pathlib.Path) -> None:
    model_of("number").save(tmp_path / "model.json")
    script = "import sys; from tskgraph.model import Model; m = Model.load(sys.argv[1]); print(m.predict([[20, 1.5, 'mon', 'S']])[0]); " + (
        "assert not {'sklearn', 'pandas', 'scipy', 'subprocess'} & set(sys.modules)"
    )
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "model.json")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert float(done.stdout) == model_of("number").predict([[20, 1.5, "mon", "S"]])[0]
