package model

import (
	"math"
	"slices"
)

const (
	mostValues = 12 // that a feature of few values takes, as far as its quantiles show them
	widestFew  = 32 // from the least to the largest whole number of such a feature
)

// FewValues returns the values of a feature that takes few in the training part of n samples, in rising
// order; nil of any other. They are its quantiles, at most twelve of them distinct: two (see
// [Feature.TwoValued]), or whole numbers that span at most 32, or else values of which each but the
// outermost is that of two quantiles or more. A value between these that less than a twentieth of the
// samples take may be missing; where two quantiles hide all others, as of a column that is nearly always zero,
// the result is nil.
func (f Feature) FewValues(n int) []float64 {
	if f.TwoValued(n) {
		return []float64{f.Min, f.Max}
	}
	values := slices.Compact(slices.Clone(f.Quantiles))
	if n <= QuantileSteps || len(values) == 0 || len(values) > mostValues {
		return nil
	}
	if len(values) == 2 {
		return nil // it takes other values between these
	}
	if f.Whole() && f.Max-f.Min <= widestFew {
		return values
	}
	for i := 1; i < QuantileSteps; i++ {
		v := f.Quantiles[i]
		if v != f.Min && v != f.Max && v != f.Quantiles[i-1] && v != f.Quantiles[i+1] {
			return nil
		}
	}
	return values
}

// Occurring returns the values at which to draw a feature of few values (see [Feature.FewValues]): these, and
// those among seen within the training range, in rising order. It returns nil for any other feature, and where
// they are more than 33.
func (f Feature) Occurring(n int, seen []float64) []float64 {
	values := slices.Clone(f.FewValues(n))
	if values == nil {
		return nil
	}
	for _, v := range seen {
		if v >= f.Min && v <= f.Max {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) > widestFew+1 {
		return nil
	}
	return values
}

// Whole reports whether all quantiles are whole numbers, and at least three are distinct: two say too little of the
// values between these.
func (f Feature) Whole() bool {
	distinct := slices.Compact(slices.Clone(f.Quantiles))
	return len(distinct) > 2 && !slices.ContainsFunc(f.Quantiles, func(v float64) bool { return v != math.Trunc(v) })
}
