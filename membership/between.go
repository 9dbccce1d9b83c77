package membership

import "math"

// far is the distance from zero, in scaled units, of an open border: the flank there is
// one to the bit for all samples, and its gradients are zero.
const far = 1e200

// IsOpen reports whether a parameter with this value, in scaled units, is the position of an
// open border, see [Between].
func IsOpen(p Param, v float64) bool { return p.Kind == Position && math.Abs(v) >= far/2 }

// flankSpread returns the spread of the flanks of a function from low to high: spread, or
// less if the interval is narrower than a Gaussian with this spread at grade 1/2.
func flankSpread(low, high, spread float64) float64 {
	return min(spread, (high-low)/(2*halfWidth))
}
