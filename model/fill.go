package model

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// Fill returns a copy of a data set, read under Missing "mean" or Lenient, in which values from the training part stand
// for the missing ones (NaN in X); the data set itself if none is missing, or if the model was trained with missing: mean
// and takes the mean of each feature for them anyway. These values are:
//
//   - the mean of a numeric feature;
//   - the median level of an ordinal column, or, in a model file without quantiles, the level next to the mean; so
//     also for a level that the schema does not have, see [data.ReaderOptions];
//   - the most frequent level of a one-hot column, the first of several.
//
// The data set has the features of the schema, in their order.
func (p Preprocessing) Fill(d *data.Dataset) *data.Dataset {
	missing := func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) }
	if p.ImputeMeans || d.Missing.Policy != "mean" || !slices.ContainsFunc(d.X, missing) {
		return d
	}
	filled := *d
	filled.X = slices.Clone(d.X)
	for i, row := range filled.X {
		filled.X[i] = slices.Clone(row)
	}
	p.fill(filled.X)
	return &filled
}

// fill is Fill in place.
func (p Preprocessing) fill(x [][]float64) {
	typical := p.typical()
	for _, row := range x {
		for m, v := range row {
			if math.IsNaN(v) {
				row[m] = typical[m]
			}
		}
	}
}

// typical returns what stands for a missing value of each feature.
func (p Preprocessing) typical() []float64 {
	values := make([]float64, 0, len(p.Features))
	for _, c := range p.Schema.Columns {
		features := p.Features[len(values):][:c.Width()]
		switch c.Encoding {
		case data.Ordinal:
			values = append(values, features[0].medianLevel(len(c.Levels)))
		case data.OneHot:
			mode := 0
			for i, f := range features {
				if f.Mean > features[mode].Mean {
					mode = i
				}
			}
			values = append(values, make([]float64, len(features))...)
			values[len(values)-len(features)+mode] = 1
		default:
			values = append(values, features[0].Mean)
		}
	}
	return values
}

// medianLevel returns the median of an ordinal feature of so many levels, which count from 1.
func (f Feature) medianLevel(levels int) float64 {
	if f.Quantiles != nil {
		return f.Quantiles[QuantileSteps/2]
	}
	return max(1, min(float64(levels), math.Round(f.Mean)))
}
