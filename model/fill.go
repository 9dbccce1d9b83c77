package model

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
)

// Typical returns the value [M] that replaces a missing value of each feature, unless
// [Preprocessing.ImputeMeans]: the training mean of a number, the median level, or the most
// frequent level.
func Typical(p Preprocessing) []float64 {
	values := make([]float64, 0, len(p.Features))
	for _, c := range p.Schema.Columns {
		features := p.Features[len(values):][:c.Width()]
		switch c.Encoding {
		case data.Ordinal:
			values = append(values, medianLevel(features[0], len(c.Levels)))
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

// medianLevel returns the median level, from 1, of an ordinal feature with the given number of levels.
func medianLevel(f Feature, levels int) float64 {
	if f.Quantiles != nil {
		return f.Quantiles[QuantileSteps/2]
	}
	return max(1, min(float64(levels), math.Round(f.Mean)))
}
