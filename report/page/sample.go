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
	Targets []float64    `json:"targets"` // the targets observed
	Of      int          `json:"of"`      // number of rows in all
}

// points are observed targets and their predictions.
type points struct {
	Rows      []int     `json:"rows"`
	Observed  []float64 `json:"observed"`
	Predicted []float64 `json:"predicted"`
	Of        int       `json:"of"`
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
	s := sampleRows{Of: d.Len()}
	for _, i := range shown(d) {
		values := make([]*float64, len(d.X[i]))
		for m := range values {
			if !math.IsNaN(d.X[i][m]) {
				values[m] = &d.X[i][m]
			}
		}
		s.Rows, s.Values, s.Targets = append(s.Rows, rowNumber(d, i)), append(s.Values, values), append(s.Targets, d.Y[i])
	}
	return s
}

func pointsOf(d *data.Dataset, predicted model.Predictions) points {
	p := points{Of: d.Len()}
	for _, i := range some(d.Len(), maxPoints) {
		p.Rows = append(p.Rows, rowNumber(d, i))
		p.Observed = append(p.Observed, rounded(d.Y[i]))
		p.Predicted = append(p.Predicted, rounded(predicted.Values[i]))
	}
	return p
}
