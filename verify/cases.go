package verify

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
)

// withInference returns the case with every combination of a t-norm and a defuzzification
// except the product with TSK, which the other cases have. Functions are wide, so that rules
// fire with every t-norm.
func (c Case) withInference() []Case {
	var cases []Case
	c.Width = 2
	for _, c.TNorm = range inference.TNorms() {
		for _, c.Defuzzification = range inference.Defuzzifications() {
			if c.TNorm != (inference.Product{}) || c.Defuzzification != (inference.TSK{}) {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

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

// Curves are the curves in the consequents of a [Case].
type Curves int

// The curves of a case: none, one per feature that all rules share, or one per feature and
// rule.
const (
	NoCurves Curves = iota
	SharedCurves
	OwnCurves
)

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

// lossCases returns the cases of losses: every registered loss with one output, or as many
// as it needs; with three outputs, each with its own weight; and of losses with a link, large
// outputs, at which exponentials would overflow.
func lossCases() []Case {
	var cases []Case
	for _, l := range loss.All() {
		of := func(c Case) Case { c.Loss = l; return c }
		if l.Name() != (loss.Squared{}).Name() {
			cases = append(cases, of(Case{R: 2, M: 3, B: 5}).withAll(), of(Case{R: 5, M: 7, B: 8}).withAll())
		}
		if l.Link().Name() != loss.Identity().Name() {
			cases = append(cases, of(Case{R: 3, M: 3, B: 8, Scale: 20}))
		}
		cases = append(cases, withWeights(of(Case{R: 3, M: 3, B: 8, Outputs: 3, Curves: OwnCurves})).withAll())
	}
	return append(cases,
		Case{R: 4, M: 3, B: 8, Loss: loss.Softmax{}, Outputs: 4, Curves: SharedCurves, Tied: true}.withAll(),
		Case{R: 4, M: 2, B: 24, Width: 0.05, Loss: loss.Softmax{}}.withAll(), // zero grades, uncovered samples
		Case{R: 3, M: 3, B: 8, Outputs: 2})
}

// withWeights returns the case with a weight of each output, of a loss that is a sum over the
// outputs.
func withWeights(c Case) Case {
	weights := make([]float64, c.Outputs)
	for i := range weights {
		weights[i] = 0.5 + float64(i)
	}
	c.Loss = loss.Joint(c.Loss, weights)
	return c
}

// curveCases returns the cases with curves: of one rule, of several with and without a
// mask and penalties, and of rules that share membership functions.
func curveCases() []Case {
	var cases []Case
	for _, kind := range []Curves{SharedCurves, OwnCurves} {
		small, large := Case{R: 2, M: 3, B: 5, Curves: kind}, Case{R: 5, M: 7, B: 8, Curves: kind}
		cases = append(cases, small, small.with(true, 0.05), large.withAll())
	}
	return append(cases,
		Case{R: 1, M: 1, B: 4, Curves: OwnCurves}.withAll(),
		Case{R: 17, M: 2, B: 3, Curves: OwnCurves}.withAll(),
		Case{R: 4, M: 3, B: 12, Width: 0.05, Curves: OwnCurves}.withAll(),
		Case{R: 8, M: 3, B: 8, Curves: SharedCurves, Tied: true}.withAll())
}
