from __future__ import annotations

import pathlib
import subprocess
import sys
import types
from typing import Any

import numpy as np
import pytest
import trained
from conftest import refused

from tskgraph import TSKRegressor
from tskgraph.errors import DataError, SettingError
from tskgraph.explanation import Explanation

TABLE = trained.table(40, 2)
ROWS = {name: TABLE[name] for name in trained.COLUMNS}
BACKGROUND = {name: values for name, values in trained.table(150, 3).items() if name in trained.COLUMNS}
TARGETS = {"targets": ["y", "z"], "classes": ["kind"], "count": ["count"]}


def sums(model: Any, rows: Any) -> Any:
    """Return what the sums of an explanation are, by the model's predictions."""
    if model.kind == "classes":
        p = model.predict_proba(rows)
        return np.log(p[:, 1] / p[:, 0]) if p.shape[1] == 2 else np.log(p) - np.log(p).mean(axis=1, keepdims=True)
    return model.predict_quantiles(rows) if model.kind == "quantiles" else model.predict(rows)


@pytest.mark.parametrize("kind", trained.KINDS)
def test_values_are_those_of_the_program(binary: str, runs: Any, model_of: Any, kind: str, tmp_path: pathlib.Path) -> None:
    model = model_of(kind)
    found = model.explain_local(ROWS, background=BACKGROUND)
    with_targets = {**BACKGROUND, **{name: trained.table(150, 3)[name] for name in model.targets}}
    (tmp_path / "background.csv").write_text(trained.csv_of(with_targets), encoding="utf-8")
    added = trained.predict(binary, runs(kind), ROWS, "--explain", "--background", str(tmp_path / "background.csv"))
    several = found.output_names if any(name.startswith("shap_background_") for name in added) else ("",)
    for j, output in enumerate(several):
        values, base = (found.values, [found.base]) if found.values.ndim == 2 else (found.values[..., j], found.base)
        ending = f"_{output}" if output else ""
        assert float(added["shap_background" + ending][0]) == base[j if found.values.ndim == 3 else 0]
        for m, name in enumerate(found.feature_names):
            assert [float(v) for v in added[f"shap_{name}{ending}"]] == values[:, m].tolist()
    assert found.errors is None
    assert found.feature_names == trained.COLUMNS
    if kind == "committee of classes":  # of which the mean of the scores is explained, not that of the probabilities
        return
    want = np.log(model.predict(ROWS)) if kind in ("count", "cost") else sums(model, ROWS)
    got = found.predictions if model.kind != "quantiles" else np.sort(found.predictions, axis=1)
    if model.kind == "classes" and got.ndim == 2:
        got = got - got.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)


def test_rows_as_they_were_given(model_of: Any) -> None:
    data = model_of("number").explain_local(ROWS, background=BACKGROUND).data
    assert data.dtype == object and data.shape == (40, 4)
    assert np.isnan(data[3, 0]) and data[5, 2] is None and data[0, 3] == ROWS["size"][0] and data[0, 1] == ROWS["width"][0]


@pytest.mark.usefixtures("binary")
def test_array_and_columns_that_do_not_matter() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(120, 15))
    X[:, 3] = 1.0
    estimator = TSKRegressor(preset="paper", rules=3, iterations=40).fit(X, X[:, 0] - X[:, 1])
    found = estimator.explain_local(X[:4])
    assert found.values.shape == (4, 15) and (found.values[:, 3] == 0).all()
    assert found.errors is not None and (found.errors > 0).sum() > 20  # estimated: more than 12 columns
    np.testing.assert_array_equal(found.data, X[:4])
    np.testing.assert_allclose(found.predictions, estimator.predict(X[:4]), rtol=1e-9)
    again = estimator.explain_local(X[:4], background=X)  # the program draws 100 rows of another background
    assert again.base != found.base
    np.testing.assert_allclose(again.predictions, found.predictions, rtol=1e-9)
    assert estimator.background_.rows == 100


@pytest.mark.parametrize("kind", ["number", "classes"])
def test_to_shap(model_of: Any, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    made: dict[str, Any] = {}
    stand_in = types.ModuleType("shap")
    stand_in.Explanation = lambda **fields: made.update(fields) or "made"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "shap", stand_in)
    found = model_of(kind).explain_local(ROWS, background=BACKGROUND)
    assert found.to_shap() == "made"
    assert made["values"] is found.values and made["feature_names"] == list(trained.COLUMNS)
    assert made["base_values"].shape == (found.values.shape[0], *found.values.shape[2:])
    np.testing.assert_array_equal(made["base_values"][7], found.base)
    assert made.get("output_names") == (None if kind == "number" else [f"score of {name}" for name in model_of(kind).classes])
    monkeypatch.setitem(sys.modules, "shap", None)
    refused(ImportError, "pip install shap", found.to_shap)


def test_faults_of_explain(model_of: Any) -> None:
    model = model_of("number")
    refused(ValueError, "background is None", model.explain_local, ROWS)
    with pytest.raises(DataError, match="background has no column 'width'"):
        model.explain_local(ROWS, background={name: BACKGROUND[name] for name in ("length", "day", "size")})
    with pytest.raises(ValueError, match=r"infinity.*column 'width', row 2"):
        model.explain_local({**ROWS, "width": [1.0, float("inf"), *ROWS["width"][2:]]}, background=BACKGROUND)


@pytest.mark.parametrize("kind", ["number", "targets", "classes", "count"])
def test_report(model_of: Any, tmp_path: pathlib.Path, kind: str) -> None:
    model, path = model_of(kind), tmp_path / "report.html"
    y = np.array([TABLE[name] for name in TARGETS.get(kind, ["y"])], dtype=object).T
    model.report(ROWS, y, path)
    first = path.read_bytes()
    assert b'content="tskgraph"' in first[:4096] and b"standard input" in first
    model.report(ROWS, y, path)
    assert path.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_report_overwrites_no_other_file(model_of: Any, tmp_path: pathlib.Path) -> None:
    model, path = model_of("number"), tmp_path / "thesis.html"
    path.write_text("years of work", encoding="utf-8")
    refused(FileExistsError, "not a report: pass overwrite=True", model.report, ROWS, TABLE["y"], path)
    assert path.read_text(encoding="utf-8") == "years of work"
    refused(IsADirectoryError, "name a file in it", model.report, ROWS, TABLE["y"], tmp_path)
    refused(FileNotFoundError, "make it first", model.report, ROWS, TABLE["y"], tmp_path / "none" / "report.html")
    refused(ValueError, "y has 39", model.report, ROWS, TABLE["y"][1:], tmp_path / "report.html")
    with pytest.raises(DataError, match=r'^row 1: column "y": "many" is not.*correct it$'):
        model.report(ROWS, ["many"] * 40, tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()
    model.report(ROWS, TABLE["y"], path, overwrite=True)
    assert b'content="tskgraph"' in path.read_bytes()[:4096]


@pytest.mark.parametrize("target", ["c", "go", "js", "python", "sql", "onnx", "excel"])
def test_export_is_that_of_the_program(binary: str, runs: Any, model_of: Any, target: str) -> None:
    options = {"table": "readings", "key": "id"} if target == "sql" else {}
    content = model_of("readable").export(target, **options)
    words = [binary, "export", "--model", str(runs("readable") / "model.json"), "--to", target, "--out", "-"]
    want = subprocess.run([*words, *(f"--{k}={v}" for k, v in options.items())], capture_output=True, check=True).stdout
    assert isinstance(content, bytes if target in ("onnx", "excel") else str)
    assert (content if isinstance(content, bytes) else content.encode()) == want


def test_export_writes_files(model_of: Any, tmp_path: pathlib.Path) -> None:
    model = model_of("readable")
    with pytest.warns(UserWarning, match="bytes of tables"):
        assert model.export("c", tmp_path / "pump.c", name="pump", float=True) == [str(tmp_path / "pump.c"), str(tmp_path / "pump.h")]
    assert "pump_predict" in (tmp_path / "pump.h").read_text(encoding="utf-8")
    assert model.export("json", tmp_path / "pump.json") == [str(tmp_path / "pump.json")]
    assert type(model).load(tmp_path / "pump.json") == model
    assert model.export("model").encode() == model.model_file()


def test_faults_of_export(model_of: Any, tmp_path: pathlib.Path) -> None:
    model = model_of("committee")
    for words, message in [
        (("onyx",), "unknown target"),
        (("fis",), "cannot export"),
        (("sql", tmp_path / "query.txt"), "name a file that ends in .sql"),
        (("sql",), "^table: missing"),
    ]:
        refused(SettingError, message, model.export, *words)
    for options, message in [
        ({"matrx": True}, "there is no option 'matrx'"),
        ({"float": "yes"}, "float='yes': want True or False"),
        ({"table": "t"}, "does not apply to --to c"),
    ]:
        refused(SettingError, message, model.export, "c", **options)
    refused(SettingError, "has no option", model.export, "json", float=True)
    assert not list(tmp_path.iterdir())


def test_explanation_of_several_outputs_sums() -> None:
    values = np.arange(24.0).reshape(2, 3, 4)
    found = Explanation(values, np.ones(4), None, np.zeros((2, 3)), ("a", "b", "c"), ("p", "q", "r", "s"))
    np.testing.assert_array_equal(found.predictions, 1 + values.sum(axis=1))
