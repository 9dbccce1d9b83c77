package data

import "github.com/tskgraph/tskgraph/internal/scan"

// parseNumber reads a trimmed cell as a plain finite decimal, see scan.Number.
func parseNumber(cell string) (float64, bool) { return scan.Number(cell, 0, len(cell)) }
