package layers

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/penalty"
	"gorgonia.org/gorgonia"
)

// Head is [DropRule] or [LogDropRule], [Normalise], [Consequent] and [Output] in
// one node: predictions [B,C] from firing levels [B,R], or their logarithms, and
// the inputs Mask, Z, Bias and Slope.
//
// covered [B,1] and penalties, a scalar, are by-products. The penalties, see [Penalties],
// are computed in this layer, which has the slopes, the normalised firing levels and the
// rule outputs: it adds their gradients, and [FusedLoss] adds only their value. The inputs
// Weight and Target are used by [penalty.OfSamples] only, and Curve, the values at
// HeadOptions.Knots as in [Curves], by rules with curves.
func Head(b *Builder, firing *gorgonia.Node, from Inputs, o HeadOptions) (prediction, covered, penalties *gorgonia.Node) {
	if b.err != nil {
		return nil, nil, nil
	}
	B, M, R, C := from.Z.Shape()[0], from.Z.Shape()[1], firing.Shape()[1], from.Bias.Shape()[0]
	h := &head{
		B: B, M: M, R: R, C: C, HeadOptions: o,
		out: newOp("prediction", B, C), covered: newOp("covered", B, 1), penalty: newOp("penalty"),
		level: make([]float64, B*R), scale: make([]float64, B),
		onSlopes: penalisedBy(penalty.OnSlopes, o.Penalties, C*M*R), onLevels: penalisedBy(penalty.OnLevels, o.Penalties, B*R),
		onSamples: onSamplesBy(o.Penalties, B, R, C), curves: newCurves(o, B, M, R, C, from.Curve),
	}
	h.samples = penalty.Samples{R: R, Levels: h.level, Weight: make([]float64, B)}
	for c := range C {
		o := newHeadOutput(h, c)
		h.outputs, h.byRules = append(h.outputs, o), append(h.byRules, o.byRules)
		h.samples.Outputs, h.samples.Predictions = append(h.samples.Outputs, o.rules), append(h.samples.Predictions, o.y)
	}
	if C > 1 {
		h.byOne = make([]float64, B*R)
	}
	if o.LogSpace {
		h.ones = slices.Repeat([]float64{1}, B)
	} else {
		h.used = make([]float64, B*R)
	}
	h.out.run = h.forward
	h.out.wrt = []bool{true, false, false, true, true}
	h.out.diff = h.diff
	inputs := []node{firing, from.Mask, from.Z, from.Bias, from.Slope}
	if len(h.onSamples) > 0 {
		h.weightAt = len(inputs)
		h.out.wrt, inputs = append(h.out.wrt, false, false), append(inputs, from.Weight, from.Target)
	}
	if h.curves != nil {
		h.curveAt = len(inputs)
		h.out.wrt, inputs = append(h.out.wrt, true), append(inputs, from.Curve)
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
	B, M, R, C int
	HeadOptions

	out, covered, penalty *op
	byBias, bySlope       *op

	level   []float64 // normalised firing levels, [B,R]
	scale   []float64 // one over the sum of the firing levels, [B]
	used    []float64 // the mask in use, [B,R]; not in log space
	ones    []float64 // [B]; in log space only
	outputs []*headOutput
	byRules [][]float64 // [C], dL/dy_r of each output
	byOne   []float64   // the gradient by firing levels through one output, [B,R]; of several outputs only

	onSlopes, onLevels []*penalised
	onSamples          []*onSamples
	samples            penalty.Samples
	curves             *curves // nil: none

	weightAt, curveAt int // of the inputs weight, which target follows, and curve, if they are used
}

func (h *head) forward(in [][]float64) {
	firing, mask, x, bias, slope := in[0], in[1], in[2], in[3], in[4]
	onCurves := 0.0
	if h.curves != nil {
		onCurves = h.curves.locate(x, in[h.curveAt])
	}
	for c, o := range h.outputs {
		kernel.Consequents(o.rules, x, slope[c*h.M*h.R:], bias[c*h.R:], h.B, h.M, h.R)
		if h.curves != nil {
			h.curves.add(o.rules, in[h.curveAt], c)
		}
	}
	if h.LogSpace {
		kernel.ExpRows(h.level, firing, mask, h.B, h.R)
	} else {
		kernel.DropRows(h.level, h.used, firing, mask, h.Least, h.B, h.R)
	}
	h.normalise()
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
		h.samples.Target = in[h.weightAt+1]
	}
	for _, p := range h.onSamples {
		total += p.forward(h.samples)
	}
	h.penalty.cells[0] = total
}

// normalise normalises the firing levels and computes the predictions.
func (h *head) normalise() {
	first := h.outputs[0]
	kernel.Normalise(first.y, h.scale, h.covered.cells, h.level, first.rules, h.Least, h.B, h.R)
	for c, o := range h.outputs {
		if c > 0 {
			kernel.WeightedSums(o.y, h.level, o.rules, h.B, h.R)
		}
		if h.C > 1 {
			for b, y := range o.y {
				h.out.cells[b*h.C+c] = y
			}
		}
	}
}

// diff makes one node that computes all gradients. Its value is the gradient by the
// firing levels; part nodes hold those by biases and slopes.
func (h *head) diff(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
	byFiring := newOp("gradient by firing levels", h.B, h.R)
	h.byBias, h.bySlope = newOp("gradient by bias", h.C, h.R), newOp("gradient by slope", h.C*h.M, h.R)
	byFiring.run = func(in [][]float64) { h.backward(byFiring.cells, in[0], in[2], in[3]) }
	all := b.apply(byFiring, grad, out, in[2], in[4])
	grads := make(gorgonia.Nodes, len(in))
	grads[0], grads[3], grads[4] = all, b.part(h.byBias, all), b.part(h.bySlope, all)
	if c := h.curves; c != nil {
		c.byValue = newOp("gradient by curve", h.C*c.Q, c.columns)
		grads[h.curveAt] = b.part(c.byValue, all)
	}
	return grads
}

// backward computes from dL/dy [B,C] the gradients, for every output
//
//	dL/dy_r   = dL/dy fbar_r
//	dL/df_r   = dL/dy (y_r - y) / sum of f    of rules in use, summed over the outputs
//	dL/dlog f = f dL/df
//
// and adds those of the penalties.
func (h *head) backward(byFiring, byPrediction, x, slope []float64) {
	factor, scale := h.used, h.scale
	if h.LogSpace {
		factor, scale = h.level, h.ones
	}
	for c, o := range h.outputs {
		by := byFiring
		if c > 0 {
			by = h.byOne
		}
		kernel.NormaliseBackward(by, o.byRules, h.level, factor, o.rules, o.y, o.byPrediction(byPrediction), scale, h.B, h.R)
		if c > 0 {
			kernel.Add(byFiring, h.byOne)
		}
	}
	for _, p := range h.onLevels {
		kernel.LevelsBackward(byFiring, h.level, factor, p.direction, scale, p.factor, h.B, h.R)
	}
	for _, p := range h.onSamples {
		p.backward(byFiring, h.byRules, factor, scale, h.samples)
	}
	h.backwardToConsequents(x, slope)
	if h.curves != nil {
		h.curves.penaltiesBackward()
		for c, o := range h.outputs {
			h.curves.backward(o.byRules, c)
		}
	}
}

// backwardToConsequents computes the gradients by biases and slopes. The kernel includes
// the gradient of the first penalty.
func (h *head) backwardToConsequents(x, slope []float64) {
	direction, by, others := slope, 0.0, h.onSlopes
	if len(others) > 0 {
		direction, by, others = others[0].direction, others[0].factor, others[1:]
	}
	for c, o := range h.outputs {
		at := c * h.M * h.R
		kernel.ConsequentsBackward(h.bySlope.cells[at:], h.byBias.cells[c*h.R:], o.byRules, x, direction[at:], by, h.B, h.M, h.R)
	}
	for _, p := range others {
		for i, d := range p.direction {
			h.bySlope.cells[i] += float64(p.factor * d)
		}
	}
}

// headOutput is one output of a head, with matrices of its own.
type headOutput struct {
	*head
	c int // its number

	rules   []float64 // outputs of the rules, [B,R]
	y       []float64 // predictions, [B]
	byRules []float64 // dL/dy_r, [B,R]
	by      []float64 // dL/dy, [B]; of several outputs only
}

// newHeadOutput returns output c of a head.
func newHeadOutput(h *head, c int) *headOutput {
	o := &headOutput{head: h, c: c, rules: make([]float64, h.B*h.R), byRules: make([]float64, h.B*h.R)}
	if o.y = h.out.cells; h.C > 1 {
		o.y, o.by = make([]float64, h.B), make([]float64, h.B)
	}
	return o
}

// byPrediction returns dL/dy [B] of the output from that of all outputs [B,C].
func (o *headOutput) byPrediction(all []float64) []float64 {
	if o.C == 1 {
		return all
	}
	for b := range o.by {
		o.by[b] = all[b*o.C+o.c]
	}
	return o.by
}
