package page

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// typicalRow is the row from which the viewer starts, see [data.Dataset.Medoid].
type typicalRow struct {
	Row  int    `json:"row"` // number in the table, from 1
	Data string `json:"data"`
}

// support says where rows are, for surfaces that end far from them: of a sample of the rows, the position of each column of numbers as a
// letter, from A on. It is the index of the value in the column's values or, without them, the step on the axis of its histogram; a space
// is a missing value or one beyond the axis.
type support struct {
	Steps   int               `json:"steps"`
	Rows    int               `json:"rows"`
	Columns map[string]string `json:"columns"` // by name
}

// Limits of the support.
const (
	supportSteps = 41
	supportRows  = 2000
	supportCells = 60e3
)

// supportOf returns where the rows x are.
func (c *content) supportOf(x [][]float64) support {
	s := support{Steps: supportSteps, Columns: map[string]string{}}
	rows := numeric.Some(len(x), min(supportRows, max(200, supportCells/max(1, len(c.Columns)))))
	s.Rows = len(rows)
	for _, col := range c.Columns {
		if col.Levels != nil || col.Unused {
			continue
		}
		letters, axis := make([]byte, len(rows)), c.Features[col.Feature].Histogram
		for k, i := range rows {
			letters[k] = ' '
			if at := col.position(x[i][col.Feature], axis); at >= 0 {
				letters[k] = byte('A' + at)
			}
		}
		s.Columns[col.Name] = string(letters)
	}
	return s
}

// position returns the position of a value of the column; -1 if it has none.
func (c inputColumn) position(v float64, axis *numeric.Bins) int {
	if c.Values != nil {
		return slices.Index(c.Values, v)
	}
	if axis == nil || !(v >= axis.From && v <= axis.To) {
		return -1
	}
	return min(supportSteps-1, int((v-axis.From)/(axis.To-axis.From)*supportSteps))
}
