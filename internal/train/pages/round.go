package pages

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// decade returns the largest e with 10^e <= v, of a positive v.
func decade(v float64) int {
	_, e := math.Frexp(v)
	e = e*1233/4096 + 1 // log10 2 is about 1233/4096
	for e > -308 && math.Pow10(e) > v {
		e--
	}
	return e
}

// power returns digit 10^e, the float64 nearest to it.
func power(digit float64, e int) float64 {
	if e < 0 {
		return digit / math.Pow10(-e)
	}
	return digit * math.Pow10(e)
}

// roundest returns the number above low and at most high that is a multiple of the largest unit of 5, 2 or 1 times a power of ten, or
// high if it is not above low.
func roundest(low, high float64) float64 {
	if !(low < high) {
		return high
	}
	if low < 0 && high >= 0 {
		return 0
	}
	size := max(math.Abs(low), math.Abs(high))
	top := decade(size)
	for e := top; e > max(top-13, -300); e-- {
		for _, digit := range []float64{5, 2, 1} {
			unit := power(digit, e)
			v := float64(math.Floor(high/unit+1e-9) * unit)
			if v-low > 1e-12*size && v-high <= 1e-12*size { // not of numbers that overflow
				return numeric.Round(v, 13)
			}
		}
	}
	return high
}

// roundNear rounds v to a multiple of the largest power of ten that is at most step.
func roundNear(v, step float64) float64 {
	if !(step > 0) {
		return v
	}
	return numeric.RoundTo(v, decade(step))
}
