package model

import (
	"math"
	"slices"
)

const (
	mostValues = 12 // most distinct quantiles of a feature with few values
	widestFew  = 32 // widest range of such a feature with whole values
)

// FewValues returns the values, in increasing order, of a feature that has few distinct ones in the training
// part of n samples; nil for any other feature. They are at most twelve distinct quantiles: two (see
// [Feature.TwoValued]), whole numbers in a range of at most 32, or values that each equal two quantiles or
// more, except the outermost. A value that less than 1/20 of the samples have may be missing. The result is
// nil if two quantiles hide all other values, as in a column that is nearly always zero.
func (f Feature) FewValues(n int) []float64 {
	if f.TwoValued(n) {
		return []float64{f.Min, f.Max}
	}
	values := slices.Compact(slices.Clone(f.Quantiles))
	if n <= QuantileSteps || len(values) == 0 || len(values) > mostValues {
		return nil
	}
	if len(values) == 2 {
		return nil // it has other values between these
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
// those of seen within the training range, in increasing order. It returns nil for any other feature and for
// more than 33 values.
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

// Whole reports whether all quantiles are whole numbers and at least three are distinct: two give too little
// evidence of the values between them.
func (f Feature) Whole() bool {
	distinct := slices.Compact(slices.Clone(f.Quantiles))
	return len(distinct) > 2 && !slices.ContainsFunc(f.Quantiles, func(v float64) bool { return v != math.Trunc(v) })
}
