package layers

import (
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers/kernel"
)

// Head is [DropRule] or [LogDropRule], [Normalise], [Consequent] and [Output] in
// one node: predictions [B,1] from firing levels [B,R], or their logarithms, and
// mask [B,R], x [B,M], biases [1,R] and slopes [M,R].
//
// covered [B,1] and penalty, the scalar lambda/2 times the sum of squared slopes,
// are by-products. The penalty belongs to the layer that owns the slopes: its
// gradient is added to theirs here, and [FusedLoss] only adds its value.
func Head(b *Builder, firing, mask, x, bias, slope node, logSpace bool, least, lambda float64) (prediction, covered, penalty node) {
	if b.err != nil {
		return nil, nil, nil
	}
	B, M, R := x.Shape()[0], x.Shape()[1], firing.Shape()[1]
	h := &head{
		B: B, M: M, R: R, logSpace: logSpace, least: least, lambda: lambda,
		out: newOp("prediction", B, 1), covered: newOp("covered", B, 1), penalty: newOp("penalty"),
		level: make([]float64, B*R), outputs: make([]float64, B*R), scale: make([]float64, B), byOutput: make([]float64, B*R),
	}
	if logSpace {
		h.ones = slices.Repeat([]float64{1}, B)
	} else {
		h.used = make([]float64, B*R)
	}
	h.out.run = h.forward
	h.out.wrt = []bool{true, false, false, true, true}
	h.out.diff = h.diff
	prediction = b.apply(h.out, firing, mask, x, bias, slope)
	return prediction, b.part(h.covered, prediction), b.part(h.penalty, prediction)
}

// head is the arithmetic of the layer and what its backward pass needs of the
// forward pass.
type head struct {
	B, M, R       int
	logSpace      bool
	least, lambda float64

	out, covered, penalty *op
	byBias, bySlope       *op

	level    []float64 // normalised firing levels, [B,R]
	outputs  []float64 // of the rules, [B,R]
	scale    []float64 // one over the sum of the firing levels, [B]
	used     []float64 // the mask in use, [B,R]; not in log space
	ones     []float64 // [B]; in log space only
	byOutput []float64 // dL/dy_r, [B,R]
}

func (h *head) forward(in [][]float64) {
	firing, mask, x, bias, slope := in[0], in[1], in[2], in[3], in[4]
	kernel.Consequents(h.outputs, x, slope, bias, h.B, h.M, h.R)
	if h.logSpace {
		kernel.ExpRows(h.level, firing, mask, h.B, h.R)
	} else {
		kernel.DropRows(h.level, h.used, firing, mask, h.least, h.B, h.R)
	}
	kernel.Normalise(h.out.cells, h.scale, h.covered.cells, h.level, h.outputs, h.least, h.B, h.R)
	h.penalty.cells[0] = h.lambda / 2 * kernel.SumSquares(slope)
}

// diff makes one node that computes all gradients, the value being that by the
// firing levels, and parts of it for biases and slopes.
func (h *head) diff(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
	byFiring := newOp("gradient by firing levels", h.B, h.R)
	h.byBias, h.bySlope = newOp("gradient by bias", 1, h.R), newOp("gradient by slope", h.M, h.R)
	byFiring.run = func(in [][]float64) { h.backward(byFiring.cells, in[0], in[2], in[3]) }
	x, slope := in[2], in[4]
	all := b.apply(byFiring, grad, out, x, slope)
	return gorgonia.Nodes{all, nil, nil, b.part(h.byBias, all), b.part(h.bySlope, all)}
}

// backward goes from dL/dy [B] to the gradients:
//
//	dL/dy_r   = dL/dy fbar_r
//	dL/df_r   = dL/dy (y_r - y) / sum of f    of rules in use
//	dL/dlog f = f dL/df
func (h *head) backward(byFiring, byPrediction, x, slope []float64) {
	factor, scale := h.used, h.scale
	if h.logSpace {
		factor, scale = h.level, h.ones
	}
	kernel.NormaliseBackward(byFiring, h.byOutput, h.level, factor, h.outputs, h.out.cells, byPrediction, scale, h.B, h.R)
	kernel.ConsequentsBackward(h.bySlope.cells, h.byBias.cells, h.byOutput, x, slope, h.lambda, h.B, h.M, h.R)
}
