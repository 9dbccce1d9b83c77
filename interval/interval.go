// Package interval provides intervals of numbers, such as the limits of an option of a solver, or the targets of a loss.
package interval

import (
	"fmt"
	"math"
	"strconv"
)

// Interval is an interval of numbers. A nil Interval contains every number, and NaN.
type Interval struct {
	Low, High               float64
	WithoutLow, WithoutHigh bool // the end is excluded
}

// From returns the finite numbers of at least low.
func From(low float64) *Interval { return &Interval{Low: low, High: math.Inf(1), WithoutHigh: true} }

// Above returns the finite numbers above low.
func Above(low float64) *Interval { return &Interval{low, math.Inf(1), true, true} }

// To returns the interval up to and including high.
func (i Interval) To(high float64) *Interval {
	i.High, i.WithoutHigh = high, false
	return &i
}

// Below returns the interval up to but excluding high.
func (i Interval) Below(high float64) *Interval {
	i.High, i.WithoutHigh = high, true
	return &i
}

// Positive returns the interval, without zero if that is its lower end.
func (i Interval) Positive() *Interval {
	if i.Low == 0 {
		i.WithoutLow = true
	}
	return &i
}

// Has reports whether v is in the interval. Only a nil interval contains NaN.
func (i *Interval) Has(v float64) bool {
	return i == nil || (v > i.Low || v == i.Low && !i.WithoutLow) && (v < i.High || v == i.High && !i.WithoutHigh)
}

// String describes the interval for messages such as "must be above 0 and below 1".
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
