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
		if r == nil {
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
	switch {
	case r == nil || r.Link == logLink:
		l.RMSE = numeric.OrNil(o.errors[0])
	case !numeric.Finite(o.errors...):
	case r.Classes != nil:
		l.Accuracy = numeric.OrNil(1 - float64(o.errors[0]*o.errors[0]))
	case r.Quantiles != nil:
		l.Coverage = numeric.OrNil(1 - float64(o.errors[0]*o.errors[0]))
	default:
		l.RMSEs = o.errors
	}
	return l
}

// judge returns the errors of the prediction of sample n: of each target, or one if the class is
// wrong or the target outside the quantiles, else zero.
func judge(r *Response, p model.Predictions, samples *data.Dataset, n int) []float64 {
	y := samples.Y[n]
	missed := func(is bool) []float64 {
		if is {
			return []float64{1}
		}
		return []float64{0}
	}
	switch {
	case r == nil || r.Link == logLink:
		return []float64{p.Values[n] - y}
	case r.Classes != nil:
		return missed(p.Values[n] != y)
	case r.Quantiles != nil:
		response := responseOf(r, p, n)
		return missed(y < response[0] || y > response[len(response)-1])
	}
	errors := []float64{p.Outputs[0][n] - y}
	for c, other := range samples.Others {
		errors = append(errors, p.Outputs[c+1][n]-other[n])
	}
	return errors
}

// responseOf returns the response [J] that is predicted for sample n; nil without a response.
func responseOf(r *Response, p model.Predictions, n int) []float64 {
	if r == nil {
		return nil
	}
	if p.Outputs == nil {
		return []float64{p.Values[n]}
	}
	values := make([]float64, len(p.Outputs))
	for j := range values {
		values[j] = p.Outputs[j][n]
	}
	return values
}

// saying evaluates what each rule says alone: its THEN formula or, with a response, the response
// to it.
type saying struct {
	m       *model.Model
	linked  bool
	outputs []float64 // [C R]
	y, says []float64 // [C], [R J]
}

func newSaying(m *model.Model, r *Response) *saying {
	R, J := m.RuleBase.Rules(), 1
	if r != nil {
		J = len(r.Values)
	}
	return &saying{m: m, linked: r != nil, outputs: make([]float64, m.OutputCount()*R), y: make([]float64, m.OutputCount()), says: make([]float64, R*J)}
}

// at evaluates the rules on a scaled sample.
func (s *saying) at(scaled []float64) error {
	s.m.RuleBase.Outputs(s.outputs, scaled)
	for r := range s.m.RuleBase.Rules() {
		if !s.linked {
			s.says[r] = s.m.Target.Mean + float64(s.m.Target.Scaling()*s.outputs[r])
			continue
		}
		for c := range s.y {
			s.y[c] = s.outputs[c*s.m.RuleBase.Rules()+r]
		}
		if err := s.m.Respond(s.of(r), s.y); err != nil {
			return err
		}
	}
	return nil
}

// of returns what rule r says.
func (s *saying) of(r int) []float64 {
	J := len(s.says) / s.m.RuleBase.Rules()
	return s.says[r*J : (r+1)*J]
}
