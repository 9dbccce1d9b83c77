package words

import (
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

// near rounds a value to a power of ten between a 20th and a 200th of the spread of such
// values.
func near(v, spread float64) string {
	if !(spread > 0) || math.IsInf(spread, 0) {
		return number(v)
	}
	decimals := int(math.Ceil(-math.Log10(spread / 20)))
	const exact = 1 << 53 // beyond it, digits say what the number does not hold
	if decimals > 8 || decimals < -8 || math.Abs(v) >= exact*math.Pow(10, -float64(decimals)) {
		return number(v)
	}
	if decimals < 0 {
		step := math.Pow(10, float64(-decimals))
		return strconv.FormatFloat(float64(math.Round(v/step)*step)+0, 'f', -1, 64)
	}
	return trimZero(strconv.FormatFloat(v, 'f', decimals, 64))
}

// signed formats a value like near, with its sign.
func signed(v, spread float64) string {
	text := near(math.Abs(v), spread)
	if v < 0 && strings.Trim(text, "0.") != "" {
		return "-" + text
	}
	return "+" + text
}

// slight formats a value like signed, with a significant digit where near makes it zero, unless it
// is as small as a rounding error.
func slight(v, spread float64) string {
	text := signed(v, spread)
	if shown, err := strconv.ParseFloat(text, 64); err == nil && shown == 0 && math.Abs(v) > 1e-9*spread {
		sign := "+"
		if v < 0 {
			sign = "-"
		}
		return sign + plainly(math.Abs(v), 1)
	}
	return text
}

// trimmed removes trailing zeros after the decimal point.
func trimmed(text string) string {
	if !strings.Contains(text, ".") || strings.Contains(text, "e") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// trimZero removes the sign of a zero.
func trimZero(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == 0 && text[0] == '-' {
		return text[1:]
	}
	return text
}

// plainly formats n significant digits, very small and large numbers with an exponent.
func plainly(v float64, n int) string {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e7) {
		return digits.Show(v, n)
	}
	return strconv.FormatFloat(digits.Round(v, n)+0, 'f', -1, 64)
}
