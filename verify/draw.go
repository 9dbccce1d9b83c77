package verify

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// Case describes a problem to draw.
type Case struct {
	R, M, B  int
	Width    float64 // least spread of a membership function, relative to that of the samples; zero means 0.5
	Masked   bool    // DropRule drops every second rule
	Tied     bool    // rules share two membership functions per feature; of a bordered shape, the borders of splits
	TwoParts bool    // consequents have other features than antecedents
	Curves   Curves  // of the consequents
	Outputs  int     // 0: as many as the loss needs, 1 if it does not matter
	Scale    float64 // of the consequents; 0: 1

	TNorm           inference.TNorm           // nil: the product
	Defuzzification inference.Defuzzification // nil: TSK

	Loss      loss.Loss // nil: squared
	Penalties []penalty.Penalty
}

// Cases returns the cases that every shape is checked on, from one rule with one feature
// to 32 rules with 13: each size without mask and penalty and with both, the smaller ones
// also with either, and with every registered penalty; one in which rules share
// membership functions; every registered loss, with one output and with several; every
// combination of registered t-norm and defuzzification with some of the sizes; and curves in
// the consequents of some.
func Cases() []Case { return slices.Concat(shapeCases(), lossCases(), curveCases()) }

// shapeCases returns the cases of the squared loss without curves.
func shapeCases() []Case {
	sizes := []Case{
		{R: 1, M: 1, B: 3}, {R: 1, M: 3, B: 1}, {R: 2, M: 1, B: 4}, {R: 2, M: 3, B: 5},
		{R: 5, M: 7, B: 8}, {R: 3, M: 3, B: 24, Width: 0.05}, {R: 4, M: 13, B: 8, Width: 0.05},
	}
	var cases []Case
	for _, c := range sizes {
		cases = append(cases, c, c.with(true, 0), c.with(false, 0.05), c.with(true, 0.05), c.withAll())
	}
	large, tied := Case{R: 32, M: 13, B: 3}, Case{R: 8, M: 3, B: 8, Tied: true}
	cases = append(cases, large, large.with(true, 0.05), large.withAll(), tied, tied.with(true, 0.05), tied.withAll())
	for _, c := range []Case{{R: 4, M: 2, B: 12}, Case{R: 3, M: 5, B: 12}.withAll()} {
		cases = append(cases, c.withInference()...)
	}
	return cases
}

// withAll returns the case with a mask, all registered penalties, and two parts.
func (c Case) withAll() Case {
	c.Masked, c.Penalties, c.TwoParts = true, penalty.All(), true
	return c
}

// with returns the case with a mask or none, and with a penalty of the slopes.
func (c Case) with(masked bool, lambda float64) Case {
	c.Masked, c.Penalties = masked, []penalty.Penalty{penalty.Slopes{Lambda: lambda}}
	return c
}

// maxSkipped limits the search for samples if there are kinks everywhere.
const maxSkipped = 10000

// Draw draws a problem. It places rules on random centers and perturbs antecedents within
// their domain to break symmetries; half of the samples are near a rule. It replaces
// samples within reach of a kink; skipped counts them. The shape and rng must not be nil, R, M and B must be
// at least 1, Width, Scale and Outputs at least 0.
func Draw(shape membership.Function, c Case, rng *rand.Rand) (p *Problem, skipped int, err error) {
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
	p = &Problem{RuleBase: rb.RuleBase, Loss: l, Penalties: penaltiesFor(l, c.Penalties)}
	for len(p.X) < c.B && skipped < maxSkipped {
		if !p.take(source(), c.Masked, rng) {
			skipped++
		}
	}
	return p, skipped, nil
}

// check returns an error if the case cannot be drawn.
func (c Case) check(shape membership.Function, rng *rand.Rand) error {
	if err := checkShape(shape, rng); err != nil {
		return err
	}
	if c.R < 1 || c.M < 1 || c.B < 1 || c.Outputs < 0 || !(c.Width >= 0 && c.Scale >= 0) {
		return fmt.Errorf("verify: case of R = %d, M = %d, B = %d, %d outputs, width %v, scale %v: "+
			"want R, M and B at least 1, and nothing negative",
			c.R, c.M, c.B, c.Outputs, c.Width, c.Scale)
	}
	return nil
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
func (p *Problem) take(s sample, masked bool, rng *rand.Rand) bool {
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
