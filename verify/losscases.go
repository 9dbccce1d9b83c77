package verify

import "github.com/tskgraph/tskgraph/loss"

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
