package model

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// column holds the values of a feature that are not missing, and their weights; nil: all one.
type column struct{ values, weights []float64 }

// read sets the column to feature m of the samples x [N][M] with weights [N].
func (c *column) read(x [][]float64, weights []float64, m int) {
	c.values, c.weights = c.values[:0], c.weights[:0]
	for n, row := range x {
		if math.IsNaN(row[m]) {
			continue
		}
		c.values = append(c.values, row[m])
		if weights != nil {
			c.weights = append(c.weights, weights[n])
		}
	}
	if weights == nil {
		c.weights = nil
	}
}

// moments returns the moments of the values, see [moments]; zero without values.
func (c column) moments() data.Moments {
	if len(c.values) == 0 {
		return data.Moments{}
	}
	mean, sd, low, high := moments(c.values, c.weights)
	return data.Moments{N: len(c.values), Weight: weighted.Sum(c.weights, len(c.values)), Mean: mean, SD: sd, Min: low, Max: high}
}
