package model

import "math"

// column is the values of a feature that are there, with their weights; nil: all one.
type column struct{ values, weights []float64 }

// read takes feature m of the samples x [N][M] with weights [N].
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
