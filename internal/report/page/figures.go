package page

import (
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

// figure formats a number with four digits, very small and large ones with an exponent.
func figure(v float64) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case size >= digits.Large || size < 1e-4:
		return minus(digits.Show(v, 4))
	}
	decimals := max(0, 3-int(math.Floor(math.Log10(math.Abs(digits.Round(v, 4))))))
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
}

// value formats a number from the data with at most six digits.
func value(v float64) string {
	if size := math.Abs(v); size != 0 && (size >= digits.Large || size < 1e-4) {
		return minus(digits.Show(v, 6))
	}
	return minus(strconv.FormatFloat(digits.Round(v, 6), 'f', -1, 64))
}

// percent formats a share in percent.
func percent(v float64) string { return minus(strconv.FormatFloat(100*v, 'f', 1, 64)) + " %" }

// minus replaces hyphens by minus signs.
func minus(s string) string { return strings.ReplaceAll(s, "-", "\u2212") }

// label returns a name with its unit.
func label(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}

// rounded rounds to seven digits, enough for a picture.
func rounded(v float64) float64 { return digits.Round(v, 7) }
