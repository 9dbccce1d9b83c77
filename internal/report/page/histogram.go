package page

import (
	"math"
	"slices"
)

// histogram counts values in bins of equal width.
type histogram struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Counts []int   `json:"counts"`
}

const bins = 30

// newHistogram returns a histogram that covers the values and the range from low to high; nil
// if its width is zero or infinite.
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

// count returns the number of rows with each level or value of the column; nil for a column
// with neither.
func (c inputColumn) count(x [][]float64) []int {
	switch {
	case c.Levels == nil:
		return occurrences(column(x, c.Feature), c.Values)
	case !c.OneHot:
		places := make([]float64, len(c.Levels))
		for k := range places {
			places[k] = float64(k + 1)
		}
		return occurrences(column(x, c.Feature), places)
	}
	counts := make([]int, c.Width)
	for k := range counts {
		counts[k] = occurrences(column(x, c.Feature+k), []float64{1})[0]
	}
	return counts
}

// occurrences returns the number of values equal to each place; nil without places.
func occurrences(values, places []float64) []int {
	if places == nil {
		return nil
	}
	counts := make([]int, len(places))
	for _, v := range values {
		if k := slices.Index(places, v); k >= 0 {
			counts[k]++
		}
	}
	return counts
}
