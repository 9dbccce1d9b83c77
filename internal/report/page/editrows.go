package page

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
)

// editRows are rows on which the error is measured, by column of the schema's features; null: missing.
type editRows struct {
	X       [][]*float64 `json:"x"` // [M][N]
	Y       [][]float64  `json:"y"` // [targets][N]
	Weights []float64    `json:"weights,omitempty"`
}

const (
	maxEditRows  = 2000
	maxEditCells = 40e3 // of these rows, but at least 20 rows
)

// newEditRows returns a sample of the rows of a data set.
func newEditRows(d *data.Dataset) *editRows {
	chosen := some(d.Len(), min(maxEditRows, max(20, maxEditCells/len(d.X[0]))))
	e := &editRows{X: make([][]*float64, len(d.X[0])), Y: make([][]float64, 1+len(d.Others))}
	for _, n := range chosen {
		for m, v := range d.X[n] {
			var cell *float64
			if !math.IsNaN(v) {
				cell = &d.X[n][m]
			}
			e.X[m] = append(e.X[m], cell)
		}
		for c := range e.Y {
			e.Y[c] = append(e.Y[c], d.Target(c).Y[n])
		}
		if d.Weights != nil {
			e.Weights = append(e.Weights, d.Weights[n])
		}
	}
	return e
}

// label is what the tab says of the rows.
func (r *editRows) label(of int, name string) string {
	if n := len(r.Y[0]); n < of {
		return fmt.Sprintf("%d rows of %s, drawn at random from %d", n, name, of)
	}
	return fmt.Sprintf("all %d rows of %s", of, name)
}
