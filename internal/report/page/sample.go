package page

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Limits of the size of a page.
const (
	maxPoints = 2000 // in scatter plots
	maxRows   = 200  // embedded rows of the data, for the viewer and for averages
	maxCells  = 10e3 // of these rows, but at least 20 rows
)

// sampleRows is a sample of the rows of the data.
type sampleRows struct {
	Rows    []int        `json:"rows"`    // number in the table, from 1
	Values  [][]*float64 `json:"values"`  // [rows][features]; null: missing
	Targets [][]float64  `json:"targets"` // [targets][rows] the targets observed, or the indices of the classes
	Of      int          `json:"of"`      // number of rows in all
}

// points are observed targets and their predictions; none for classes.
type points struct {
	Rows      []int       `json:"rows"`
	Observed  [][]float64 `json:"observed"`  // [J][rows]
	Predicted [][]float64 `json:"predicted"` // [J][rows]
	Of        int         `json:"of"`
}

// some returns a sample of at most k of n indices, ascending and always the same.
func some(n, k int) []int {
	chosen := rand.New(rand.NewPCG(1, 2)).Perm(n)
	chosen = chosen[:min(n, k)]
	slices.Sort(chosen)
	return chosen
}

// rowNumber returns the number of a sample in its table, from 1.
func rowNumber(d *data.Dataset, i int) int {
	if d.Rows == nil {
		return i + 1
	}
	return d.Rows[i]
}

// shown returns the indices of the rows that the page shows.
func shown(d *data.Dataset) []int {
	return some(d.Len(), min(maxRows, max(20, maxCells/len(d.X[0]))))
}

func sampleOf(d *data.Dataset) sampleRows {
	s := sampleRows{Of: d.Len(), Targets: make([][]float64, 1+len(d.Others))}
	for _, i := range shown(d) {
		values := make([]*float64, len(d.X[i]))
		for m := range values {
			if !math.IsNaN(d.X[i][m]) {
				values[m] = &d.X[i][m]
			}
		}
		s.Rows, s.Values = append(s.Rows, rowNumber(d, i)), append(s.Values, values)
		for c := range s.Targets {
			s.Targets[c] = append(s.Targets[c], d.Target(c).Y[i])
		}
	}
	return s
}

func pointsOf(m *model.Model, d *data.Dataset, predicted model.Predictions) points {
	p := points{Of: d.Len()}
	if m.Schema.Classes != nil {
		return p
	}
	outputs := predicted.Outputs
	if outputs == nil {
		outputs = [][]float64{predicted.Values}
	}
	chosen := some(d.Len(), maxPoints)
	for _, i := range chosen {
		p.Rows = append(p.Rows, rowNumber(d, i))
	}
	for j, values := range outputs {
		y := d.Y
		if len(d.Others) > 0 {
			y = d.Target(j).Y
		}
		observed, of := make([]float64, len(chosen)), make([]float64, len(chosen))
		for k, i := range chosen {
			observed[k], of[k] = rounded(y[i]), rounded(values[i])
		}
		p.Observed, p.Predicted = append(p.Observed, observed), append(p.Predicted, of)
	}
	return p
}
