"""Checks the certificates of directories, one a line of JSON; answers with what the checker says, which ends with 0 if one holds."""

import contextlib
import io
import json
import sys

sys.path.insert(0, "../python")

from tskgraph.certificate import main

for line in sys.stdin:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        refused = main([json.loads(line)])
    print(json.dumps([refused, said.getvalue()]), flush=True)
