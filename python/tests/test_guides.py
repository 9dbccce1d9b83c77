"""The pages python/README.md and docs/python.md: every block of Python runs, and prints the lines that are quoted below it."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

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
