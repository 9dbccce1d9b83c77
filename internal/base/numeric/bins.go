package numeric

import (
	"math"
	"slices"
)

// Bins is a histogram of the values on the axis of a picture, from From to To in bins of equal width.
type Bins struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Counts []int   `json:"counts"`
	Below  int     `json:"below,omitempty"` // values beyond the axis
	Above  int     `json:"above,omitempty"`
	Least  float64 `json:"least"` // of all values
	Most   float64 `json:"most"`
}

const (
	beyondEnd = 200 // a 200th of the values, 0.5 %, may lie beyond either end of an axis
	mostBins  = 30
	finest    = 3 // decimals of values that bins are aligned with
)

// Ends returns the ends of an axis for at least one value: the quantiles of 0.5 % and 99.5 %, or the least and the greatest value if it
// lies within a tenth of their distance.
func Ends(values []float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	low, high = sorted[n/beyondEnd], sorted[n-1-n/beyondEnd]
	room := (high - low) / 10
	if low-sorted[0] <= room {
		low = sorted[0]
	}
	if sorted[n-1]-high <= room {
		high = sorted[n-1]
	}
	return low, high
}

// ErrorAxes returns the ends of the axes of observed over predicted values, which are those of both, and of the residuals, zero among them.
func ErrorAxes(predicted, observed []float64) (values, residuals [2]float64) {
	errs := make([]float64, len(predicted))
	for i, v := range predicted {
		errs[i] = observed[i] - v
	}
	low, high := Ends(errs)
	residuals[0], residuals[1] = WithRoom(min(low, 0), max(high, 0))
	values[0], values[1] = WithRoom(Ends(slices.Concat(predicted, observed)))
	return values, residuals
}

// WithRoom returns a range with some room on either side.
func WithRoom(low, high float64) (from, to float64) {
	if low == high {
		low, high = low-0.5, high+0.5
	}
	room := 0.03 * (high - low)
	return low - room, high + room
}

// NewBins returns about 30 bins at most between the [Ends] of the values, 1, 2 or 5 times a power of ten wide. Whole numbers, and numbers
// of at most three decimals, lie within the bins, as many possible ones in each: integers are at the middle of bins of width 1. It returns
// nil for fewer than two distinct values and for a range that is not finite.
func NewBins(values []float64) *Bins {
	if len(values) == 0 {
		return nil
	}
	low, high := Ends(values)
	least, most := slices.Min(values), slices.Max(values)
	if low == high {
		low, high = least, most
	}
	if !(high > low) || math.IsInf(high-low, 0) {
		return nil
	}
	width, unit := RoundUp((high-low)/mostBins), unitOf(values)
	if width < unit {
		width = unit
	}
	first, last := math.Floor((low+unit/2)/width), math.Floor((high+unit/2)/width)
	if unit == 0 && last*width == high { // the last value belongs to the bin that it closes
		last--
	}
	b := &Bins{From: float64(first*width) - unit/2, To: float64((last+1)*width) - unit/2, Least: least, Most: most}
	b.Counts = Histogram(values, b.From, b.To, int(last-first)+1)
	for _, v := range values {
		if v < b.From {
			b.Below++
		} else if v > b.To {
			b.Above++
		}
	}
	return b
}

// Near reports whether the bin of a value, or one beside it, has values.
func (b *Bins) Near(v float64) bool {
	k := int(math.Floor((v - b.From) / (b.To - b.From) * float64(len(b.Counts))))
	for _, n := range b.Counts[max(0, min(k-1, len(b.Counts))):max(0, min(k+2, len(b.Counts)))] {
		if n > 0 {
			return true
		}
	}
	return false
}

// RoundUp returns the least of 1, 2 and 5 times a power of ten that is at least v, up to rounding.
func RoundUp(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 5} {
		if k*power >= v*(1-1e-9) {
			return k * power
		}
	}
	return 10 * power
}

// unitOf returns the power of ten, from 0.001 to 1, of which all values are multiples; 0 if there is none.
func unitOf(values []float64) float64 {
	for k, inverse := 0, 1.0; k <= finest; k, inverse = k+1, 10*inverse {
		if !slices.ContainsFunc(values, func(v float64) bool { return math.Abs(v*inverse-math.Round(v*inverse)) > 1e-6 }) {
			return 1 / inverse
		}
	}
	return 0
}
