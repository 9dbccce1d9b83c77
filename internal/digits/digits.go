// Package digits rounds numbers to significant decimal digits, and shows them.
package digits

import "strconv"

// Round returns the number of n significant digits that is nearest to v. It returns v
// where there is none that is finite.
func Round(v float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Show returns v with at most n significant digits, -1 for as many as distinguish it
// from every other float64; with an exponent where it is below 1e-4 or has more digits
// before the point than it shows. Minus zero is zero.
func Show(v float64, n int) string { return strconv.FormatFloat(v+0, 'g', n, 64) }
