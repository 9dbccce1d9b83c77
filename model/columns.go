package model

import (
	"errors"
	"fmt"
	"strconv"
)

// TableOptions control how [Model.PredictTable] reads a table and which columns it adds
// besides the predictions.
type TableOptions struct {
	Delimiter string  // auto (default), comma, semicolon or tab
	Spread    bool    // add the standard deviation over the members of a committee
	Interval  float64 // add the bounds of the prediction interval of this level; 0: none
	Explain   int     // add this many rules with the largest shares, and their contributions; see Explanation
	Strict    bool    // a missing cell or unknown category is an error; otherwise it is filled in, see Preprocessing.Fill, and counted
	SafeCells bool    // neutralise cells and names that a spreadsheet would evaluate as a formula, see [data.SafeCell]
}

// Columns returns the names of the columns that predicting adds to a table, in order. For
// a target y these are y_predicted, y_spread, y_lower, y_upper, y_rule_1, y_share_1,
// y_contribution_1, and so on. It is an error to request the spread of a single model, the
// rules of a committee, more rules than the model has, or an interval for which
// [Model.HalfWidth] returns an error.
func (o TableOptions) Columns(m *Model) ([]string, error) {
	names := []string{m.Schema.Target + "_predicted"}
	if o.Spread {
		if !m.Committee() {
			return nil, errors.New("model: only a committee has a spread, and this is a single model: train with train.members, such as 5")
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
		return nil, errors.New("model: cannot explain a committee by rules: only its members have rules")
	case o.Explain < 0 || o.Explain > 0 && o.Explain > m.RuleBase.Rules():
		return nil, fmt.Errorf("model: cannot explain by %d rules: the model has %d", o.Explain, m.RuleBase.Rules())
	}
	for k := range o.Explain {
		for _, what := range []string{"_rule_", "_share_", "_contribution_"} {
			names = append(names, m.Schema.Target+what+strconv.Itoa(k+1))
		}
	}
	return names, nil
}

// appendCells appends the cells of sample i, in the order of Columns, each preceded by a
// delimiter. The cell of a rule that does not fire is empty.
func (o TableOptions) appendCells(out []byte, delimiter byte, m *Model, p Predictions, i int, explained []*Explanation) []byte {
	cell := func(v float64) {
		out = strconv.AppendFloat(append(out, delimiter), v, 'g', -1, 64)
	}
	cell(p.Values[i])
	if o.Spread {
		cell(p.Spread[i])
	}
	if o.Interval != 0 {
		half, _ := m.HalfWidth(o.Interval) // Columns checked the level
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
