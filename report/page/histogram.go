package page

import "math"

// histogram counts values in bins of equal width.
type histogram struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Counts []int   `json:"counts"`
}

const bins = 30

// newHistogram covers the values and the range from low to high; nil where that has
// no width.
func newHistogram(values []float64, low, high float64) *histogram {
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	width := (high - low) / bins
	if !(width > 0) || math.IsInf(width, 0) {
		return nil
	}
	h := &histogram{From: low, To: high, Counts: make([]int, bins)}
	for _, v := range values {
		h.Counts[min(int((v-low)/width), bins-1)]++
	}
	return h
}
