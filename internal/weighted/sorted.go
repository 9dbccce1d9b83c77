// Package weighted has statistics of weighted samples. No weights, nil, are weights of
// one, to the bit.
package weighted

import (
	"cmp"
	"slices"
)

// Sorted returns the n values in rising order or, with weights [n], all positive, n
// values in rising order that have equal weight and the same distribution: value k,
// from 1 to n, is the least one up to which there is the share k/n of the weight. The
// first is the smallest in any case, so that the range is that of the values.
func Sorted(values, weights []float64) []float64 {
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
	at, upTo := -1, 0.0 // values in order up to at have this weight
	for k := range sorted {
		share := total * (float64(k+1) / float64(len(sorted))) * (1 - 1e-12) // sums are rounded
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

// Median returns the middle one of values of equal weight, or the mean of the two in the
// middle. There must be a value.
func Median(values []float64) float64 {
	sorted := Sorted(values, nil)
	n := len(sorted)
	return float64(sorted[(n-1)/2]/2) + float64(sorted[n/2]/2) // a sum could overflow
}
