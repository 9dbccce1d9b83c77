package words

import (
	"github.com/tskgraph/tskgraph/data"
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

	target  string
	phrases // of its kind
}

// IsZero reports whether the response is one number, the output of the rules itself, which JSON leaves out.
func (r *Response) IsZero() bool { return r.phrases == phrases(oneNumber{r}) }

// phrases are what the kinds of response are said with, see [model.Response].
type phrases interface {
	mean(d Description) string    // subject and verb of a sentence that says that the outputs are means
	meaning(d Description) string // a line on how the response follows from the outputs; empty if it is these
	byHand(d Description) string  // how the response follows from the rules
	own() bool                    // the outputs are the values, in their units
	shown(means []float64) []int  // the outputs that the words of a rule have formulas of
	committee() string            // what the members of a committee predict

	summary(values []float64) string             // the response, such as "species is versicolor (87%) or virginica (12%)"
	brief(values []float64) string               // without names of targets, such as "versicolor (87%) or virginica (12%)"
	predicted(values []float64) string           // a prediction
	observed(d Description, e *Example) []string // the targets of a sample, and what is predicted of them

	// judge returns the errors of the prediction of sample n: of each target, or one if the class is wrong or the target
	// outside the quantiles, else zero. found sets what their root mean squares say of a rule.
	judge(p model.Predictions, samples *data.Dataset, n int) []float64
	found(l *Local, errors []float64)
}

// Value is a value of a response: a target, a quantile, or the probability of a class.
type Value struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`

	spread    float64 // for rounding, see Description
	uncovered float64 // for a sample that no rule covers
	low, high float64 // limits
}

// newResponse returns the response of a model without its Outputs.
func newResponse(m *model.Model) *Response {
	r := &Response{target: m.Schema.Target, Link: m.Link(), Quantiles: m.Response.Quantiles, Classes: m.Schema.Classes}
	for _, v := range m.Values() {
		low, high := v.Limits()
		one := Value{v.Short, v.Unit, (v.Max - v.Min) / 4, v.Uncovered, low, high}
		if v.Level != 0 {
			one.Name = v.Title
		}
		r.Values = append(r.Values, one)
	}
	one := oneNumber{r}
	r.phrases = map[string]phrases{"number": one, "targets": targets{one}, "quantiles": quantiles{one}, "count": counts{one},
		"classes": classes{one}, "two classes": twoClasses{classes{one}}}[m.Words().Kind]
	return r
}

// percentage formats the level of a quantile, such as "2.5%".
func percentage(level float64) string { return plainly(float64(100*level), 4) + "%" }

// addOutputs adds the response of a model and its outputs to its description, and to each rule what it says of
// each output.
func (d *Description) addOutputs(m *model.Model, columns []group) {
	d.Response = newResponse(m)
	m = relative(m)
	for c := range m.OutputCount() {
		d.addThen(m.Output(c), columns)
	}
	d.Response.Outputs = d.of
}

// OutputModel returns the model of output c of the rules on the scale of the link, as they are
// described, see [model.Model.Output]. A model of one number is returned as it is.
func OutputModel(m *model.Model, c int) *model.Model { return relative(m).Output(c) }

// relative returns the model with the scores of the classes relative to their mean over the
// classes; any other model, and a rounded one, as it is.
func relative(m *model.Model) *model.Model {
	if m.Link() != "softmax" || isRounded(m) {
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
