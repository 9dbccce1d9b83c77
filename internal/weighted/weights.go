package weighted

// At returns the weight of value i: one where there are none.
func At(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Sum returns the sum of the weights of n values.
func Sum(weights []float64, n int) float64 {
	if weights == nil {
		return float64(n)
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return sum
}

// Samples names the samples of which errors are means.
func Samples(weighted bool) string {
	if weighted {
		return "weighted samples"
	}
	return "samples"
}
