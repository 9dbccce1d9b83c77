"""Files that the program tskgraph writes of a model, reports, programs and queries; and pages of what notebooks show."""

from __future__ import annotations

import errno
import html
import json
import os
import re
import sys
import warnings
from typing import TYPE_CHECKING, Any

from ._files import model_file, nameless, private_directory, replace
from ._program import run
from ._table import Column, Table, target_of
from .errors import SettingError, TrainingError
from .explanation import rows_of

if TYPE_CHECKING:
    from ._model import BaseModel

# What the first bytes of a report contain.
_MARK = b'content="tskgraph"'

# Targets whose files are no text.
_BINARY = ("excel", "fmu", "fmu2", "onnx")

_OPTIONS = ("float", "matrix", "table", "key", "name")


def report(model: BaseModel, X: Any, y: Any, path: str | os.PathLike[str] | None, *, overwrite: bool = False) -> Report:
    """Return the page of ``tskgraph report`` on a model and its errors on a table, see `Views.report`."""
    if path is not None:
        _check_free(path, overwrite)
    table = rows_of(model, X)
    targets = target_of(y).columns
    if len(targets) != len(model.targets):
        raise ValueError(f"y has {len(targets)} columns, but the model predicts {len(model.targets)} targets: {', '.join(model.targets)}")
    if targets[0].values.shape[0] != table.rows:
        raise ValueError(f"X has {table.rows} rows, but y has {targets[0].values.shape[0]}: give a target for each row")
    named = tuple(Column(name, column.values, column.levels) for name, column in zip(model.targets, targets))
    with private_directory() as directory, nameless(Table((*table.columns, *named), table.rows), directory) as rows:
        page = run(["report", "--model", model_file(model.model_file(), directory), "--data", "-", "--out", "-"], table=rows)
    if path is not None:
        replace(path, page)
    return Report(page.decode())


def certify(model: BaseModel, margin: float, budget: float, *, check: bool) -> dict[str, Any]:
    """Return the certificate of a model, see `Views.certify`."""
    from . import certificate

    with private_directory() as directory:
        file, made = model_file(model.model_file(), directory), os.path.join(directory, "certificate.json")
        try:
            run(["certify", "--model", file, "--out", made, "--margin", repr(float(margin)), "--budget", f"{float(budget)}s"])
        except TrainingError:
            if not os.path.exists(made):  # else a promise is broken, which the certificate says
                raise
        if check:
            return certificate.check(file, made)
        with open(made, encoding="utf-8") as text:
            content: dict[str, Any] = json.load(text)
    return content


def _check_free(path: str | os.PathLike[str], overwrite: bool) -> None:
    """Refuse a path that is a directory, is in none, or is a file that is not a report."""
    name = os.fspath(path)
    if os.path.isdir(name):
        raise IsADirectoryError(errno.EISDIR, "the path is a directory: name a file in it, such as report.html", name)
    directory = os.path.dirname(os.path.realpath(name))
    if not os.path.isdir(directory):
        raise FileNotFoundError(errno.ENOENT, "there is no such directory: make it first", directory)
    if overwrite or not os.path.exists(name):
        return
    with open(name, "rb") as file:
        if _MARK not in file.read(4096):
            raise FileExistsError(errno.EEXIST, "the file is not a report: pass overwrite=True to replace it", name)


def export(model: BaseModel, target: str, path: str | os.PathLike[str] | None = None, **options: Any) -> str | bytes | list[str]:
    """Write a model as a program, a query or a file of another system, see `Views.export`."""
    if target in ("json", "model"):
        return _own(model, target, path, options)
    with private_directory() as directory:
        words = ["export", "--model", model_file(model.model_file(), directory), f"--to={target}", *_flags(options)]
        if path is not None:
            done = json.loads(_exported([*words, "--out", os.path.abspath(path), "--json"]))
            for note in done["notes"]:
                warnings.warn(note, stacklevel=2)
            return [str(file["path"]) for file in done["files"]]
        content = _exported([*words, "--out", "-"])
    return content if target in _BINARY else content.decode()


def _own(model: BaseModel, target: str, path: str | os.PathLike[str] | None, options: dict[str, Any]) -> str | list[str]:
    """Export a model to a format that needs no program."""
    if options:
        raise SettingError(f"the target {target} has no option {next(iter(options))!r}: leave it out")
    content = (
        model.model_file() if target == "model" else (json.dumps(model.document, separators=(",", ":"), allow_nan=False) + "\n").encode()
    )
    if path is None:
        return content.decode()
    replace(path, content)
    return [os.path.abspath(path)]


def _exported(words: list[str]) -> bytes:
    """Run the program; its errors name options, not flags."""
    try:
        return run(words)
    except SettingError as error:
        raise SettingError(re.sub(rf"--({'|'.join(_OPTIONS)})\b", r"\1", str(error))) from None


def _flags(options: dict[str, Any]) -> list[str]:
    """Return the flags of options."""
    flags = []
    for name, value in options.items():
        if name not in _OPTIONS:
            raise SettingError(f"there is no option {name!r}: the options are float, matrix, table, key and name", name)
        if isinstance(value, bool) != (name in ("float", "matrix")):
            raise SettingError(f"{name}={value!r}: want {'True or False' if name in ('float', 'matrix') else 'a text'}", name)
        if value is not False:  # which is the default
            flags.append(f"--{name}" if value is True else f"--{name}={value}")
    return flags


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>tskgraph</title>
<style>body{font-family:system-ui,sans-serif;max-width:64em;margin:1em auto;padding:0 1em}</style></head>
<body>%s</body></html>
"""


class Report(str):
    """The page of ``tskgraph report``: a text, which notebooks show in a frame of its own, with all its controls."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Report of {len(self)} characters: print it, or save it as an HTML file>"

    def _repr_html_(self) -> str:
        style = "width:100%;height:46em;border:1px solid rgba(127,127,127,.35)"
        return f'<iframe title="report" sandbox="allow-scripts allow-downloads" style="{style}" srcdoc="{html.escape(self)}"></iframe>'


def show(*shown: Any, path: str | os.PathLike[str] | None = None) -> None:
    """Show explanations, rules, models and reports one below the other, in a notebook or as a page that needs no network.

    Parameters
    ----------
    *shown
        What `explain_global`, `explain_local` and `report` return, rules, a `Model` or an estimator.
    path : path, optional
        The HTML file to write; one of this name is replaced. None: the output of the cell of a notebook.

    Raises
    ------
    TypeError
        If there is nothing to show, or something that has no HTML.
    ValueError
        If there is neither a notebook nor a path.
    OSError
        If the file cannot be written.
    """
    without = [type(one).__name__ for one in shown if not hasattr(one, "_repr_html_")]
    if without or not shown:
        raise TypeError(f"show: {without[0] if without else 'nothing'} has no HTML: give explanations, rules, models or reports")
    inside = "\n".join(one._repr_html_() for one in shown)
    if path is not None:
        replace(path, (_PAGE % inside).encode())
        return
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        raise ValueError("show: there is no notebook here: give path='explanation.html', and open it in a browser")
    from IPython.display import HTML, display

    display(HTML(inside))
