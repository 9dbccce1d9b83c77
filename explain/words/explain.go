package words

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/model"
)

// Explained is the explanation of a prediction for people.
type Explained struct {
	Row    int      `json:"row,omitempty"` // of the table, from 1
	Target string   `json:"target"`
	Unit   string   `json:"unit,omitempty"`
	Actual *float64 `json:"actual,omitempty"` // observed target; null if there is none
	Values []Cell   `json:"values"`           // the sample, by column

	// The mean prediction of the Background plus the contributions of all Columns is the
	// prediction up to rounding errors, or that without neighbours, Neighbours.Before.
	Background Background   `json:"background"`
	Columns    []ColumnPart `json:"columns"` // those used, the largest contribution first

	model.Explanation
	Rules      []ExplainedRule      `json:"rules,omitempty"` // those of the Explanation, in its order
	Neighbours *ExplainedNeighbours `json:"neighbours,omitempty"`

	Page *PageSum `json:"page,omitempty"` // of a model with a page

	LogOdds bool `json:"-"` // the target is the log odds of two classes

	spread  float64 // a quarter of the target's range, for rounding
	factors bool    // the target is a logarithm: amounts are printed as their exponentials
}

// Background describes the rows that a prediction is compared with, see [shapley.Attributor].
type Background struct {
	Rows int     `json:"rows"`
	Mean float64 `json:"mean"` // of their predictions
}

// ColumnPart is the contribution of a column to a prediction: its Shapley value, in the target's unit.
type ColumnPart struct {
	Column        string   `json:"column"`
	Contribution  float64  `json:"contribution"`
	StandardError *float64 `json:"standard_error,omitempty"` // of an estimate; nil: exact
}

// ExplainedRule is the part of a rule in a prediction, with its conditions in words; none for a model with components.
type ExplainedRule struct {
	model.RuleShare
	Words []Asked `json:"words,omitempty"`

	Response []float64 `json:"response,omitempty"` // [J] to the rule alone, in an ExplainedResponse
}

// Asked is a condition of a rule with its grade on a sample.
type Asked struct {
	Condition
	Met   bool    `json:"met"`   // whether the condition names the value, as printed; of a ramp whether it holds at all
	Grade float64 `json:"grade"` // as a share of its largest over the training values, at most 1
}

// Explain explains the prediction of a sample x by its columns, see [shapley.Attributor.Attribute], and by its rules, see
// [model.Model.Explain]. With the training part (nil: unknown) conditions have the borders that [ModelOn] prints.
func Explain(m *model.Model, x []float64, columns *shapley.Attributor, train *data.Dataset) (*Explained, error) {
	how, err := m.Explain(x)
	if err != nil {
		return nil, err
	}
	attributions, err := columns.Attribute(context.Background(), [][]float64{x})
	if err != nil {
		return nil, err
	}
	e := &Explained{Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Values: valuesOf(m, x), Explanation: *how}
	e.spread = (m.Target.Max - m.Target.Min) / 4
	e.Background.Rows, e.Background.Mean = columns.Background()
	e.Columns, e.Neighbours = columnParts(m, attributions[0]), explainedNeighbours(m, how.Neighbours)
	if m.Committee() {
		return e, nil
	}
	e.Page = sumOfPage(m, x)
	scaled, err := m.Scale([][]float64{x})
	if err != nil {
		return nil, err
	}
	var values [][]float64
	if train != nil {
		values = distinctValues(train)
	}
	words := map[int][]Condition{}
	described := paged
	if m.Pages == nil {
		described = func(m *model.Model) Description { return single(m, values) }
	}
	for _, r := range described(m).Rules {
		words[r.Number] = r.Words
	}
	pageRule := m.PageRule()
	for _, part := range how.Rules {
		r, of := ExplainedRule{RuleShare: part}, part.Rule
		if pageRule != nil {
			of = pageRule[0][part.Rule-1]
		}
		for _, c := range words[of] {
			r.Words = append(r.Words, Asked{c, c.cut.Has(x), c.gradeOf(m, x, scaled[0])})
		}
		e.Rules = append(e.Rules, r)
	}
	return e, nil
}

// columnParts returns the contributions of the used columns, the largest first.
func columnParts(m *model.Model, a shapley.Attribution) []ColumnPart {
	var parts []ColumnPart
	for i, c := range m.Schema.Columns {
		if c.Unused {
			continue
		}
		part := ColumnPart{Column: c.Name, Contribution: a.Values[i]}
		if a.Errors != nil {
			part.StandardError = &a.Errors[i]
		}
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b ColumnPart) int {
		return cmp.Compare(math.Abs(b.Contribution), math.Abs(a.Contribution))
	})
	return parts
}

// ExplainedResponse is the explanation of a response, see [model.Response], by the outputs of the rules.
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
			if one.Pages == nil { // the rules of a page are not those of all outputs
				how.Rules[i].Response = says[r.Rule]
			}
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
		first, second := e.leading()
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

// leading returns the most probable class and the second.
func (e *ExplainedResponse) leading() (first, second int) {
	order := likely(e.Predicted, len(e.Predicted), 0)
	return order[0], order[1]
}

// sayings returns the response [J] to each rule alone on a sample, by the number of the rule; none of a committee.
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

// ExplainedNeighbours is the part of the neighbours in a prediction.
type ExplainedNeighbours struct {
	model.Correction
	Rows []ExplainedNeighbour `json:"rows"` // those of the Correction
}

// ExplainedNeighbour is a stored row near a sample, with its values by column.
type ExplainedNeighbour struct {
	model.Neighbour
	Values []Cell `json:"values"`
}

// explainedNeighbours describes a correction; nil if there is none.
func explainedNeighbours(m *model.Model, c *model.Correction) *ExplainedNeighbours {
	if c == nil {
		return nil
	}
	e := &ExplainedNeighbours{Correction: *c, Rows: []ExplainedNeighbour{}}
	for _, row := range c.Rows {
		e.Rows = append(e.Rows, ExplainedNeighbour{row, valuesOf(m, row.X)})
	}
	return e
}
