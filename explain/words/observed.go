package words

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// observed has sums of a rule over samples.
type observed struct {
	weight  float64   // sum of the weighted firing levels
	outputs []float64 // [J] sums of these times what the rule says
	samples int       // for which it has the largest firing level
	size    float64   // of these: sum of the weights
	errors  []float64 // of these: roots of the weighted sums of squared errors, see judge

	nearest float64 // the largest of the rule's log firing levels
	row     int     // the sample with it
	firing  float64 // the normalised level there
}

// add adds what a rule says on a sample with a weighted firing level.
func (o *observed) add(firing float64, says []float64) {
	if o.outputs == nil {
		o.outputs = make([]float64, len(says))
	}
	if firing > 0 {
		o.weight += firing
		for j, v := range says {
			o.outputs[j] += float64(firing * v)
		}
	}
}

// judge adds the errors of a sample for which the rule has the largest firing level.
func (o *observed) judge(w float64, errors []float64) {
	if o.errors == nil {
		o.errors = make([]float64, len(errors))
	}
	o.samples++
	o.size += w
	for j, e := range errors {
		o.errors[j] = math.Hypot(o.errors[j], math.Sqrt(w)*e) // the sum of squares could overflow
	}
}

// local returns what the sums say of the rule.
func (o *observed) local(r *Response) *Local {
	l := &Local{Samples: o.samples}
	if o.weight > 0 {
		for j := range o.outputs {
			o.outputs[j] /= o.weight
		}
		if r.IsZero() {
			l.Output = numeric.OrNil(o.outputs[0])
		} else if numeric.Finite(o.outputs...) {
			l.Response = o.outputs
		}
	}
	if o.samples == 0 {
		return l
	}
	for j := range o.errors {
		o.errors[j] /= math.Sqrt(o.size)
	}
	if numeric.Finite(o.errors...) {
		r.found(l, o.errors)
	}
	return l
}

// responseOf returns the response [J] that is predicted for sample n.
func responseOf(p model.Predictions, n int) []float64 {
	var values []float64
	for _, all := range p.All() {
		values = append(values, all[n])
	}
	return values
}

// saying evaluates the response to what each rule says alone.
type saying struct {
	m       *model.Model
	respond func(dst, y []float64)
	outputs []float64 // [C R]
	y, says []float64 // [C], [R J]
}

func newSaying(m *model.Model, r *Response) (*saying, error) {
	R, C := m.RuleBase.Rules(), m.OutputCount()
	respond, err := m.Responder()
	return &saying{m, respond, make([]float64, C*R), make([]float64, C), make([]float64, R*len(r.Values))}, err
}

// at evaluates the rules on a scaled sample.
func (s *saying) at(scaled []float64) {
	s.m.RuleBase.Outputs(s.outputs, scaled)
	for r := range s.m.RuleBase.Rules() {
		for c := range s.y {
			s.y[c] = s.outputs[c*s.m.RuleBase.Rules()+r]
		}
		s.respond(s.of(r), s.y)
	}
}

// of returns what rule r says.
func (s *saying) of(r int) []float64 {
	J := len(s.says) / s.m.RuleBase.Rules()
	return s.says[r*J : (r+1)*J]
}

// mostlyShare is the share of the samples for which OTHERWISE must be true.
const mostlyShare = 0.9

// markOtherwise sets Otherwise of the rule without conditions in words that decides where no
// other rule's conditions hold, and only there, for most of the samples: it is strongest for
// most samples that meet the conditions of no rule, and most samples for which it is
// strongest are such. A rule that fires fully everywhere is not one: it always counts.
func markOtherwise(d *Description, m *model.Model, samples *data.Dataset, scaled [][]float64) {
	wordless := false
	for _, r := range d.Rules {
		wordless = wordless || len(r.Words) == 0
	}
	if !wordless || len(d.Rules) < 2 {
		return
	}
	left := 0                                                                    // samples that meet the conditions of no rule
	decided, decidedLeft := make([]int, len(d.Rules)), make([]int, len(d.Rules)) // samples for which each rule is strongest
	for start := 0; start < len(scaled); start += observeRows {
		block := scaled[start:min(start+observeRows, len(scaled))]
		for i, f := range m.RuleBase.FiringLevels(block, nil) {
			free := !d.anyMeets(samples.X[start+i], false)
			if free {
				left++
			}
			if r := strongestOf(f); r >= 0 {
				decided[r]++
				if free {
					decidedLeft[r]++
				}
			}
		}
	}
	mostly := func(some, all int) bool { return all > 0 && float64(some) >= mostlyShare*float64(all) }
	for r := range d.Rules {
		d.Rules[r].Otherwise = len(d.Rules[r].Words) == 0 && mostly(decidedLeft[r], left) && mostly(decidedLeft[r], decided[r])
	}
}

// anyMeets reports whether a sample meets the conditions of some rule; wordless: rules without conditions in words count.
func (d *Description) anyMeets(x []float64, wordless bool) bool {
	for i := range d.Rules {
		if r := &d.Rules[i]; (wordless || len(r.Words) > 0) && r.meets(x) {
			return true
		}
	}
	return false
}
