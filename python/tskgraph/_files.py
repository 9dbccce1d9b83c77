"""Files that are replaced as a whole, and tables and models for the program.

A table is in a file without a name, in a private directory: its rows end with the processes that read them, even if these are killed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from typing import IO

from ._parquet import write
from ._table import Table
from .errors import DataError, TrainingError, TskgraphError


def replace(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file; one of this name is replaced when the new one is complete, and unchanged after an OSError."""
    target = os.path.realpath(path)
    beside = f"{target}.{secrets.token_hex(8)}.tmp"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


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


@contextlib.contextmanager
def nameless(table: Table, directory: str) -> Iterator[IO[bytes]]:
    """Write a table to a file without a name, in a directory, and yield it at its start: the standard input of a command.

    It is a TrainingError if it cannot be written, and a DataError if a name or a level is not valid Unicode.
    """
    with contextlib.ExitStack() as open_files:
        try:
            file: IO[bytes] = open_files.enter_context(tempfile.TemporaryFile(dir=directory, buffering=0))
            write(table, file)
            file.seek(0)
        except UnicodeEncodeError as error:
            raise DataError(f"the text {error.object!r} cannot be written as UTF-8: change it") from error
        except OSError as error:
            raise unwritten(directory, error) from error
        yield file


@contextlib.contextmanager
def readable(table: Table, directory: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Write a table to a file, and yield a path that a command can read it at, and the file descriptors that it inherits for this.

    Where a file cannot be opened by its descriptor, as on Windows, it has a name, until the end of the context.
    """
    with nameless(table, directory) as file:
        path = f"/dev/fd/{file.fileno()}"
        if os.path.exists(path):
            yield path, (file.fileno(),)
            return
        descriptor, path = tempfile.mkstemp(".parquet", dir=directory)
        try:
            with open(descriptor, "wb", buffering=0) as named:
                write(table, named)
        except OSError as error:
            raise unwritten(directory, error) from error
        yield path, ()


def unwritten(directory: str, error: OSError) -> TrainingError:
    """Return the exception for a private directory that cannot be written to."""
    remedy = "free space there, or set TMPDIR to a directory with more"
    return TrainingError(f"the table cannot be written to {directory}: {error.strerror}: {remedy}")


def model_file(content: bytes, directory: str) -> str:
    """Write a model file to a private directory, and return its path."""
    path = os.path.join(directory, "model.json")
    try:
        with open(path, "xb") as file:
            file.write(content)
    except OSError as error:
        raise unwritten(directory, error) from error
    return path
