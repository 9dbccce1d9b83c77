package page

import (
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/digits"
)

// figure shows a number to four digits, without an exponent where people would
// write none.
func figure(v float64) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case size >= 1e7 || size < 1e-4:
		return minus(digits.Show(v, 4))
	}
	decimals := max(0, 3-int(math.Floor(math.Log10(math.Abs(digits.Round(v, 4))))))
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
}

// value shows a number from the data, to six digits at most.
func value(v float64) string {
	if size := math.Abs(v); size != 0 && (size >= 1e7 || size < 1e-4) {
		return minus(digits.Show(v, 6))
	}
	return minus(strconv.FormatFloat(digits.Round(v, 6), 'f', -1, 64))
}

// percent shows a share.
func percent(v float64) string { return minus(strconv.FormatFloat(100*v, 'f', 1, 64)) + " %" }

// minus writes the sign as typographers do.
func minus(s string) string { return strings.ReplaceAll(s, "-", "\u2212") }

// label is a name with its unit.
func label(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}

// rounded keeps seven digits, enough for a picture.
func rounded(v float64) float64 { return digits.Round(v, 7) }
