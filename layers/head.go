package layers

import (
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
		level: make([]float64, B*R), outputs: make([]float64, B*R), scale: make([]float64, B), lifted: make([]bool, B),
		byOutput: make([]float64, B*R),
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
	lifted   []bool    // whether the sample uses all rules whatever its mask, [B]
	byOutput []float64 // dL/dy_r, [B,R]
}

func (h *head) forward(in [][]float64) {
	firing, mask, x, bias, slope := in[0], in[1], in[2], in[3], in[4]
	R := h.R
	kernel.Consequents(h.outputs, x, slope, bias, h.B, h.M, R)
	copy(h.level, firing)
	if h.logSpace {
		kernel.ExpRows(h.level, mask, h.B, R)
	}
	for n := range h.B {
		level := h.level[n*R : (n+1)*R]
		if !h.logSpace {
			h.lifted[n] = drop(level, mask[n*R:(n+1)*R], h.least)
		}
		h.out.cells[n], h.scale[n], h.covered.cells[n] = weightedSum(level, h.outputs[n*R:(n+1)*R], h.least)
	}
	sum := 0.0
	for _, w := range slope {
		sum += w * w
	}
	h.penalty.cells[0] = h.lambda / 2 * sum
}

// drop clears the levels of dropped rules, unless those of the kept ones sum to no
// more than least: then all rules are used, and lifted is true.
func drop(level, mask []float64, least float64) (lifted bool) {
	mask = mask[:len(level)]
	sum := 0.0
	for r, f := range level {
		sum += f * mask[r]
	}
	if !(sum > least) {
		return true
	}
	for r := range level {
		level[r] *= mask[r]
	}
	return false
}

// weightedSum normalises the firing levels of a sample and sums up the outputs. A
// sample that is not covered has levels, scale and prediction zero; one whose
// levels are no numbers has a prediction that is none.
func weightedSum(level, outputs []float64, least float64) (y, scale, covered float64) {
	outputs = outputs[:len(level)]
	sum := 0.0
	for _, f := range level {
		sum += f
	}
	if sum <= least {
		clear(level)
		return 0, 0, 0
	}
	if sum > least {
		covered = 1
	}
	scale = 1 / sum
	for r, f := range level {
		f *= scale
		level[r] = f
		y += f * outputs[r]
	}
	return y, scale, covered
}

// diff makes one node that computes all gradients, the value being that by the
// firing levels, and parts of it for biases and slopes.
func (h *head) diff(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
	byFiring := newOp("gradient by firing levels", h.B, h.R)
	h.byBias, h.bySlope = newOp("gradient by bias", 1, h.R), newOp("gradient by slope", h.M, h.R)
	byFiring.run = func(in [][]float64) { h.backward(byFiring.cells, in[0], in[2], in[3], in[4]) }
	mask, x, slope := in[1], in[2], in[4]
	all := b.apply(byFiring, grad, out, mask, x, slope)
	return gorgonia.Nodes{all, nil, nil, b.part(h.byBias, all), b.part(h.bySlope, all)}
}

// backward goes from dL/dy [B] to the gradients:
//
//	dL/dy_r   = dL/dy fbar_r
//	dL/df_r   = dL/dy (y_r - y) / sum of f    of rules in use
//	dL/dlog f = f dL/df
//
// Where one rule outweighs all others its output is nearly y, and rounding of y
// would spoil the difference. The differences, weighted by the levels, sum to zero:
// what they do sum to is the rounding, and is taken off.
func (h *head) backward(byFiring, byPrediction, mask, x, slope []float64) {
	R := h.R
	for n, e := range byPrediction {
		y := h.out.cells[n]
		level := h.level[n*R : (n+1)*R]
		outputs, byOutput, by := h.outputs[n*R:][:len(level)], h.byOutput[n*R:][:len(level)], byFiring[n*R:][:len(level)]
		keep := mask[n*R:][:len(level)]
		rounding := 0.0
		for r, f := range level {
			rounding += f * (outputs[r] - y)
		}
		if h.logSpace {
			for r, f := range level {
				byOutput[r] = e * f
				by[r] = byOutput[r] * (outputs[r] - y - rounding)
			}
			continue
		}
		scale := e * h.scale[n]
		for r, f := range level {
			byOutput[r] = e * f
			by[r] = scale * (outputs[r] - y - rounding)
			if !h.lifted[n] {
				by[r] *= keep[r]
			}
		}
	}
	kernel.ConsequentsBackward(h.bySlope.cells, h.byBias.cells, h.byOutput, x, slope, h.lambda, h.B, h.M, R)
}
