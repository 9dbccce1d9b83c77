package words

import (
	"github.com/tskgraph/tskgraph/model"
)

// Response says what the C outputs of the rules become: J values of several targets, of
// quantiles, of a positive number or of the probabilities of classes, see [model.Response].
type Response struct {
	Link      string    `json:"link"`
	Values    []Value   `json:"values"`              // [J]
	Quantiles []float64 `json:"quantiles,omitempty"` // [J] levels
	Classes   []string  `json:"classes,omitempty"`   // [J]
	Outputs   []Output  `json:"outputs,omitempty"`   // [C], none for a committee
}

// Value is a value of a response: a target, a quantile, or the probability of a class.
type Value struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`

	spread    float64 // for rounding, see Description
	uncovered float64 // for a sample that no rule covers
	low, high float64 // limits
}

// Names of links, see package loss.
const (
	identityLink = "identity"
	orderedLink  = "ordered"
	logLink      = "log"
	logitLink    = "logit"
	softmaxLink  = "softmax"
)

// newResponse returns the response of a model without its Outputs; nil for one target by the
// identity link.
func newResponse(m *model.Model) *Response {
	if m.Response == nil {
		return nil
	}
	r := &Response{Link: m.Link(), Quantiles: m.Response.Quantiles, Classes: m.Schema.Classes}
	switch {
	case r.Classes != nil:
		for _, c := range m.Response.Classes {
			r.Values = append(r.Values, Value{Name: c.Name, uncovered: c.Share, high: 1})
		}
	case r.Link == orderedLink:
		for k, q := range r.Quantiles {
			r.Values = append(r.Values, newValue(quantileName(q)+" of "+m.Schema.Target, m.Schema.TargetUnit, m.Target))
			r.Values[k].uncovered = m.Response.TrainingQuantiles[k]
		}
	case r.Link == logLink:
		r.Values = []Value{newValue(m.Schema.Target, m.Schema.TargetUnit, m.Target)}
	default:
		for c := range m.Response.Targets {
			one := m.Output(c)
			r.Values = append(r.Values, newValue(one.Schema.Target, one.Schema.TargetUnit, one.Target))
		}
	}
	return r
}

// newValue returns a value in the unit of a target.
func newValue(name, unit string, t model.Target) Value {
	low, high := t.Limits()
	return Value{Name: name, Unit: unit, spread: (t.Max - t.Min) / 4, uncovered: t.Mean, low: low, high: high}
}

// quantileName returns the name of a quantile, such as "5% quantile".
func quantileName(level float64) string {
	if level == 0.5 {
		return "median"
	}
	return percentage(level) + " quantile"
}

// percentage formats the level of a quantile, such as "2.5%".
func percentage(level float64) string { return plainly(float64(100*level), 4) + "%" }

// outputName returns the name of output c.
func (r *Response) outputName(c int, target string) string {
	switch r.Link {
	case logLink:
		return "log(" + target + ")"
	case logitLink:
		return "log odds of " + r.Classes[1]
	case softmaxLink:
		return "score of " + r.Classes[c]
	}
	return r.Values[c].Name
}

// addOutputs adds the response of a model and its outputs to its description, and to each rule what it says of
// each output.
func (d *Description) addOutputs(m *model.Model, columns []group) {
	d.Response = newResponse(m)
	if d.Response == nil {
		d.addThen(m, columns, false)
		return
	}
	m = relative(m)
	for c := range m.OutputCount() {
		d.addThen(outputOf(m, c, d.Response), columns, d.Response.Link == logLink)
	}
	d.Response.Outputs = d.of
}

// OutputModel returns the model of output c of the rules on the scale of the link, as they are
// described, with the name of the output as its target, see [model.Model.Output]. A model
// without a response is returned as it is.
func OutputModel(m *model.Model, c int) *model.Model {
	if m.Response == nil {
		return m
	}
	return outputOf(relative(m), c, newResponse(m))
}

// outputOf returns the model of output c with its name as the target. Scores have no unit.
func outputOf(m *model.Model, c int, r *Response) *model.Model {
	one := *m.Output(c)
	one.Schema.Target = r.outputName(c, m.Schema.Target)
	if r.Classes != nil {
		one.Schema.TargetUnit = ""
	}
	return &one
}

// relative returns the model with the scores of the classes relative to their mean over the
// classes; any other model, and a rounded one, as it is.
func relative(m *model.Model) *model.Model {
	if m.Link() != softmaxLink || isRounded(m) {
		return m
	}
	one := *m
	one.Members = nil
	for _, member := range m.Members {
		one.Members = append(one.Members, relative(member))
	}
	if m.RuleBase == nil {
		return &one
	}
	one.RuleBase = m.RuleBase.Clone()
	C := m.OutputCount()
	for _, w := range one.RuleBase.Consequents {
		centre(C, len(w)/C, func(c, i int) *float64 { return &w[c*(len(w)/C)+i] })
	}
	if v := one.RuleBase.Curves; v != nil {
		for k := range len(v) / C {
			centre(C, len(v[k]), func(c, i int) *float64 { return &v[c*(len(v)/C)+k][i] })
		}
	}
	return &one
}

// centre subtracts from n numbers of each of C outputs the mean over the outputs.
func centre(C, n int, at func(c, i int) *float64) {
	for i := range n {
		mean := 0.0
		for c := range C {
			mean += *at(c, i) / float64(C)
		}
		for c := range C {
			*at(c, i) -= mean
		}
	}
}
