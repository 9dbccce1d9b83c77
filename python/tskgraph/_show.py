"""Explanations, rules and reports as one object of a notebook, or as one page."""

from __future__ import annotations

import html
import os
import sys
from typing import Any

from ._files import replace

__all__ = ["Report", "show"]

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
