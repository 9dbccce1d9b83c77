package rules

import "math/rand/v2"

// orOnes returns the weights of n samples; for nil all are one.
func orOnes(weight []float64, n int) []float64 {
	if weight != nil {
		return weight
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

func sumOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

// meanOf returns the mean of y, weighted.
func meanOf(y, weight []float64) float64 {
	sum := 0.0
	for n, v := range y {
		sum += float64(weight[n] * v)
	}
	return sum / sumOf(weight)
}

// pick returns one of n samples, each with probability proportional to its weight;
// nil: all alike.
func pick(weight []float64, n int, rng *rand.Rand) int {
	if weight == nil {
		return rng.IntN(n)
	}
	left := float64(rng.Float64() * sumOf(weight))
	for i, w := range weight {
		if left -= w; left < 0 {
			return i
		}
	}
	return n - 1
}
