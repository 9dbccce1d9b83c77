package page

import (
	"math"
	"strconv"
	"strings"
)

// figure shows a number to four digits, without an exponent where people would
// write none.
func figure(v float64) string {
	size := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case size >= 1e7 || size < 1e-4:
		return minus(strconv.FormatFloat(v, 'g', 4, 64))
	}
	decimals := max(0, 3-int(math.Floor(math.Log10(size))))
	return minus(strconv.FormatFloat(v, 'f', decimals, 64))
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
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
	if err != nil {
		return v
	}
	return r
}
