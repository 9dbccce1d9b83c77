package recipe

import (
	"fmt"
	"math"
	"strconv"
)

// Interval is the range of a number. A nil Interval has all numbers.
type Interval struct {
	Low, High               float64
	WithoutLow, WithoutHigh bool // the end itself is outside
}

// From returns the numbers from low on, finite ones.
func From(low float64) *Interval { return &Interval{Low: low, High: math.Inf(1), WithoutHigh: true} }

// Above returns the finite numbers above low.
func Above(low float64) *Interval { return &Interval{low, math.Inf(1), true, true} }

// To returns the interval up to high.
func (i Interval) To(high float64) *Interval {
	i.High, i.WithoutHigh = high, false
	return &i
}

// Below returns the interval below high.
func (i Interval) Below(high float64) *Interval {
	i.High, i.WithoutHigh = high, true
	return &i
}

// Positive returns the interval without zero.
func (i Interval) Positive() *Interval {
	if i.Low == 0 {
		i.WithoutLow = true
	}
	return &i
}

// Has reports whether v is in the interval; NaN never is, except in a nil one.
func (i *Interval) Has(v float64) bool {
	return i == nil || (v > i.Low || v == i.Low && !i.WithoutLow) && (v < i.High || v == i.High && !i.WithoutHigh)
}

// String completes "must be".
func (i *Interval) String() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	low := "at least " + number(i.Low)
	if i.WithoutLow {
		low = "above " + number(i.Low)
	}
	switch {
	case math.IsInf(i.High, 1):
		return low
	case i.WithoutHigh:
		return fmt.Sprintf("%s and below %s", low, number(i.High))
	}
	return fmt.Sprintf("%s and at most %s", low, number(i.High))
}
