package weighted

// At returns the weight of value i, one if weights is nil.
func At(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Each returns the weights of n values: weights itself, or ones if it is nil.
func Each(weights []float64, n int) []float64 {
	if weights != nil {
		return weights
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
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

// Mean returns the mean of the values.
func Mean(values, weights []float64) float64 {
	sum := 0.0
	for i, v := range values {
		sum += float64(At(weights, i) * v)
	}
	return sum / Sum(weights, len(values))
}

// Samples names, for messages, the samples that errors are averaged over.
func Samples(weighted bool) string {
	if weighted {
		return "weighted samples"
	}
	return "samples"
}
