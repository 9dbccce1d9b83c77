"""The guides, the notebooks and the installed wheel: its program, command and metadata. Without a wheel those are skipped."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.resources
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tskgraph

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks_of(page: str) -> list[tuple[str, str, int]]:
    """Return language, text and line of each block of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(m[1], m[2], text.count("\n", 0, m.start()) + 2) for m in BLOCK.finditer(text)]


def missing(quoted: str, printed: str) -> list[str]:
    """Return the quoted lines that were not printed in this order; ... stands for any lines."""
    lines = iter(line.rstrip() for line in printed.splitlines())
    return [q for q in map(str.rstrip, quoted.splitlines()) if q != "..." and not any(q == line for line in lines)]


@pytest.mark.parametrize("page", ["python/README.md", "docs/python.md"])
def test_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "heating.csv", tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, Any] = {"__name__": page}
    printed, ran = "", 0
    for language, text, line in blocks_of(page):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile("\n" * (line - 1) + text, page, "exec"), names)
            printed, ran = out.getvalue(), ran + 1
        elif language == "output":
            assert missing(text, printed) == [], f"{page}:{line} quotes what was not printed:\n{printed}"
    assert ran > 0


def test_missing_finds_changed_lines() -> None:
    assert missing("a\n...\nc\n", "a\nb\nc\n") == []
    assert missing("a\nd\n", "a\nb\n") == ["d"]
    assert missing("b\na\n", "a\nb\n") == ["a"]


NOTEBOOKS = ROOT / "python" / "notebooks"


@pytest.mark.filterwarnings("ignore")  # of Jupyter's packages; those of a notebook are in its outputs
@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS.glob("*.ipynb")])
def test_notebook_runs(name: str, tmp_path: Path) -> None:
    try:
        import nbclient
        import nbconvert
        import nbformat
        from jupyter_client import AsyncKernelManager
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip("there is no Jupyter")

    class ThisPython(AsyncKernelManager):  # type: ignore[misc]
        """Kernels of the interpreter that runs the tests, whichever one the system has registered."""

        def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
            return [sys.executable, *super().format_kernel_cmd(extra_arguments)[1:]]

    notebook: Any = nbformat.read(NOTEBOOKS / name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [], f"{name}: clear the outputs before committing"
            assert cell.execution_count is None
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_manager_class=ThisPython, resources=resources).execute()
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert "<script src=" not in "".join(str(output) for cell in notebook.cells for output in cell.get("outputs", []))
    kept = os.environ.get("TSKGRAPH_SCREENSHOTS")
    Path(kept or tmp_path, name).with_suffix(".html").write_text(page, encoding="utf-8")


PROGRAM = Path(str(importlib.resources.files(tskgraph))) / "bin" / ("tskgraph.exe" if os.name == "nt" else "tskgraph")

of_wheel = pytest.mark.skipif(not PROGRAM.exists() and not os.environ.get("CI"), reason="the package is not installed from a wheel")


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


@of_wheel
def test_program_of_the_package_is_executable() -> None:
    assert os.access(PROGRAM, os.X_OK)
    assert tskgraph.__version__ in run(str(PROGRAM), "version").stdout


@of_wheel
def test_command_is_installed() -> None:
    commands = [[str(Path(sys.prefix) / ("Scripts" if os.name == "nt" else "bin") / "tskgraph")], [sys.executable, "-m", "tskgraph"]]
    for command in commands:
        assert run(*command, "version").stdout == run(str(PROGRAM), "version").stdout
        failed = run(*command, "train", "--config", "missing.yaml")
        assert failed.returncode == 2
        assert "missing.yaml" in failed.stderr


@of_wheel
@pytest.mark.parametrize("name", ["plot", "experiment"])
def test_command_without_figures_says_what_to_do(name: str) -> None:
    refused = run(str(PROGRAM), name, "learning", "--out", "x.svg")
    assert refused.returncode == 2
    assert "plot_" in refused.stderr
    assert "go install" in refused.stderr


@of_wheel
def test_databases_are_refused_with_what_to_do(tmp_path: Path) -> None:
    refused = run(str(PROGRAM), "init", "sqlite:x.db", "--query", "SELECT 1", "--out", str(tmp_path / "config.yaml"))
    assert refused.returncode == 2
    assert "CSV or Parquet" in refused.stderr


@of_wheel
def test_metadata() -> None:
    metadata = importlib.metadata.metadata("tskgraph")
    assert metadata["Version"].replace(".dev0", "-dev") == tskgraph.__version__
    assert metadata["License-Expression"] == "MIT"
    assert importlib.metadata.requires("tskgraph") is not None
    assert "numpy>=1.21" in (importlib.metadata.requires("tskgraph") or [])
    assert set(metadata.get_all("Provides-Extra") or []) == {"plots", "sklearn"}
    files = {str(path) for path in importlib.metadata.files("tskgraph") or []}
    assert any(name.endswith("licenses/THIRD_PARTY.md") for name in files)
    assert "tskgraph/py.typed" in files
