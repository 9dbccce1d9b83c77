package model

import (
	"errors"
	"strconv"
)

// Columns says what predicting a table adds to it, beside the predictions
// themselves.
type Columns struct {
	Spread   bool    // the members' standard deviation, of a committee
	Interval float64 // the bounds of the prediction interval of this level; 0: none
}

// Names returns the columns that predicting adds to a table, in order, for a target
// y: y_predicted, y_spread, y_lower, y_upper. A spread is refused of a single model,
// an interval as [Model.HalfWidth] refuses it.
func (c Columns) Names(m *Model) ([]string, error) {
	names := []string{m.Schema.Target + "_predicted"}
	if c.Spread {
		if !m.Committee() {
			return nil, errors.New("model: the spread is that of a committee's members, and this is a single model: train with train.members, such as 5")
		}
		names = append(names, m.Schema.Target+"_spread")
	}
	if c.Interval != 0 {
		if _, err := m.HalfWidth(c.Interval); err != nil {
			return nil, err
		}
		names = append(names, m.Schema.Target+"_lower", m.Schema.Target+"_upper")
	}
	return names, nil
}

// AppendCells appends the cells of sample i to a record, in the order of Names,
// which must have accepted the columns.
func (c Columns) AppendCells(record []string, m *Model, p Predictions, i int) []string {
	cell := func(v float64) { record = append(record, strconv.FormatFloat(v, 'g', -1, 64)) }
	cell(p.Values[i])
	if c.Spread {
		cell(p.Spread[i])
	}
	if c.Interval != 0 {
		half, _ := m.HalfWidth(c.Interval) // Names saw to it
		cell(p.Values[i] - half)
		cell(p.Values[i] + half)
	}
	return record
}
