// Package targets registers the targets of export that the command and the page that trains have, one line each. The command
// alone has excel, whose library would make the page a fifth larger, and fmu, which calls a C compiler.
package targets

import (
	_ "github.com/tskgraph/tskgraph/internal/export/c"
	_ "github.com/tskgraph/tskgraph/internal/export/fis"
	_ "github.com/tskgraph/tskgraph/internal/export/gosrc"
	_ "github.com/tskgraph/tskgraph/internal/export/js"
	_ "github.com/tskgraph/tskgraph/internal/export/jsonform"
	_ "github.com/tskgraph/tskgraph/internal/export/onnx"
	_ "github.com/tskgraph/tskgraph/internal/export/python"
	_ "github.com/tskgraph/tskgraph/internal/export/sql"
)
