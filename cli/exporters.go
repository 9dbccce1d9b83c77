package cli

// The targets of `tskgraph export`.
import (
	_ "github.com/tskgraph/tskgraph/internal/export/targets"
	_ "github.com/tskgraph/tskgraph/internal/export/xlsx"
)
