// Package exporters registers the targets of export that the command and the page that trains have, one line each. The target excel,
// whose library would make the page a fifth larger, is the command's alone.
package exporters

import (
	_ "github.com/tskgraph/tskgraph/export/c"
	_ "github.com/tskgraph/tskgraph/export/fis"
	_ "github.com/tskgraph/tskgraph/export/gosrc"
	_ "github.com/tskgraph/tskgraph/export/js"
	_ "github.com/tskgraph/tskgraph/export/jsonform"
	_ "github.com/tskgraph/tskgraph/export/onnx"
	_ "github.com/tskgraph/tskgraph/export/python"
	_ "github.com/tskgraph/tskgraph/export/sql"
)
