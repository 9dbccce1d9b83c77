package main

// The targets of `tskgraph export`, one line each.
import (
	_ "github.com/tskgraph/tskgraph/export/c"
	_ "github.com/tskgraph/tskgraph/export/fis"
	_ "github.com/tskgraph/tskgraph/export/gosrc"
	_ "github.com/tskgraph/tskgraph/export/js"
	_ "github.com/tskgraph/tskgraph/export/jsonform"
	_ "github.com/tskgraph/tskgraph/export/onnx"
	_ "github.com/tskgraph/tskgraph/export/python"
	_ "github.com/tskgraph/tskgraph/export/sql"
	_ "github.com/tskgraph/tskgraph/export/xlsx"
)
