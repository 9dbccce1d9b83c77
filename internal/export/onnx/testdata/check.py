"""Checks each ONNX file that a line of standard input names, and answers in a line: its number of nodes, or an error."""

import json
import sys

import onnx

for line in sys.stdin:
    answer = {}
    try:
        model = onnx.load(json.loads(line)["path"])
        onnx.checker.check_model(model, full_check=True)
        answer["nodes"] = len(model.graph.node)
        answer["metadata"] = {p.key: p.value for p in model.metadata_props}
    except Exception as error:
        answer["error"] = repr(error)
    print(json.dumps(answer), flush=True)
