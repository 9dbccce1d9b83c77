package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
)

// Feature holds the scaling of a feature and its range in the training part, in its own unit.
type Feature struct {
	Name     string  `json:"name"`
	Mean     float64 `json:"mean"`
	SD       float64 `json:"sd"` // divisor n-1; 1 for a constant feature
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Constant bool    `json:"constant,omitempty"` // not used
	Power    *Power  `json:"power,omitempty"`    // transform of its z-score for the antecedents; nil: none

	// Quantiles are the training values of relative rank 0, 1/20, ..., 1; nil for a constant feature and in older files.
	Quantiles []float64 `json:"quantiles,omitempty"`
}

// Antecedent returns the input of the antecedents for a z-score of the feature.
func (f Feature) Antecedent(z float64) float64 {
	if f.Power != nil {
		return f.Power.Value(z)
	}
	return z
}

// ScaledLimits returns the z-scores of limits of the feature, infinite without. They limit z-scores as the limits do numbers, to the bit.
func (f Feature) ScaledLimits(l *data.Limits) (low, high float64) {
	low, high = l.Ends()
	return (low - f.Mean) / f.SD, (high - f.Mean) / f.SD
}

// Unscaled is the inverse of scaling for the antecedents: it returns the value, in the
// feature's own unit, whose antecedent input is u, or an infinity if there is none.
func (f Feature) Unscaled(u float64) float64 {
	if f.Power != nil {
		u = f.Power.Inverse(u)
	}
	return f.Mean + float64(f.SD*u)
}

// InUnits converts a scaled parameter of a membership function to the units of the feature, which must have no [Power].
func (f Feature) InUnits(v float64, kind membership.Kind) float64 {
	switch kind {
	case membership.Position:
		return float64(v*f.SD) + f.Mean
	case membership.Spread:
		return float64(v * f.SD)
	case membership.Slope:
		return v / f.SD
	}
	return v // without a unit
}

// Scaled is the inverse of InUnits.
func (f Feature) Scaled(v float64, kind membership.Kind) float64 {
	switch kind {
	case membership.Position:
		return (v - f.Mean) / f.SD
	case membership.Spread:
		return v / f.SD
	case membership.Slope:
		return v * f.SD
	}
	return v
}

// Quantile returns the quantile of the training values for a share from 0 to 1, linearly
// interpolated between those kept. The feature must have quantiles.
func (f Feature) Quantile(share float64) float64 {
	at := float64(max(0, min(1, share)) * QuantileSteps)
	i := min(int(at), QuantileSteps-1)
	return f.Quantiles[i] + float64((at-float64(i))*(f.Quantiles[i+1]-f.Quantiles[i]))
}

// twoValued reports whether the feature has only two values in the training part of n samples, its minimum and its maximum. Its variance
// then equals the bound of Bhatia and Davis for its mean and range ("A better bound on the variance", Am. Math. Monthly 107 (2000)).
func (f Feature) twoValued(n int) bool {
	bound := (f.Max - f.Mean) * (f.Mean - f.Min)
	return f.Max > f.Min && f.SD*f.SD*(1-1/float64(n)) >= bound*(1-1e-9)
}

const (
	mostValues = 12 // most distinct quantiles of a feature with few values
	widestFew  = 32 // widest range of such a feature with whole values
)

// FewValues returns the values, in increasing order, of a feature that has few distinct ones in the training part of n samples; nil for
// any other feature. They are at most twelve distinct quantiles: two (see [Feature.twoValued]), whole numbers in a range of at most 32,
// or values that each equal two quantiles or more, except the outermost. A value that less than 1/20 of the samples have may be missing.
// The result is nil if two quantiles hide all other values, as in a column that is nearly always zero.
func (f Feature) FewValues(n int) []float64 {
	if f.twoValued(n) {
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

// Occurring returns the values at which to draw a feature of few values (see [Feature.FewValues]): these, and those of seen within the
// training range, in increasing order. It returns nil for any other feature and for more than 33 values.
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

// QuantileSteps is the number of parts of equal size into which the quantiles divide the training values of a feature.
const QuantileSteps = 20

// quantilesOf returns the quantiles of a feature from the values of a sample, perhaps none, with the exact range at the ends.
func quantilesOf(f Feature, c column) []float64 {
	if len(c.values) == 0 {
		c = column{values: []float64{f.Mean}}
	}
	q := c.evenly(QuantileSteps + 1)
	q[0], q[QuantileSteps] = f.Min, f.Max
	return q
}

// checkQuantiles validates the quantiles of a feature.
func checkQuantiles(f Feature) error {
	if f.Quantiles == nil {
		return nil
	}
	if len(f.Quantiles) != QuantileSteps+1 || f.Constant {
		return fmt.Errorf("%d values; want %d, of a feature that is used", len(f.Quantiles), QuantileSteps+1)
	}
	if !numeric.Finite(f.Quantiles...) || !slices.IsSorted(f.Quantiles) || f.Quantiles[0] != f.Min || f.Quantiles[QuantileSteps] != f.Max {
		return fmt.Errorf("must increase from %v to %v, the minimum and maximum of the training values", f.Min, f.Max)
	}
	return nil
}
