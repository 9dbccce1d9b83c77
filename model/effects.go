package model

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// InputEffect says how a prediction depends on a column: the prediction less its mean while the column takes
// its training values, by twentieths of their ranks or by levels, and all other columns stay as they are in the
// sample. The changes of several columns add up to nothing in particular.
type InputEffect struct {
	Name   string  `json:"name"`
	Change float64 `json:"change"` // in the target's unit
}

// effects returns the effects of the columns that are used on the prediction of a sample; nil without quantiles.
func effects(m *Model, x []float64, prediction float64) ([]InputEffect, error) {
	if !m.HasQuantiles() {
		return nil, nil
	}
	var all []InputEffect
	first := 0
	for _, c := range m.Schema.Columns {
		if !c.Unused {
			values, weights := trainingValues(m.Preprocessing, first, c)
			samples := make([][]float64, len(values))
			for k, v := range values {
				samples[k] = slices.Clone(x)
				copy(samples[k][first:], v)
			}
			p, err := m.Predict(samples)
			if err != nil {
				return nil, err
			}
			mean, total := 0.0, 0.0
			for k, w := range weights {
				total += w
				mean += float64(w / total * (p.Values[k] - mean))
			}
			all = append(all, InputEffect{c.Name, prediction - mean})
		}
		first += c.Width()
	}
	return all, nil
}

// trainingValues returns values of a column's features that stand for its training values, and their weights, all
// positive: the levels of a one-hot column by their shares, or the quantiles of another.
func trainingValues(p Preprocessing, first int, c data.Column) (values [][]float64, weights []float64) {
	features := p.Features[first : first+c.Width()]
	if c.Encoding == data.OneHot {
		for k, f := range features {
			if f.Mean > 0 {
				level := make([]float64, len(features))
				level[k] = 1
				values, weights = append(values, level), append(weights, f.Mean)
			}
		}
		return values, weights
	}
	for i, v := range features[0].Quantiles {
		weight := 1.0
		if i == 0 || i == QuantileSteps {
			weight = 0.5 // the outermost stand for half a step
		}
		values, weights = append(values, []float64{v}), append(weights, weight)
	}
	return values, weights
}
