package words

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/internal/base/digits"
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

	LogOdds bool `json:"-"` // the target is the log odds of two classes

	spread  float64 // a quarter of the target's range, for rounding
	factors bool    // the target is a logarithm: amounts are printed as their exponentials
}

// Background describes the rows that a prediction is compared with, see [shapley.Attributor].
type Background struct {
	Rows int     `json:"rows"`
	Mean float64 `json:"mean"` // of their predictions
}

// ColumnPart is the contribution of a column to a prediction: its Shapley value, in the target's
// unit.
type ColumnPart struct {
	Column        string   `json:"column"`
	Contribution  float64  `json:"contribution"`
	StandardError *float64 `json:"standard_error,omitempty"` // of an estimate; nil: exact
}

// ExplainedRule is the part of a rule in a prediction, with its conditions in words; none for
// a model with components.
type ExplainedRule struct {
	model.RuleShare
	Words []Asked `json:"words,omitempty"`

	Response []float64 `json:"response,omitempty"` // [J] to the rule alone, in an ExplainedResponse
}

// Asked is a condition of a rule with its grade on a sample.
type Asked struct {
	Condition
	Met   bool    `json:"met"`   // whether the condition names the value, as printed
	Grade float64 `json:"grade"` // as a share of its largest over the training values, at most 1
}

// Explain explains the prediction of a sample x by its columns, see
// [shapley.Attributor.Attribute], and by its rules, see [model.Model.Explain]. With the
// training part (nil: unknown) conditions have the borders that [ModelOn] prints.
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
	scaled, err := m.Scale([][]float64{x})
	if err != nil {
		return nil, err
	}
	var values [][]float64
	if train != nil {
		values = distinctValues(train)
	}
	words := map[int][]Condition{}
	for _, r := range single(m, values).Rules {
		words[r.Number] = r.Words
	}
	for _, part := range how.Rules {
		r := ExplainedRule{RuleShare: part}
		for _, c := range words[part.Rule] {
			r.Words = append(r.Words, Asked{c, c.cut.Has(x), min(1, c.grade(m.RuleBase.IfPart(scaled[0])))})
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

// Amount formats a value of the target, rounded by the range of the target.
func (e *Explained) Amount(v float64) string {
	if e.factors {
		v = math.Exp(v)
	}
	return near(v, e.spread/10)
}

// Change formats a difference of two values of the target with its sign; of a logarithm as a factor.
func (e *Explained) Change(v float64) string {
	if e.factors {
		return "times " + digits.Show(math.Exp(v), 4)
	}
	return signed(v, e.spread/10)
}

// StandardError formats the standard error of a contribution; of a logarithm as a factor.
func (e *Explained) StandardError(v float64) string {
	if e.factors {
		return e.Change(v)
	}
	return near(v, e.spread/10)
}

// Exact reports whether a standard error is zero in the digits of [Explained.StandardError], as that of a column whose effect is the same
// whatever the others are.
func (e *Explained) Exact(se float64) bool { return e.StandardError(se) == e.StandardError(0) }

// Factors reports whether the explanation is a product, of a target that is a logarithm.
func (e *Explained) Factors() bool { return e.factors }
