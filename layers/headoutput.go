package layers

import "github.com/tskgraph/tskgraph/penalty"

// headOutput is one output of a head, with matrices of its own.
type headOutput struct {
	*head
	c int // its number

	rules   []float64 // outputs of the rules, [B,R]
	y       []float64 // predictions, [B]
	byRules []float64 // dL/dy_r, [B,R]
	by      []float64 // dL/dy, [B]; of several outputs only

	onSamples []*onSamples
	samples   penalty.Samples
}

// newHeadOutput returns output c of a head.
func newHeadOutput(h *head, c int) *headOutput {
	o := &headOutput{head: h, c: c, rules: make([]float64, h.B*h.R), byRules: make([]float64, h.B*h.R)}
	if o.y = h.out.cells; h.C > 1 {
		o.y, o.by = make([]float64, h.B), make([]float64, h.B)
	}
	o.onSamples = onSamplesBy(h.Penalties, h.B, h.R)
	o.samples = penalty.Samples{R: h.R, Levels: h.level, Outputs: o.rules, Prediction: o.y, Weight: h.samplesWeight}
	return o
}

// penalties returns the sum of the penalties of the samples.
func (o *headOutput) penalties() float64 {
	total := 0.0
	for _, p := range o.onSamples {
		total += p.forward(o.samples)
	}
	return total
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
