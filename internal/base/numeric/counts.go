package numeric

import (
	"math"
	"math/rand/v2"
	"slices"
)

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
