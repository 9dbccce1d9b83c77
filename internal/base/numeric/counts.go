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
