package table

import (
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/scan"
)

// parseNumber reads a trimmed cell as a plain finite decimal, see scan.Number.
func ParseNumber(cell string) (float64, bool) {
	v := scan.Number(cell, 0, len(cell))
	return v, !math.IsNaN(v)
}

// parseComma reads a number with a decimal comma.
func ParseComma(cell string) (float64, bool) {
	at := strings.IndexByte(cell, ',')
	if at < 0 || strings.IndexByte(cell, '.') >= 0 {
		return 0, false
	}
	return ParseNumber(cell[:at] + "." + cell[at+1:])
}

// isMissing reports whether a trimmed cell marks a missing value: blank, NA, N/A, NaN, null or ?, in any case.
func IsMissing(cell string) bool {
	switch len(cell) {
	case 0:
		return true
	case 1:
		return cell == "?"
	case 2, 3, 4:
		lower := strings.ToLower(cell)
		return lower == "na" || lower == "n/a" || lower == "nan" || lower == "null"
	}
	return false
}

// NumberText writes a number of a column of numbers as its cell, which has the number exactly; a missing one, NaN, is blank. Numbers are
// written without an exponent where a table usually has none, from 1e-7 to below 1e21.
func NumberText(v float64) string {
	format := byte('f')
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return ""
	case size >= 1e21 || size < 1e-7 && v != 0:
		format = 'g'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}
