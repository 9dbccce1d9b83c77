"""Files that are replaced as a whole."""

from __future__ import annotations

import os
import secrets


def replace(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file; one of this name is replaced when the new one is complete.

    Raises
    ------
    OSError
        If the file cannot be written; a file that was there before is unchanged.
    """
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
