"""Private directories for what the program reads and writes."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator

from .errors import TrainingError, TskgraphError


@contextlib.contextmanager
def private_directory() -> Iterator[str]:
    """Make a directory that only the user can read, and remove it in the end, even if that is interrupted.

    Errors of the program name the files in it without the directory.
    """
    try:
        directory = tempfile.mkdtemp(prefix="tskgraph-")
    except OSError as error:
        raise TrainingError(f"there is no directory for temporary files ({error}): set TMPDIR to one that can be written") from error
    try:
        yield os.path.abspath(directory)
    except TskgraphError as error:
        error.args = (str(error).replace(os.path.abspath(directory) + os.sep, ""),)
        raise
    finally:
        try:
            shutil.rmtree(directory, ignore_errors=True)
        except KeyboardInterrupt:
            shutil.rmtree(directory, ignore_errors=True)
            raise
