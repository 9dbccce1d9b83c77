// Package digits rounds and formats numbers to significant decimal digits.
package digits

import (
	"math"
	"strconv"
)

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

// RoundTo returns v rounded to a multiple of 10^place, or v itself if the result is not
// finite.
func RoundTo(v float64, place int) float64 {
	if place > 0 {
		unit := math.Pow10(place)
		if r := float64(math.Round(v/unit) * unit); math.Abs(r) <= math.MaxFloat64 {
			return r
		}
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', -place, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Shorten returns the number with the fewest significant digits whose relative distance
// from v is at most the tolerance.
func Shorten(v, tolerance float64) float64 {
	for n := 1; n < 17; n++ {
		if r := Round(v, n); math.Abs(r-v) <= tolerance*math.Abs(v) {
			return r
		}
	}
	return v
}
