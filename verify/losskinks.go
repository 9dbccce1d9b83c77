package verify

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// reach returns the least distance of a consequent from a kink of a penalty: twice the
// largest step of the finite differences.
func reach(consequents [][]float64) float64 { return 2 * consequentStep(loss.Squared{}, consequents) }

// smoothAt reports whether no kink of the loss is within reach of a sample: the distance
// of its prediction from each kink, and under an agreement of the rules that of each rule's
// output, is more than the change by two steps of a consequent.
func smoothAt(p *Problem, s sample, mask []float64) bool {
	l, ok := p.Loss.(loss.Kinked)
	if !ok {
		return true
	}
	largest := 1.0
	for _, v := range s.x {
		largest = max(largest, math.Abs(v))
	}
	within := largest * 2 * consequentStep(p.Loss, p.RuleBase.Consequents)
	smooth := func(c int, v float64) bool {
		return !slices.ContainsFunc(l.Kinks(s.target[c]), func(kink float64) bool { return math.Abs(v-kink) <= within })
	}
	y, _, _ := p.RuleBase.Forward([][]float64{s.x}, [][]float64{mask})
	for c, one := range outputs(p.RuleBase) {
		if !smooth(c, y[c]) {
			return false
		}
		for r := range one.Rules() {
			if ofRules(p.Penalties) && !smooth(c, one.Consequent(r, s.x)) {
				return false
			}
		}
	}
	return true
}

// ofRules reports whether a penalty is a function of the loss of single rules.
func ofRules(all []penalty.Penalty) bool {
	return slices.ContainsFunc(all, func(p penalty.Penalty) bool { _, ok := p.(penalty.LossAgreement); return ok })
}

// smoothSlope reports whether no kink of a penalty is within reach of a slope.
func smoothSlope(p penalty.Penalty, slope, reach float64) bool {
	kinked, ok := p.(penalty.Kinked)
	return !ok || !slices.ContainsFunc(kinked.Kinks(), func(kink float64) bool { return math.Abs(slope-kink) <= reach })
}

// drawConsequents draws the consequents of a rulebase. It redraws slopes within reach of a
// kink of a penalty.
func drawConsequents(rb *rules.RuleBase, c Case, rng *rand.Rand) {
	scale := cmp.Or(c.Scale, 1)
	for _, w := range rb.Consequents {
		for m := range w {
			w[m] = scale * rng.NormFloat64()
		}
	}
	reach := reach(rb.Consequents)
	for _, w := range rb.Consequents {
		for m := range w {
			if m%(rb.Features()+1) == 0 {
				continue // a bias
			}
			near := func(p penalty.Penalty) bool { return !smoothSlope(p, w[m], reach) }
			for tries := 0; tries < maxSkipped && slices.ContainsFunc(c.Penalties, near); tries++ {
				w[m] = max(-1, min(rng.NormFloat64(), 1)) // keeps the step from growing
			}
		}
	}
}

// smoothPenalties returns the registered penalties without a kink within reach of the
// slopes of a rulebase.
func smoothPenalties(rb *rules.RuleBase) []penalty.Penalty {
	return slices.DeleteFunc(penalty.All(), func(p penalty.Penalty) bool {
		return slices.ContainsFunc(rb.Consequents, func(w []float64) bool {
			return slices.ContainsFunc(w[1:], func(slope float64) bool { return !smoothSlope(p, slope, reach(rb.Consequents)) })
		})
	})
}
