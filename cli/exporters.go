package cli

// The targets of `tskgraph export`.
import (
	_ "github.com/tskgraph/tskgraph/export/xlsx"
	_ "github.com/tskgraph/tskgraph/internal/exporters"
)
