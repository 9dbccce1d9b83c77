"""The command tskgraph: runs the program of the package with the arguments of the process."""

from __future__ import annotations

import os
import subprocess
import sys

from ._program import packaged


def main() -> None:
    """Replace this process by the program; where the system cannot (Windows), wait for the program and exit as it did."""
    program = packaged()  # never one on PATH, which may be this command
    if program is None:
        sys.exit("tskgraph: this package has no program: install a wheel of tskgraph for this platform")
    if os.name == "posix":
        os.execv(program, [program, *sys.argv[1:]])
    sys.exit(subprocess.call([program, *sys.argv[1:]]))


if __name__ == "__main__":
    main()
