"""The installed wheel: its program, command and metadata. Skipped where the package is not installed from a wheel, which CI is not."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tskgraph

PROGRAM = Path(str(importlib.resources.files(tskgraph))) / "bin" / ("tskgraph.exe" if os.name == "nt" else "tskgraph")

if not PROGRAM.exists() and not os.environ.get("CI"):
    pytest.skip("the package is not installed from a wheel", allow_module_level=True)


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_program_of_the_package_is_executable() -> None:
    assert os.access(PROGRAM, os.X_OK)
    assert tskgraph.__version__ in run(str(PROGRAM), "version").stdout


def test_command_is_installed() -> None:
    commands = [[str(Path(sys.prefix) / ("Scripts" if os.name == "nt" else "bin") / "tskgraph")], [sys.executable, "-m", "tskgraph"]]
    for command in commands:
        assert run(*command, "version").stdout == run(str(PROGRAM), "version").stdout
        failed = run(*command, "train", "--config", "missing.yaml")
        assert failed.returncode == 2
        assert "missing.yaml" in failed.stderr


@pytest.mark.parametrize("name", ["plot", "experiment"])
def test_command_without_figures_says_what_to_do(name: str) -> None:
    refused = run(str(PROGRAM), name, "learning", "--out", "x.svg")
    assert refused.returncode == 2
    assert "plot_" in refused.stderr
    assert "go install" in refused.stderr


def test_databases_are_refused_with_what_to_do(tmp_path: Path) -> None:
    refused = run(str(PROGRAM), "init", "sqlite:x.db", "--query", "SELECT 1", "--out", str(tmp_path / "config.yaml"))
    assert refused.returncode == 2
    assert "CSV or Parquet" in refused.stderr


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
