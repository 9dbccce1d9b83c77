package layers

import (
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/kernel"
)

// Head is [DropRule] or [LogDropRule], [Normalise], [Consequent] and [Output] in
// one node: predictions [B,1] from firing levels [B,R], or their logarithms, and
// mask [B,R], x [B,M], biases [1,R] and slopes [M,R].
//
// covered [B,1] and penalty, a scalar, are by-products: the sum of [SlopePenalty] and
// [UniformPenalty]. The penalty belongs to this layer, which has the slopes and the
// normalised firing levels: its gradient is added to theirs here, and [FusedLoss]
// only adds its value.
func Head(b *Builder, firing, mask, x, bias, slope node, o HeadOptions) (prediction, covered, penalty node) {
	if b.err != nil {
		return nil, nil, nil
	}
	B, M, R := x.Shape()[0], x.Shape()[1], firing.Shape()[1]
	h := &head{
		B: B, M: M, R: R, HeadOptions: o,
		out: newOp("prediction", B, 1), covered: newOp("covered", B, 1), penalty: newOp("penalty"),
		level: make([]float64, B*R), outputs: make([]float64, B*R), scale: make([]float64, B), byOutput: make([]float64, B*R),
	}
	if o.ToMean {
		h.centred = make([]float64, M*R)
	}
	if o.Uniform != 0 {
		h.uneven = make([]float64, R)
	}
	if o.LogSpace {
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

// HeadOptions say what a [Head] computes.
type HeadOptions struct {
	LogSpace bool    // the firing levels are given as logarithms
	Least    float64 // the least sum of firing levels that covers a sample

	Lambda  float64 // of SlopePenalty
	ToMean  bool
	Uniform float64 // of UniformPenalty
}

// head is the arithmetic of the layer and what its backward pass needs of the
// forward pass.
type head struct {
	B, M, R int
	HeadOptions

	out, covered, penalty *op
	byBias, bySlope       *op

	level    []float64 // normalised firing levels, [B,R]
	outputs  []float64 // of the rules, [B,R]
	scale    []float64 // one over the sum of the firing levels, [B]
	used     []float64 // the mask in use, [B,R]; not in log space
	ones     []float64 // [B]; in log space only
	byOutput []float64 // dL/dy_r, [B,R]
	pull     []float64 // what P_slopes is made of, [M,R]: the slopes or centred
	centred  []float64 // the slopes less their mean over the rules, [M,R]; with ToMean only
	uneven   []float64 // mean_n fbar_r - 1/R, [R]; with Uniform only
}

func (h *head) forward(in [][]float64) {
	firing, mask, x, bias, slope := in[0], in[1], in[2], in[3], in[4]
	kernel.Consequents(h.outputs, x, slope, bias, h.B, h.M, h.R)
	if h.LogSpace {
		kernel.ExpRows(h.level, firing, mask, h.B, h.R)
	} else {
		kernel.DropRows(h.level, h.used, firing, mask, h.Least, h.B, h.R)
	}
	kernel.Normalise(h.out.cells, h.scale, h.covered.cells, h.level, h.outputs, h.Least, h.B, h.R)
	h.penalty.cells[0] = h.penalise(slope)
}

// penalise returns the penalty.
func (h *head) penalise(slope []float64) float64 {
	h.pull = slope
	if h.ToMean {
		h.pull = h.centred
		for m := range h.M {
			row, centred := slope[m*h.R:(m+1)*h.R], h.centred[m*h.R:(m+1)*h.R]
			mean := 0.0
			for _, w := range row {
				mean += w
			}
			mean /= float64(h.R)
			for r, w := range row {
				centred[r] = w - mean
			}
		}
	}
	penalty := float64(h.Lambda / 2 * kernel.SumSquares(h.pull))
	if h.Uniform != 0 {
		kernel.Unevenness(h.uneven, h.level, h.B, h.R)
		penalty += float64(h.Uniform * float64(h.R) * kernel.SumSquares(h.uneven))
	}
	return penalty
}

// diff makes one node that computes all gradients, the value being that by the
// firing levels, and parts of it for biases and slopes.
func (h *head) diff(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
	byFiring := newOp("gradient by firing levels", h.B, h.R)
	h.byBias, h.bySlope = newOp("gradient by bias", 1, h.R), newOp("gradient by slope", h.M, h.R)
	byFiring.run = func(in [][]float64) { h.backward(byFiring.cells, in[0], in[2]) }
	all := b.apply(byFiring, grad, out, in[2])
	return gorgonia.Nodes{all, nil, nil, b.part(h.byBias, all), b.part(h.bySlope, all)}
}

// backward goes from dL/dy [B] to the gradients:
//
//	dL/dy_r   = dL/dy fbar_r
//	dL/df_r   = dL/dy (y_r - y) / sum of f    of rules in use
//	dL/dlog f = f dL/df
//
// and adds those of the penalty.
func (h *head) backward(byFiring, byPrediction, x []float64) {
	factor, scale := h.used, h.scale
	if h.LogSpace {
		factor, scale = h.level, h.ones
	}
	kernel.NormaliseBackward(byFiring, h.byOutput, h.level, factor, h.outputs, h.out.cells, byPrediction, scale, h.B, h.R)
	if h.Uniform != 0 {
		by := 2 * h.Uniform * float64(h.R) / float64(h.B)
		kernel.UnevennessBackward(byFiring, h.level, factor, h.uneven, scale, by, h.B, h.R)
	}
	kernel.ConsequentsBackward(h.bySlope.cells, h.byBias.cells, h.byOutput, x, h.pull, h.Lambda, h.B, h.M, h.R)
}
