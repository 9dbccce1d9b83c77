package numeric

import (
	"cmp"
	"math"
	"math/rand/v2"
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

// Some returns at most k of the indices of n values, ascending and always the same.
func Some(n, k int) []int {
	chosen := rand.New(rand.NewPCG(1, 2)).Perm(n)[:min(n, k)]
	slices.Sort(chosen)
	return chosen
}

// Histogram returns the numbers of values in bins of equal width from low to high, without those outside; nil if the width is
// not positive and finite.
func Histogram(values []float64, low, high float64, bins int) []int {
	width := (high - low) / float64(bins)
	if !(width > 0) || math.IsInf(width, 0) {
		return nil
	}
	counts := make([]int, bins)
	for _, v := range values {
		if v >= low && v <= high {
			counts[min(int((v-low)/width), bins-1)]++
		}
	}
	return counts
}

// Occurrences returns the number of values equal to each place; nil without places.
func Occurrences(values, places []float64) []int {
	if places == nil {
		return nil
	}
	counts := make([]int, len(places))
	for _, v := range values {
		if k := slices.Index(places, v); k >= 0 {
			counts[k]++
		}
	}
	return counts
}

// Outvoted returns the indices, from 0 to n-1, of the results outside the largest group of results that
// agree with one another, directly or by others; nil if no group is the largest.
func Outvoted(n int, agree func(i, j int) bool) []int {
	group, size := make([]int, n), make([]int, n)
	for i := range n {
		group[i] = i
	}
	for i := range n {
		for j := range i {
			if from, to := group[i], group[j]; from != to && agree(j, i) {
				for k, g := range group {
					if g == from {
						group[k] = to
					}
				}
			}
		}
	}
	for _, g := range group {
		size[g]++
	}
	largest, tie := 0, false
	for g, s := range size {
		if s > size[largest] {
			largest = g
		}
	}
	for g, s := range size {
		tie = tie || g != largest && s == size[largest]
	}
	var out []int
	for i, g := range group {
		if !tie && g != largest {
			out = append(out, i)
		}
	}
	return out
}

// Quantile returns the quantile of a level of sorted values: the smallest value that at least this share of them does not exceed.
func Quantile(sorted []float64, level float64) float64 {
	return sorted[min(max(int(math.Ceil(float64(level*float64(len(sorted)))))-1, 0), len(sorted)-1)]
}
