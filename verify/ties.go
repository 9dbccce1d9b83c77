package verify

import (
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// addTied replaces the gradient of every copy of a shared parameter by the sum over all
// copies, for routes that ignore ties.
func addTied(g rules.Parameters, rb *rules.RuleBase) { eachTied(g, rb.Shared(), sum) }

// eachTied replaces the gradients of groups of copies by a function of them.
func eachTied(g rules.Parameters, groups [][]rules.Element, of func(copies []float64) float64) {
	for _, group := range groups {
		copies := make([]float64, len(group))
		for i, e := range group {
			copies[i] = *g.At(e)
		}
		for _, e := range group {
			*g.At(e) = of(copies)
		}
	}
}

// tie ties the rules to two membership functions per feature, at random; of a bordered
// shape, it makes them the leaves of a random tree, which share the borders of its splits.
func tie(rb *rules.RuleBase, rng *rand.Rand) {
	if _, ok := rb.Shape.(membership.Bordered); ok {
		all := make([]int, rb.Rules())
		for r := range all {
			all[r] = r
		}
		rb.Splits = drawSplits(all, rb.Features(), rng)
	} else {
		rb.Tie = make([][]int, rb.Rules())
		for r := range rb.Tie {
			for range rb.Features() {
				rb.Tie[r] = append(rb.Tie[r], rng.IntN(2))
			}
		}
	}
	for _, group := range rb.Shared() {
		for _, e := range group {
			*rb.At(e) = *rb.At(group[0])
		}
	}
}

// drawSplits returns the splits of a random tree over M features, whose leaves are the
// given rules, in order.
func drawSplits(of []int, M int, rng *rand.Rand) []rules.Split {
	if len(of) < 2 {
		return nil
	}
	n := 1 + rng.IntN(len(of)-1)
	s := rules.Split{Feature: rng.IntN(M), Below: slices.Clone(of[:n]), Above: slices.Clone(of[n:])}
	return slices.Concat([]rules.Split{s}, drawSplits(s.Below, M, rng), drawSplits(s.Above, M, rng))
}
