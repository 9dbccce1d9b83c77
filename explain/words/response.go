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
	if m.Number() {
		return nil
	}
	r := &Response{Link: m.Link(), Quantiles: m.Response.Quantiles, Classes: m.Schema.Classes}
	for _, v := range m.Values() {
		low, high := v.Limits()
		one := Value{Name: v.Title, Unit: v.Unit, spread: (v.Max - v.Min) / 4, uncovered: v.Uncovered, low: low, high: high}
		if r.Classes != nil {
			one.Name = v.Name
		}
		r.Values = append(r.Values, one)
	}
	return r
}

// percentage formats the level of a quantile, such as "2.5%".
func percentage(level float64) string { return plainly(float64(100*level), 4) + "%" }

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
		d.addThen(m.Output(c), columns, d.Response.Link == logLink)
	}
	d.Response.Outputs = d.of
}

// OutputModel returns the model of output c of the rules on the scale of the link, as they are
// described, see [model.Model.Output]. A model of one number is returned as it is.
func OutputModel(m *model.Model, c int) *model.Model { return relative(m).Output(c) }

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
