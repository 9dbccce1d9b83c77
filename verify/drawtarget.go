package verify

import (
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// outputsFor returns the number of outputs of a case: that of the levels of quantiles, at
// least two of classes, or the number wanted, 0 standing for three classes or one output.
func outputsFor(l loss.Loss, wanted int) int {
	if q, ok := l.(loss.Quantile); ok {
		return len(q.Levels)
	}
	if wanted == 0 && l.Link().Name() == "softmax" {
		return 3
	}
	return max(wanted, 1)
}

// drawTarget draws the targets [C] of a sample for which a loss is defined: class
// probabilities 0 and 1, half of them smoothed, for the links of classes;
// positive numbers, and zeros if the loss allows them, for the log link; the same number for
// all quantiles; else any numbers.
func drawTarget(l loss.Loss, C int, rng *rand.Rand) []float64 {
	t := make([]float64, C)
	smoothing := func() float64 { return 0.1 * float64(rng.IntN(2)) }
	switch l.Link().Name() {
	case "softmax":
		share := smoothing()
		t[rng.IntN(C)] = 1 - share
		for c := range t {
			t[c] += share / float64(C)
		}
	case "logit":
		for c := range t {
			share := smoothing()
			t[c] = float64(rng.IntN(2))*(1-share) + share/2
		}
	case "log":
		bounded, ok := l.(loss.Bounded)
		for c := range t {
			if t[c] = math.Exp(rng.NormFloat64()); ok && bounded.Targets().Has(0) && rng.IntN(4) == 0 {
				t[c] = 0
			}
		}
	case "ordered":
		v := 2 * rng.NormFloat64()
		for c := range t {
			t[c] = v
		}
	default:
		for c := range t {
			t[c] = 2 * rng.NormFloat64()
		}
	}
	return t
}

// penaltiesFor returns the penalties with the agreement of the rules under a loss.
func penaltiesFor(l loss.Loss, all []penalty.Penalty) []penalty.Penalty {
	var of []penalty.Penalty
	for _, p := range all {
		if a, ok := p.(penalty.Agreement); ok {
			p = penalty.AgreementOn(l, a.Alpha)
		}
		of = append(of, p)
	}
	return of
}
