"""The progress of a training, and its display: in a notebook, on a terminal, or as lines."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple

_EVERY = 5.0  # seconds between lines where there is no terminal
_WIDTH = 30  # characters of a bar


@dataclass(frozen=True)
class Progress:
    """The state of a training, for a callback.

    Attributes
    ----------
    stage : str
        ``"reading"``, ``"race"`` (trainings of the settings to choose from) or ``"training"`` (iterations); in the search of a page,
        where they may come several times, ``"pages"``, ``"samples"``, ``"ramps"`` and ``"measures"``.
    done, total : int
        The number of trainings, iterations or parts of the search that are done, and of all; 0 if it is unknown.
    loss : float or None
        The loss of the last batch.
    metric, value : str, float or None
        The metric, ``"RMSE"`` except for losses with another one, and empty outside of training, on the batches, smoothed over about 20.
    seconds : float
        The time since the child began.
    evaluations : mapping from str to float
        The metric on each of the sets to evaluate if they were measured after this iteration, else empty.
    """

    stage: str
    done: int
    total: int
    loss: float | None
    metric: str
    value: float | None
    seconds: float
    evaluations: Mapping[str, float] = field(default_factory=dict)

    @property
    def rmse(self) -> float | None:
        """The value of the metric if that is the RMSE."""
        return self.value if self.metric == "RMSE" else None


class Display:
    """Shows progress and notes on standard error, or nothing."""

    def __init__(self, verbose: bool | int) -> None:
        self._shown = bool(verbose) and sys.stderr is not None
        self._terminal = self._shown and sys.stderr.isatty()
        self._handle = _cell() if self._shown else None
        self._cell = _Cell()
        self._text = ""  # on the line of a terminal
        self._line = ""  # last
        self._at = -_EVERY
        self._evaluations: Mapping[str, float] = {}  # last

    def __enter__(self) -> Display:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._text:
            print(file=sys.stderr, flush=True)
        elif self._shown and self._handle is None and not self._terminal and self._line:
            self._print(self._line)

    def show(self, progress: Progress) -> None:
        """Show the progress."""
        if not self._shown:
            return
        self._evaluations = progress.evaluations or self._evaluations
        text = _describe(progress, self._evaluations)
        if self._handle is not None:
            self._cell = self._cell._replace(progress=progress, text=text)
            self._handle.update(self._cell)
        elif self._terminal:
            share = progress.done / progress.total if progress.total else 0.0
            bar = "#" * int(_WIDTH * share)
            self._redraw(f"[{bar:<{_WIDTH}}] {text}")
        elif time.monotonic() - self._at >= _EVERY:
            self._at, self._line = time.monotonic(), ""
            self._print(text)
        else:
            self._line = text

    def note(self, text: str) -> None:
        """Show a note."""
        if not self._shown:
            return
        if self._handle is not None:  # standard error is red there
            self._cell = self._cell._replace(notes=(*self._cell.notes, text))
            self._handle.update(self._cell)
            return
        if self._text:
            self._redraw("")
        self._print(f"note: {text}")

    def _redraw(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(len(self._text)) + ("\r" if not text else ""))
        sys.stderr.flush()
        self._text = text

    def _print(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)


def _describe(progress: Progress, evaluations: Mapping[str, float]) -> str:
    text = f"{progress.stage} {progress.done}/{progress.total}" if progress.total else progress.stage
    if progress.value is not None:
        text += f"  loss {progress.loss:.4g}  {progress.metric} {progress.value:.4g}"
    text += "".join(f"  {name} {value:.4g}" for name, value in evaluations.items())
    return f"{text}  {progress.seconds:.0f} s"


def _cell() -> Any:
    """Return a display of a notebook, which can be updated; None outside of notebooks."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display

    return display(_Cell(), display_id=True)


class _Cell(NamedTuple):
    """A bar, a text and notes in a notebook."""

    progress: Progress | None = None
    text: str = "starting"
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join((self.text, *(f"note: {note}" for note in self.notes)))

    def _repr_html_(self) -> str:
        bar = ""
        if self.progress is not None and self.progress.total:
            bar = f'<progress value="{self.progress.done}" max="{self.progress.total}"></progress> '
        return bar + "<br>".join(map(html.escape, repr(self).split("\n")))
