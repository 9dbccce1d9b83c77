package study

import (
	"cmp"
	"math"
	"slices"
)

// SignedRank is the outcome of Wilcoxon's signed-rank test.
type SignedRank struct {
	N     int     `json:"n"`     // differences other than zero
	Zeros int     `json:"zeros"` // differences of zero, left out
	Plus  float64 `json:"plus"`  // sum of the ranks of the positive differences
	Minus float64 `json:"minus"` // of the negative ones
	P     float64 `json:"p"`     // two-sided, exact
}

// Wilcoxon tests whether the differences d are symmetric about zero, by Wilcoxon's
// signed-rank test. As in Wilcoxon's paper, differences of zero are left out and ties share
// the mean of their ranks. P is exact, also with ties: the share of all 2^n assignments of
// signs to the ranks whose rank sum is at least as extreme, on either side. Without ties
// this is the tabulated distribution. P is 1 if all differences are zero.
func Wilcoxon(d []float64) SignedRank {
	left := slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
	w := SignedRank{N: len(left), Zeros: len(d) - len(left), P: 1}
	slices.SortFunc(left, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	doubled := doubledRanks(left)
	plus, all := 0, 0
	for i, v := range left {
		all += doubled[i]
		if v > 0 {
			plus += doubled[i]
		}
	}
	w.Plus, w.Minus = float64(plus)/2, float64(all-plus)/2
	if w.N == 0 {
		return w
	}
	below := 0.0 // the probability of a sum no larger than the smaller one
	for _, p := range rankSums(doubled, all)[:min(plus, all-plus)+1] {
		below += p
	}
	w.P = min(1, 2*below)
	return w
}

// doubledRanks returns twice the ranks of values that ascend by absolute value. Twice the
// mean rank of ties is an integer.
func doubledRanks(values []float64) []int {
	ranks := make([]int, len(values))
	for from := 0; from < len(values); {
		to := from + 1
		for to < len(values) && math.Abs(values[to]) == math.Abs(values[from]) {
			to++
		}
		for i := from; i < to; i++ {
			ranks[i] = from + 1 + to // twice the mean of from+1 ... to
		}
		from = to
	}
	return ranks
}

// rankSums returns the probability of each sum 0 ... total of the ranks with a positive
// sign, if every sign is positive with probability one half.
func rankSums(ranks []int, total int) []float64 {
	p := make([]float64, total+1)
	p[0] = 1
	for _, rank := range ranks {
		for sum := total; sum >= 0; sum-- {
			p[sum] = float64(p[sum] / 2)
			if sum >= rank {
				p[sum] += float64(p[sum-rank] / 2)
			}
		}
	}
	return p
}
