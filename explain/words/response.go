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

// Output is an output of the rules on the scale of the link: the mean of what the rules say of
// it is the argument of the link. Scores of classes are relative to their mean over the
// classes, which has no effect on the probabilities, unless the model was rounded.
type Output struct {
	Name   string  `json:"name"` // such as "log odds of versicolor"
	Unit   string  `json:"unit,omitempty"`
	Curves *Curves `json:"curves,omitempty"` // that the rules add to their formulas of this output

	view Description // of the output alone, without rules
}

// Said is what a rule says of an output.
type Said struct {
	Output string     `json:"output"`
	Then   Consequent `json:"then"`
	Terms  []Term     `json:"terms,omitempty"` // of the THEN part, the largest effect first
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

// addOutputs adds the response of a model to its description, and to each rule what it says of
// each output.
func addOutputs(d *Description, m *model.Model, columns []group) {
	d.Response = newResponse(m)
	m = relative(m)
	for c := range m.OutputCount() {
		one := outputOf(m, c, d.Response)
		view := Description{Target: one.Schema.Target, Unit: one.Schema.TargetUnit, complete: d.complete, Rules: make([]Rule, len(d.Rules))}
		view.spread, view.factors = (one.Target.Max-one.Target.Min)/4, d.Response.Link == logLink
		addThen(&view, one, columns)
		if d.complete {
			complete(&view)
		}
		for r, rule := range view.Rules {
			d.Rules[r].Outputs = append(d.Rules[r].Outputs, Said{view.Target, rule.Then, rule.Terms})
		}
		view.Rules = nil
		d.Response.Outputs = append(d.Response.Outputs, Output{view.Target, view.Unit, view.Curves, view})
	}
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

// said is a rule with what it says of one output, and the description of this output.
type said struct {
	of   Description
	rule Rule
}

// outputs returns what a rule of d says of each output.
func outputs(d Description, r Rule) []said {
	if d.Response == nil {
		return []said{{d, r}}
	}
	var all []said
	for c, s := range r.Outputs {
		one := r
		one.Then, one.Terms, one.Outputs, one.Local = s.Then, s.Terms, nil, nil
		all = append(all, said{d.Response.Outputs[c].view, one})
	}
	return all
}

// views returns a description for each output, without rules; d itself without a response.
func views(d Description) []Description {
	if d.Response == nil {
		return []Description{d}
	}
	var all []Description
	for _, o := range d.Response.Outputs {
		all = append(all, o.view)
	}
	return all
}
