// Package digits rounds and formats numbers to significant decimal digits.
package digits

import "strconv"

// Round returns v rounded to n significant digits, or v itself if the result is not
// finite.
func Round(v float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Show formats v with at most n significant digits, or with the fewest that identify v
// among float64s if n is -1. It uses an exponent below 1e-4 and where there are more
// digits before the point than n. Minus zero is shown as zero.
func Show(v float64, n int) string { return strconv.FormatFloat(v+0, 'g', n, 64) }
