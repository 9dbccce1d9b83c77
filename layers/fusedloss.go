package layers

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/loss"
)

// FusedLoss is [Loss] in one node, from predictions, target, weight and covered [B,1] and
// the penalty of [Head], a scalar: total is the sum of data and penalty, also scalars. It
// is differentiable by the predictions only.
func FusedLoss(b *Builder, l loss.Loss, prediction, target, weight, covered, penalty node) (total, data node) {
	if b.err != nil {
		return nil, nil
	}
	t, d := newOp("loss"), newOp("data")
	t.run = func(in [][]float64) {
		y, weight, covered := in[0], in[2], in[3]
		sum := 0.0
		for n, target := range in[1] {
			sum += float64(l.Value(y[n], target) * (weight[n] * covered[n]))
		}
		d.cells[0] = sum
		t.cells[0] = sum + in[4][0]
	}
	t.wrt = []bool{true, false, false, false, false}
	t.diff = func(b *Builder, in gorgonia.Nodes, _, grad node) gorgonia.Nodes {
		g := newOp("gradient by prediction", in[0].Shape()...)
		g.run = func(in [][]float64) {
			y, weight, covered, by := in[0], in[2], in[3], in[4][0]
			for n, target := range in[1] {
				g.cells[n] = by * (weight[n] * covered[n]) * l.Gradient(y[n], target)
			}
		}
		return gorgonia.Nodes{b.apply(g, in[0], in[1], in[2], in[3], grad), nil, nil, nil, nil}
	}
	total = b.apply(t, prediction, target, weight, covered, penalty)
	return total, b.part(d, total)
}
