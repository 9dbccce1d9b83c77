package model

import (
	"errors"
	"fmt"
	"strconv"
)

// TableOptions say how [Model.PredictTable] reads a table, and what it adds beside
// the predictions.
type TableOptions struct {
	Delimiter string  // auto (default), comma, semicolon or tab
	Spread    bool    // the members' standard deviation, of a committee
	Interval  float64 // the bounds of the prediction interval of this level; 0: none
	Explain   int     // how many rules, those that fire most, with their shares and contributions; see Explanation
	Strict    bool    // a missing cell, or a category that the model does not know, is an error; else it is filled in, see Preprocessing.Fill, and counted
	SafeCells bool    // cells and names that a spreadsheet would take for a formula are made harmless, see [data.SafeCell]
}

// Columns returns the columns that predicting adds to a table, in order, for a
// target y: y_predicted, y_spread, y_lower, y_upper, y_rule_1, y_share_1,
// y_contribution_1, and so on. A spread is refused of a single model, an interval as
// [Model.HalfWidth] refuses it, rules of a committee, and more rules than there are.
func (o TableOptions) Columns(m *Model) ([]string, error) {
	names := []string{m.Schema.Target + "_predicted"}
	if o.Spread {
		if !m.Committee() {
			return nil, errors.New("model: the spread is that of a committee's members, and this is a single model: train with train.members, such as 5")
		}
		names = append(names, m.Schema.Target+"_spread")
	}
	if o.Interval != 0 {
		if _, err := m.HalfWidth(o.Interval); err != nil {
			return nil, err
		}
		names = append(names, m.Schema.Target+"_lower", m.Schema.Target+"_upper")
	}
	switch {
	case o.Explain != 0 && m.Committee():
		return nil, errors.New("model: a committee has no rules of its own to explain by, its members have")
	case o.Explain < 0 || o.Explain > 0 && o.Explain > m.RuleBase.Rules():
		return nil, fmt.Errorf("model: %d rules to explain by: there are %d", o.Explain, m.RuleBase.Rules())
	}
	for k := range o.Explain {
		for _, what := range []string{"_rule_", "_share_", "_contribution_"} {
			names = append(names, m.Schema.Target+what+strconv.Itoa(k+1))
		}
	}
	return names, nil
}

// appendCells appends the cells of sample i, in the order of Columns, each after a
// delimiter. A rule that does not fire has no number.
func (o TableOptions) appendCells(out []byte, delimiter byte, m *Model, p Predictions, i int, explained []*Explanation) []byte {
	cell := func(v float64) {
		out = strconv.AppendFloat(append(out, delimiter), v, 'g', -1, 64)
	}
	cell(p.Values[i])
	if o.Spread {
		cell(p.Spread[i])
	}
	if o.Interval != 0 {
		half, _ := m.HalfWidth(o.Interval) // Columns saw to it
		cell(p.Values[i] - half)
		cell(p.Values[i] + half)
	}
	for k := range o.Explain {
		r := explained[i].Rules[k]
		if out = append(out, delimiter); r.Share != 0 {
			out = strconv.AppendInt(out, int64(r.Rule), 10)
		}
		cell(r.Share)
		cell(r.Contribution)
	}
	return out
}
