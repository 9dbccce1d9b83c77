package model

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// moments returns the weighted mean, the standard deviation (divisor n-1, with weights
// sum w (n-1)/n) and the range of values. The values and their range must be finite. The
// deviations are rescaled, so that their squares neither overflow nor underflow.
func moments(values, weights []float64) (mean, sd, low, high float64) {
	low, high = values[0], values[0]
	n, total := float64(len(values)), 0.0
	for i, v := range values {
		low, high = min(low, v), max(high, v)
		w := weighted.At(weights, i)
		total += w
		mean += (v - mean) / (total / w) // a sum of large values could overflow
	}
	if low == high {
		return low, 0, low, high
	}
	scale := max(high-mean, mean-low)
	sum := 0.0
	for i, v := range values {
		d := (v - mean) / scale
		sum += float64(weighted.At(weights, i) * (d * d))
	}
	return mean, scale * math.Sqrt(sum*(n/total)/(n-1)), low, high
}
