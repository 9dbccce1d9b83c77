package page

import (
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

const maxPoints = 2000 // in scatter plots

// points are observed targets and their predictions; none for classes.
type points struct {
	Rows      []int           `json:"rows"`
	Observed  [][]float64     `json:"observed"`  // [J][rows]
	Predicted [][]float64     `json:"predicted"` // [J][rows]
	Axes      [][2]float64    `json:"axes"`      // [J] of observed and predicted values
	Errors    [][2]float64    `json:"errors"`    // [J] of residuals
	Histogram []*numeric.Bins `json:"histogram"` // [J] of residuals; null if they are all equal
	Of        int             `json:"of"`
}

func pointsOf(m *model.Model, d *data.Dataset, predicted model.Predictions) points {
	p := points{Of: d.Len()}
	if m.Schema.Classes != nil {
		return p
	}
	chosen := numeric.Some(d.Len(), maxPoints)
	for _, i := range chosen {
		p.Rows = append(p.Rows, rowNumber(d, i))
	}
	for j, values := range predicted.All() {
		y := m.Observed(d, j)
		observed, of := make([]float64, len(chosen)), make([]float64, len(chosen))
		for k, i := range chosen {
			observed[k], of[k] = rounded(y[i]), rounded(values[i])
		}
		p.Observed, p.Predicted = append(p.Observed, observed), append(p.Predicted, of)
		residuals := make([]float64, len(values))
		for i, v := range values {
			residuals[i] = y[i] - v
		}
		axis, errs := numeric.ErrorAxes(values, y)
		p.Axes, p.Errors = append(p.Axes, axis), append(p.Errors, errs)
		p.Histogram = append(p.Histogram, numeric.NewBins(residuals, numeric.MostBins))
	}
	return p
}
