package model

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// InputEffect is the effect of a column on a prediction: the prediction minus its mean over the training values of
// the column, represented by quantiles in steps of 1/20 or by levels, with all other columns unchanged. The changes of
// several columns do not add up to the prediction.
type InputEffect struct {
	Name   string  `json:"name"`
	Change float64 `json:"change"` // in the target's unit
}

// effects returns the effects of the used columns on the prediction of a sample; nil without quantiles.
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

// trainingValues returns values that represent the training values of a column, [K][width], and their weights [K], all
// positive: the levels of a one-hot column with their shares, or the quantiles of any other column.
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
			weight = 0.5 // the outermost represent half a step
		}
		values, weights = append(values, []float64{v}), append(weights, weight)
	}
	return values, weights
}
