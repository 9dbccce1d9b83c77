"""The notebooks run from start to end, and are kept without outputs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"

try:
    import nbformat
    from jupyter_client import AsyncKernelManager
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter
except ImportError:
    if os.environ.get("CI"):
        raise
    pytest.skip("there is no Jupyter", allow_module_level=True)


class ThisPython(AsyncKernelManager):  # type: ignore[misc]
    """Kernels of the interpreter that runs the tests, whichever one the system has registered."""

    def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
        return [sys.executable, *super().format_kernel_cmd(extra_arguments)[1:]]


@pytest.mark.filterwarnings("ignore")  # of Jupyter's packages; those of a notebook are in its outputs
@pytest.mark.parametrize("name", [path.name for path in NOTEBOOKS.glob("*.ipynb")])
def test_notebook_runs(name: str, tmp_path: Path) -> None:
    notebook: Any = nbformat.read(NOTEBOOKS / name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [], f"{name}: clear the outputs before committing"
            assert cell.execution_count is None
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=120, kernel_manager_class=ThisPython, resources=resources).execute()
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert "<script src=" not in "".join(str(output) for cell in notebook.cells for output in cell.get("outputs", []))
    kept = os.environ.get("TSKGRAPH_SCREENSHOTS")
    Path(kept or tmp_path, name).with_suffix(".html").write_text(page, encoding="utf-8")
