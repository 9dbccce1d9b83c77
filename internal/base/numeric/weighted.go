package numeric

import (
	"cmp"
	"slices"
)

// WeightAt returns the weight of value i, one if weights is nil.
func WeightAt(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// EachWeight returns the weights of n values: weights itself, or ones if it is nil.
func EachWeight(weights []float64, n int) []float64 {
	if weights != nil {
		return weights
	}
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

// WeightSum returns the sum of the weights of n values.
func WeightSum(weights []float64, n int) float64 {
	if weights == nil {
		return float64(n)
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return sum
}

// WeightedMean returns the mean of the values.
func WeightedMean(values, weights []float64) float64 {
	sum := 0.0
	for i, v := range values {
		sum += float64(WeightAt(weights, i) * v)
	}
	return sum / WeightSum(weights, len(values))
}

// SamplesWord names, for messages, the samples that errors are averaged over.
func SamplesWord(weighted bool) string {
	if weighted {
		return "weighted samples"
	}
	return "samples"
}

// SortedByValue returns the n values in ascending order. With positive weights [n] it returns n
// values of equal weight that approximate the weighted distribution: value k, from 1 to n,
// is the smallest with a cumulative weight of at least k/n of the total. The first is
// always the smallest value, so that the range is kept.
func SortedByValue(values, weights []float64) []float64 {
	if weights == nil {
		return slices.Sorted(slices.Values(values))
	}
	order := make([]int, len(values))
	total := 0.0
	for i := range order {
		order[i] = i
		total += weights[i]
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(values[i], values[j]), i-j) })
	sorted := make([]float64, len(values))
	at, upTo := -1, 0.0 // cumulative weight of the sorted values up to at
	for k := range sorted {
		share := total * (float64(k+1) / float64(len(sorted))) * (1 - 1e-12) // tolerates rounding of sums
		for at < len(order)-1 && (at < 0 || upTo < share) {
			at++
			upTo += weights[order[at]]
		}
		sorted[k] = values[order[at]]
	}
	if len(order) > 0 {
		sorted[0], sorted[len(sorted)-1] = values[order[0]], values[order[len(order)-1]]
	}
	return sorted
}

// Median returns the median of at least one value of equal weight, for an even number the
// mean of the middle two.
func Median(values []float64) float64 {
	sorted := SortedByValue(values, nil)
	n := len(sorted)
	return float64(sorted[(n-1)/2]/2) + float64(sorted[n/2]/2) // a sum could overflow
}
