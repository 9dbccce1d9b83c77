package verify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// maxSkipped limits the search for samples if there are kinks everywhere.
const maxSkipped = 10000

// drawProblem draws a problem. It places rules on random centers and perturbs antecedents within
// their domain to break symmetries; half of the samples are near a rule. It replaces
// samples within reach of a kink; skipped counts them. The shape and rng must not be nil, R, M and B must be
// at least 1, Width, Scale and Outputs at least 0.
func drawProblem(shape membership.Function, c Case, rng *rand.Rand) (p *problem, skipped int, err error) {
	if err := c.check(shape, rng); err != nil {
		return nil, 0, err
	}
	l := loss.OrSquared(c.Loss)
	rb := drawRules(shape, c, rng)
	source := func() sample {
		near := rng.IntN(2) == 0
		r := rng.IntN(c.R)
		s := sample{x: make([]float64, c.M), target: drawTarget(l, rb.OutputCount(), rng), weight: 0.5 + rng.Float64()}
		for m := range s.x {
			s.x[m] = rng.NormFloat64()
			if near {
				s.x[m] = rb.centers[r][m] + rb.spreads[r][m]*s.x[m]
			}
		}
		for range c.M {
			if c.TwoParts {
				s.x = append(s.x, rng.NormFloat64())
			}
		}
		return s
	}
	p = &problem{RuleBase: rb.RuleBase, Loss: l, Penalties: penalty.For(l, c.Penalties)}
	for len(p.X) < c.B && skipped < maxSkipped {
		if !p.take(source(), c.Masked, rng) {
			skipped++
		}
	}
	return p, skipped, nil
}

// checkShape returns an error if no function of the shape can be drawn.
func checkShape(shape membership.Function, rng *rand.Rand) error {
	if shape == nil || rng == nil {
		return errors.New("verify: the shape or the source of random numbers is nil")
	}
	if err := membership.Placed(shape); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	return nil
}

// sample is a row of data.
type sample struct {
	x      []float64 // [M] or [2M]
	target []float64 // [C]
	weight float64
}

// take adds a sample with a mask to the batch, unless it is within reach of a kink, and
// reports whether it did.
func (p *problem) take(s sample, masked bool, rng *rand.Rand) bool {
	mask := drawMask(p.RuleBase.Rules(), masked, rng)
	if !comparableAt(p.RuleBase, s.x, mask) || !steady(p.RuleBase, s.x, mask) || !smoothAt(p, s, mask) {
		return false
	}
	p.X, p.Mask = append(p.X, s.x), append(p.Mask, mask)
	p.Target, p.Weight = append(p.Target, s.target...), append(p.Weight, s.weight)
	return true
}

// drawMask returns a mask [R]: all ones or, if masked, ones with probability one
// half, at least one.
func drawMask(R int, masked bool, rng *rand.Rand) []float64 {
	mask := make([]float64, R)
	for r := range mask {
		if !masked || rng.IntN(2) == 0 {
			mask[r] = 1
		}
	}
	mask[rng.IntN(R)] = 1
	return mask
}

// drawnRules are rules and their initial centers.
type drawnRules struct {
	*rules.RuleBase
	centers, spreads [][]float64
}

func drawRules(shape membership.Function, c Case, rng *rand.Rand) drawnRules {
	width := cmp.Or(c.Width, 0.5)
	clusters := &rules.Clusters{}
	for range c.R {
		center, spread := make([]float64, c.M), make([]float64, c.M)
		for m := range c.M {
			center[m], spread[m] = rng.NormFloat64(), width*(1+2*rng.Float64())
		}
		clusters.Centers, clusters.Spreads = append(clusters.Centers, center), append(clusters.Spreads, spread)
		clusters.Targets = append(clusters.Targets, rng.NormFloat64())
	}
	rb := rules.New(shape, clusters)
	rb.TNorm, rb.Defuzzification = c.TNorm, c.Defuzzification
	for _, values := range rb.Antecedents {
		for r, row := range values {
			for m := range row {
				row[m] += 0.1 * clusters.Spreads[r][m] * (2*rng.Float64() - 1)
			}
		}
	}
	rb.SetOutputs(outputsFor(loss.OrSquared(c.Loss), c.Outputs))
	drawConsequents(rb, c, rng)
	drawCurves(rb, c.Curves, rng)
	rb.Project()
	if c.Tied {
		tie(rb, rng)
	}
	return drawnRules{rb, clusters.Centers, clusters.Spreads}
}

// drawCurves gives the rules random curves, for every feature except the third, the sixth
// and so on.
func drawCurves(rb *rules.RuleBase, kind Curves, rng *rand.Rand) {
	if kind == NoCurves {
		return
	}
	knots := make([][]float64, rb.Features())
	for m := range knots {
		if m%3 == 2 {
			continue
		}
		at := -1.5 + 0.5*rng.Float64()
		for range rules.MinKnots + rng.IntN(4) {
			knots[m] = append(knots[m], at)
			at += 0.1 + 0.5*rng.Float64()
		}
	}
	rules.AddCurves(rb, knots, kind == OwnCurves)
	for _, values := range rb.Curves {
		for q := range values {
			values[q] = rng.NormFloat64()
		}
	}
}

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
