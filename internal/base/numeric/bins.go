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
	MostBins  = 30   // of a picture
	beyondEnd = 200  // a 200th of the values, 0.5 %, may lie beyond either end of an axis
	finest    = 1000 // places of a grid between whole numbers, at most
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
	room := float64(0.03 * (high - low))
	return low - room, high + room
}

// NewBins returns about as many bins as are wanted between the [Ends] of the values, 1, 2 or 5 times a power of ten wide. Values on a grid
// of at most three decimals, such as whole numbers or quarters, lie within the bins, as many places of the grid in each, one where there
// are up to [MostBins]. It returns nil for fewer than two distinct values and for a range that is not finite.
func NewBins(values []float64, wanted int) *Bins {
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
	width, step, shift := RoundUp((high-low)/float64(wanted)), stepOf(values, low, high), 0.0
	if step > 0 {
		if width = step * math.Ceil(width/step-1e-9); (high-low)/step < MostBins {
			width = step
		}
		if shift = math.Remainder(low, step); math.Abs(shift) < 1e-6*step {
			shift = 0
		}
	}
	start := shift - step/2
	first, last := math.Floor((low-start)/width), math.Floor((high-start)/width)
	if step == 0 && last*width == high { // the last value belongs to the bin that it closes
		last--
	}
	b := &Bins{From: float64(first*width) + start, To: float64((last+1)*width) + start, Least: least, Most: most}
	b.Counts = make([]int, int(last-first)+1)
	for _, v := range values {
		switch k := b.Index(v); {
		case k < 0:
			b.Below++
		case k == len(b.Counts):
			b.Above++
		default:
			b.Counts[k]++
		}
	}
	return b
}

// place returns the bin of a value, as if they went on on both sides.
func (b *Bins) place(v float64) int {
	return int(math.Floor((v - b.From) / (b.To - b.From) * float64(len(b.Counts))))
}

// Index returns the bin of a value; -1 below the first and the number of bins above the last, to which its end belongs.
func (b *Bins) Index(v float64) int {
	switch {
	case v < b.From:
		return -1
	case v > b.To:
		return len(b.Counts)
	}
	return min(b.place(v), len(b.Counts)-1)
}

// Near reports whether the bin of a value, or one beside it, has values.
func (b *Bins) Near(v float64) bool {
	k := b.place(v)
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

// stepOf returns the greatest step of a grid that all values from low to high lie on, in thousandths at least; 0 if there is none.
func stepOf(values []float64, low, high float64) float64 {
	for inverse := 1.0; inverse <= finest && (high-low)*inverse < 1e12; inverse *= 10 {
		common := 0
		if !slices.ContainsFunc(values, func(v float64) bool {
			if v < low || v > high {
				return false
			}
			places := (v - low) * inverse
			common = divisor(common, int(math.Round(places)))
			return math.Abs(places-math.Round(places)) > 1e-6
		}) {
			return float64(common) / inverse
		}
	}
	return 0
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
