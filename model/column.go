package model

import "math"

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
