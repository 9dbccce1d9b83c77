package layers

import (
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/internal/kernel"
	"github.com/tskgraph/tskgraph/penalty"
)

// Head is [DropRule] or [LogDropRule], [Normalise], [Consequent] and [Output] in
// one node: predictions [B,1] from firing levels [B,R], or their logarithms, and
// mask [B,R], x [B,M], biases [1,R] and slopes [M,R].
//
// covered [B,1] and penalties, a scalar, are by-products. The penalties, see [Penalties],
// are computed in this layer, which has the slopes, the normalised firing levels and the
// rule outputs: it adds their gradients, and [FusedLoss] adds only their value. weight
// [B,1] is that of the samples in the loss; without [penalty.OfSamples] it is not used and
// may be nil. curve, the values of curves at HeadOptions.Knots as in [Curves], is nil
// without curves.
func Head(b *Builder, firing, mask, x, bias, slope, curve, weight node, o HeadOptions) (prediction, covered, penalties node) {
	if b.err != nil {
		return nil, nil, nil
	}
	B, M, R := x.Shape()[0], x.Shape()[1], firing.Shape()[1]
	h := &head{
		B: B, M: M, R: R, HeadOptions: o,
		out: newOp("prediction", B, 1), covered: newOp("covered", B, 1), penalty: newOp("penalty"),
		level: make([]float64, B*R), outputs: make([]float64, B*R), scale: make([]float64, B), byOutput: make([]float64, B*R),
		onSlopes: penalisedBy(penalty.OnSlopes, o.Penalties, M*R), onLevels: penalisedBy(penalty.OnLevels, o.Penalties, B*R),
		onSamples: onSamplesBy(o.Penalties, B, R), curves: newCurves(o, B, M, R, curve),
	}
	h.samples = penalty.Samples{R: R, Levels: h.level, Outputs: h.outputs, Prediction: h.out.cells, Weight: make([]float64, B)}
	if o.LogSpace {
		h.ones = slices.Repeat([]float64{1}, B)
	} else {
		h.used = make([]float64, B*R)
	}
	h.out.run = h.forward
	h.out.wrt = []bool{true, false, false, true, true}
	h.out.diff = h.diff
	inputs := []node{firing, mask, x, bias, slope}
	if len(h.onSamples) > 0 {
		h.weightAt = len(inputs)
		h.out.wrt, inputs = append(h.out.wrt, false), append(inputs, weight)
	}
	if h.curves != nil {
		h.curveAt = len(inputs)
		h.out.wrt, inputs = append(h.out.wrt, true), append(inputs, curve)
	}
	prediction = b.apply(h.out, inputs...)
	return prediction, b.part(h.covered, prediction), b.part(h.penalty, prediction)
}

// HeadOptions are the options of [Head].
type HeadOptions struct {
	LogSpace bool    // the firing levels are given as logarithms
	Least    float64 // the least sum of firing levels that covers a sample

	Penalties []penalty.Penalty
	Knots     [][]float64 // [M], of curves; see [rules.RuleBase]
}

// head computes the layer and keeps the values of the forward pass for the backward pass.
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

	onSlopes, onLevels []*penalised
	onSamples          []*onSamples
	samples            penalty.Samples
	curves             *curves // nil: none

	weightAt, curveAt int // of the inputs weight and curve, if they are used
}

func (h *head) forward(in [][]float64) {
	firing, mask, x, bias, slope := in[0], in[1], in[2], in[3], in[4]
	kernel.Consequents(h.outputs, x, slope, bias, h.B, h.M, h.R)
	onCurves := 0.0
	if h.curves != nil {
		onCurves = h.curves.forward(h.outputs, x, in[h.curveAt])
	}
	if h.LogSpace {
		kernel.ExpRows(h.level, firing, mask, h.B, h.R)
	} else {
		kernel.DropRows(h.level, h.used, firing, mask, h.Least, h.B, h.R)
	}
	kernel.Normalise(h.out.cells, h.scale, h.covered.cells, h.level, h.outputs, h.Least, h.B, h.R)
	total := 0.0
	for _, p := range h.onSlopes {
		total += p.run(slope, h.R)
	}
	total += onCurves
	for _, p := range h.onLevels {
		total += p.run(h.level, h.R)
	}
	if len(h.onSamples) > 0 {
		for n, weight := range in[h.weightAt] {
			h.samples.Weight[n] = weight * h.covered.cells[n]
		}
	}
	for _, p := range h.onSamples {
		total += p.forward(h.samples)
	}
	h.penalty.cells[0] = total
}

// diff makes one node that computes all gradients. Its value is the gradient by the
// firing levels; part nodes hold those by biases and slopes.
func (h *head) diff(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
	byFiring := newOp("gradient by firing levels", h.B, h.R)
	h.byBias, h.bySlope = newOp("gradient by bias", 1, h.R), newOp("gradient by slope", h.M, h.R)
	byFiring.run = func(in [][]float64) { h.backward(byFiring.cells, in[0], in[2], in[3]) }
	all := b.apply(byFiring, grad, out, in[2], in[4])
	grads := make(gorgonia.Nodes, len(in))
	grads[0], grads[3], grads[4] = all, b.part(h.byBias, all), b.part(h.bySlope, all)
	if c := h.curves; c != nil {
		c.byValue = newOp("gradient by curve", c.Q, c.C)
		grads[h.curveAt] = b.part(c.byValue, all)
	}
	return grads
}

// backward computes from dL/dy [B] the gradients:
//
//	dL/dy_r   = dL/dy fbar_r
//	dL/df_r   = dL/dy (y_r - y) / sum of f    of rules in use
//	dL/dlog f = f dL/df
//
// and adds those of the penalties.
func (h *head) backward(byFiring, byPrediction, x, slope []float64) {
	factor, scale := h.used, h.scale
	if h.LogSpace {
		factor, scale = h.level, h.ones
	}
	kernel.NormaliseBackward(byFiring, h.byOutput, h.level, factor, h.outputs, h.out.cells, byPrediction, scale, h.B, h.R)
	for _, p := range h.onLevels {
		kernel.LevelsBackward(byFiring, h.level, factor, p.direction, scale, p.factor, h.B, h.R)
	}
	for _, p := range h.onSamples {
		p.backward(byFiring, h.byOutput, factor, scale, h.samples)
	}
	h.backwardToConsequents(x, slope)
	if h.curves != nil {
		h.curves.backward(h.byOutput)
	}
}

// backwardToConsequents computes the gradients by biases and slopes. The kernel includes
// the gradient of the first penalty.
func (h *head) backwardToConsequents(x, slope []float64) {
	direction, by, others := slope, 0.0, h.onSlopes
	if len(others) > 0 {
		direction, by, others = others[0].direction, others[0].factor, others[1:]
	}
	kernel.ConsequentsBackward(h.bySlope.cells, h.byBias.cells, h.byOutput, x, direction, by, h.B, h.M, h.R)
	for _, p := range others {
		for i, d := range p.direction {
			h.bySlope.cells[i] += float64(p.factor * d)
		}
	}
}
