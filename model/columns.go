package model

import (
	"errors"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
)

// TableOptions control how [Model.PredictTable] reads a table and which columns it adds
// besides the predictions.
type TableOptions struct {
	Delimiter string    // auto (default), comma, semicolon or tab
	Spread    bool      // add the standard deviation over the members of a committee
	Interval  float64   // add the bounds of the prediction interval of this level; 0: none
	Explain   Explainer // add its columns; nil: none
	Firing    bool      // add the normalised firing level of every rule and what it says; see Columns
	Strict    bool      // a missing cell or unknown category is an error; otherwise it is filled in, see Preprocessing.Fill, and counted
	SafeCells bool      // neutralise cells and names that a spreadsheet would evaluate as a formula, see [data.SafeCell]
}

// Explainer adds columns that explain predictions, as shapley.Attributor does. Several
// goroutines use it.
type Explainer interface {
	// TableColumns returns the names [K] of the columns.
	TableColumns() []string

	// TableCells returns the cells [N][K] of samples x [N][M]. A sample that cannot be
	// explained is a *SampleError.
	TableCells(x [][]float64) ([][]float64, error)
}

// Columns returns the names of the columns that predicting adds to a table, in order. For
// a target y these are y_predicted, y_spread, y_lower, y_upper, those of Explain, then, for
// every rule k in the order of the model file, firing_k, its normalised firing level, and
// rule_k, the value of its THEN formula in the target's unit without the limits of
// predictions, and, if the model has neighbours, y_neighbours, by how much they change the
// prediction. It is an error to request the spread of a single model, the rules of a
// committee, or an interval for which [Model.HalfWidth] returns an error.
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
	if o.Firing && m.Committee() {
		return nil, errors.New("model: cannot add the firing of a committee's rules: only its members have rules, each its own")
	}
	if o.Explain != nil {
		names = append(names, o.Explain.TableColumns()...)
	}
	if o.Firing {
		for k := range m.RuleBase.Rules() {
			names = append(names, "firing_"+strconv.Itoa(k+1), "rule_"+strconv.Itoa(k+1))
		}
		if m.Neighbours != nil {
			names = append(names, m.Schema.Target+"_neighbours")
		}
	}
	return names, nil
}

// appendCells appends the cells of sample i of a piece, in the order of Columns, each
// preceded by a delimiter.
func (o TableOptions) appendCells(out []byte, delimiter byte, m *Model, p *piece, i int) []byte {
	cell := func(v float64) {
		if out = append(out, delimiter); o.SafeCells && !numeric.Finite(v) {
			out = append(out, data.SafeCell(strconv.FormatFloat(v, 'g', -1, 64))...) // a spreadsheet reads +Inf as a formula
			return
		}
		out = strconv.AppendFloat(out, v, 'g', -1, 64)
	}
	value := p.predicted.Values[i]
	cell(value)
	if o.Spread {
		cell(p.predicted.Spread[i])
	}
	if o.Interval != 0 {
		half, _ := m.HalfWidth(o.Interval) // Columns checked the level
		cell(value - half)
		cell(value + half)
	}
	if o.Explain != nil {
		for _, v := range p.explained[i] {
			cell(v)
		}
	}
	if o.Firing {
		for r, level := range p.fired.levels[i] {
			cell(level)
			cell(p.fired.says[i][r])
		}
		if m.Neighbours != nil {
			cell(value - p.fired.values[0][i])
		}
	}
	return out
}
