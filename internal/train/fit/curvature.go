package fit

import (
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/rules"
)

// curvatures returns the second derivatives [C][N] of the weighted loss of each sample by
// each output, at the current rules: the weights, for a squared loss; otherwise from
// differences of the gradient. Where a loss is linear, as beside a kink, they are those of
// a squared loss with a thousandth of the weight, so that no consequent is free.
func curvatures(rb *rules.RuleBase, l loss.Loss, x [][]float64, targets, weights []float64) [][]float64 {
	C := rb.OutputCount()
	all := make([][]float64, C)
	for c := range all {
		all[c] = slices.Clone(weights)
	}
	if _, squared := l.(loss.Squared); squared && C == 1 {
		return all
	}
	const h = 1e-3
	of := loss.Joint(l, nil)
	y, _, _ := rb.Forward(x, nil) // of the trainer's own samples
	up, down := make([]float64, C), make([]float64, C)
	for n := range x {
		y, t := y[n*C:(n+1)*C], targets[n*C:(n+1)*C]
		for c, at := range y {
			y[c] = at + h
			of.Gradient(up, y, t)
			y[c] = at - h
			of.Gradient(down, y, t)
			y[c] = at
			all[c][n] *= max(1e-3, (up[c]-down[c])/(2*h))
		}
	}
	return all
}
