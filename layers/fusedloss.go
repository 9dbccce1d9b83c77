package layers

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/loss"
)

// FusedLoss is [Loss] in one node, from predictions and target [B,C], weight and covered
// [B,1] and the penalty of [Head], a scalar: total is the sum of data and penalty, also
// scalars. It is differentiable by the predictions only.
func FusedLoss(b *Builder, l loss.Loss, prediction, target, weight, covered, penalty *gorgonia.Node) (total, data *gorgonia.Node) {
	if b.err != nil {
		return nil, nil
	}
	t, d := newOp("loss"), newOp("data")
	of := samplesLoss(l, prediction.Shape()[1])
	t.run = func(in [][]float64) {
		d.cells[0] = of.value(in[0], in[1], in[2], in[3])
		t.cells[0] = d.cells[0] + in[4][0]
	}
	t.wrt = []bool{true, false, false, false, false}
	t.diff = func(b *Builder, in gorgonia.Nodes, _, grad node) gorgonia.Nodes {
		g := newOp("gradient by prediction", in[0].Shape()...)
		g.run = func(in [][]float64) { of.gradient(g.cells, in[0], in[1], in[2], in[3], in[4][0]) }
		return gorgonia.Nodes{b.apply(g, in[0], in[1], in[2], in[3], grad), nil, nil, nil, nil}
	}
	total = b.apply(t, prediction, target, weight, covered, penalty)
	return total, b.part(d, total)
}

// ofSamples is a loss summed over the samples of a mini-batch: outputs y and targets t
// [B,C], weight and covered [B].
type ofSamples interface {
	value(y, t, weight, covered []float64) float64

	// gradient writes the derivatives by y, times by, to dst [B,C].
	gradient(dst, y, t, weight, covered []float64, by float64)
}

// samplesLoss returns a loss of C outputs summed over samples.
func samplesLoss(l loss.Loss, C int) ofSamples {
	if one, ok := l.(loss.OfOutput); ok && C == 1 {
		return single{one}
	}
	return joint{loss.Joint(l, nil), C}
}

// single is a loss of the only output.
type single struct{ loss.OfOutput }

func (l single) value(y, t, weight, covered []float64) float64 {
	sum := 0.0
	for n, target := range t {
		sum += float64(l.Value(y[n], target) * (weight[n] * covered[n]))
	}
	return sum
}

func (l single) gradient(dst, y, t, weight, covered []float64, by float64) {
	for n, target := range t {
		dst[n] = by * (weight[n] * covered[n]) * l.Gradient(y[n], target)
	}
}

// joint is a loss of all C outputs.
type joint struct {
	loss.OfOutputs
	C int
}

func (l joint) value(y, t, weight, covered []float64) float64 {
	sum := 0.0
	for n, w := range weight {
		sum += float64(l.Value(y[n*l.C:(n+1)*l.C], t[n*l.C:(n+1)*l.C]) * (w * covered[n]))
	}
	return sum
}

func (l joint) gradient(dst, y, t, weight, covered []float64, by float64) {
	for n, w := range weight {
		row := dst[n*l.C : (n+1)*l.C]
		l.Gradient(row, y[n*l.C:(n+1)*l.C], t[n*l.C:(n+1)*l.C])
		for c := range row {
			row[c] *= by * (w * covered[n])
		}
	}
}
