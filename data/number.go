package data

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/scan"
)

// parseNumber reads a trimmed cell as a plain finite decimal, see scan.Number.
func parseNumber(cell string) (float64, bool) {
	v := scan.Number(cell, 0, len(cell))
	return v, !math.IsNaN(v)
}
