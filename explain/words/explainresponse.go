package words

import (
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/model"
)

// ExplainedResponse is the explanation of a response, see [model.Response], by the outputs of the
// rules.
type ExplainedResponse struct {
	Row       int       `json:"row,omitempty"` // of the table, from 1
	Target    string    `json:"target"`
	Actual    []string  `json:"actual,omitempty"` // cells of the targets in the table; empty: there is none
	Response  *Response `json:"response"`         // without Outputs
	Predicted []float64 `json:"predicted"`        // [J]
	Uncovered bool      `json:"uncovered,omitempty"`

	// Outputs [C] explain the outputs of the rules, each as a sum on the scale of the link. That of a
	// committee is the mean over the members, while its response is the mean of their responses.
	Outputs []*Explained `json:"outputs"`

	// Contrast explains, of classes, the log odds of the most probable class against the second.
	Contrast *Explained `json:"contrast,omitempty"`

	Committee bool `json:"-"`
}

// ExplainResponse explains the prediction of a sample x by a model with a response: each output of
// its rules as Explain does, compared with the rows of background, see [shapley.New].
func ExplainResponse(m *model.Model, x []float64, background, train *data.Dataset) (*ExplainedResponse, error) {
	p, err := m.Predict([][]float64{x})
	if err != nil {
		return nil, err
	}
	e := &ExplainedResponse{Target: m.Schema.Target, Response: newResponse(m), Uncovered: p.Uncovered > 0, Committee: m.Committee()}
	e.Predicted = responseOf(p, 0)
	says, err := sayings(m, e.Response, x)
	if err != nil {
		return nil, err
	}
	explain := func(one *model.Model) (*Explained, error) {
		columns, err := shapley.New(one, background, m.Training.Seed)
		if err != nil {
			return nil, err
		}
		how, err := Explain(one, x, columns, train)
		if err != nil {
			return nil, err
		}
		for i, r := range how.Rules {
			how.Rules[i].Response = says[r.Rule]
		}
		if e.Response.Link == "log" {
			how.factors, how.spread = true, e.Response.Values[0].spread
		}
		return how, nil
	}
	for c := range m.OutputCount() {
		one, err := explain(OutputModel(m, c))
		if err != nil {
			return nil, err
		}
		e.Outputs = append(e.Outputs, one)
	}
	if e.Response.Classes != nil {
		first, second := e.Leading()
		between := contrast(m, first, second)
		between.Schema.Target = "log odds of " + e.Response.Classes[first] + " against " + e.Response.Classes[second]
		between.Schema.TargetUnit = ""
		e.Contrast, err = explain(between)
		if err == nil {
			e.Contrast.LogOdds = true
		}
	}
	return e, err
}

// Leading returns the most probable class and the second.
func (e *ExplainedResponse) Leading() (first, second int) {
	order := likely(e.Predicted, len(e.Predicted), 0)
	return order[0], order[1]
}

// Summary returns the prediction in words.
func (e *ExplainedResponse) Summary() string {
	return e.Response.predicted(e.Predicted)
}

// Says returns the response to a rule alone in words.
func (e *ExplainedResponse) Says(r ExplainedRule) string { return e.Response.brief(r.Response) }

// sayings returns the response [J] to each rule alone on a sample, by the number of the rule; none
// of a committee.
func sayings(m *model.Model, r *Response, x []float64) (map[int][]float64, error) {
	if m.Committee() {
		return nil, nil
	}
	scaled, err := m.Scale([][]float64{x})
	if err != nil {
		return nil, err
	}
	says, err := newSaying(m, r)
	if err != nil {
		return nil, err
	}
	says.at(scaled[0])
	all := map[int][]float64{}
	for i := range m.RuleBase.Rules() {
		all[i+1] = says.of(i)
	}
	return all, nil
}

// contrast returns the model of the log odds of class a against class b.
func contrast(m *model.Model, a, b int) *model.Model {
	factors := make([]float64, m.OutputCount())
	switch {
	case len(factors) == 1 && a == 1:
		factors[0] = 1
	case len(factors) == 1:
		factors[0] = -1
	default:
		factors[a], factors[b] = 1, -1
	}
	return combination(m, factors)
}

// combination returns the model of the sum of the outputs, all of mean zero, times factors [C].
func combination(m *model.Model, factors []float64) *model.Model {
	sum := *m.Output(0)
	sum.Members = nil
	for _, member := range m.Members {
		sum.Members = append(sum.Members, combination(member, factors))
	}
	if m.RuleBase == nil {
		return &sum
	}
	sum.RuleBase = sum.RuleBase.Clone()
	add := func(dst, v []float64, factor float64) {
		for i := range v {
			dst[i] += float64(factor * v[i])
		}
	}
	for _, rows := range [][][]float64{sum.RuleBase.Consequents, sum.RuleBase.Curves} {
		for _, row := range rows {
			clear(row)
		}
	}
	for c, factor := range factors {
		of := m.RuleBase.Output(c)
		for r, w := range of.Consequents {
			add(sum.RuleBase.Consequents[r], w, factor)
		}
		for k, v := range of.Curves {
			add(sum.RuleBase.Curves[k], v, factor)
		}
	}
	return &sum
}
