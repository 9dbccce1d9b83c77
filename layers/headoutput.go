package layers

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
