package config

import (
	"fmt"
	"math"
	"strconv"
)

// interval is the range of a number.
type interval struct {
	low, high               float64
	withoutLow, withoutHigh bool // the end itself is outside
}

func from(low float64) *interval  { return &interval{low: low, high: math.Inf(1), withoutHigh: true} }
func above(low float64) *interval { return &interval{low, math.Inf(1), true, true} }

func (i interval) to(high float64) *interval {
	i.high, i.withoutHigh = high, false
	return &i
}

func (i interval) below(high float64) *interval {
	i.high, i.withoutHigh = high, true
	return &i
}

// positive is the interval without zero.
func (i interval) positive() *interval {
	if i.low == 0 {
		i.withoutLow = true
	}
	return &i
}

func (i *interval) has(v float64) bool {
	return i == nil || (v > i.low || v == i.low && !i.withoutLow) && (v < i.high || v == i.high && !i.withoutHigh)
}

// String completes "must be".
func (i *interval) String() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	low := "at least " + number(i.low)
	if i.withoutLow {
		low = "above " + number(i.low)
	}
	switch {
	case math.IsInf(i.high, 1):
		return low
	case i.withoutHigh:
		return fmt.Sprintf("%s and below %s", low, number(i.high))
	}
	return fmt.Sprintf("%s and at most %s", low, number(i.high))
}
