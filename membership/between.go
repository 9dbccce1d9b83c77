package membership

// far is the distance from zero, in scaled units, of an open border: the flank there is
// one to the bit for all samples, and its gradients are zero.
const far = 1e200

// flankSpread returns the spread of the flanks of a function from low to high: spread, or
// less if the interval is narrower than a Gaussian with this spread at grade 1/2.
func flankSpread(low, high, spread float64) float64 {
	return min(spread, (high-low)/(2*halfWidth))
}
