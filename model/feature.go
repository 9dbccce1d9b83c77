package model

import "github.com/tskgraph/tskgraph/membership"

// Feature holds the scaling of a feature and its range in the training part, in its own
// unit.
type Feature struct {
	Name     string  `json:"name"`
	Mean     float64 `json:"mean"`
	SD       float64 `json:"sd"` // divisor n-1; 1 for a constant feature
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Constant bool    `json:"constant,omitempty"` // not used
	Power    *Power  `json:"power,omitempty"`    // transform of its z-score for the antecedents; nil: none

	// Quantiles are the training values of relative rank 0, 1/20, ..., 1; nil for a
	// constant feature and in older files.
	Quantiles []float64 `json:"quantiles,omitempty"`
}

// Antecedent returns the input of the antecedents for a z-score of the feature.
func (f Feature) Antecedent(z float64) float64 {
	if f.Power != nil {
		return f.Power.Value(z)
	}
	return z
}

// Unscaled is the inverse of scaling for the antecedents: it returns the value, in the
// feature's own unit, whose antecedent input is u, or an infinity if there is none.
func (f Feature) Unscaled(u float64) float64 {
	if f.Power != nil {
		u = f.Power.Inverse(u)
	}
	return f.Mean + float64(f.SD*u)
}

// InUnits converts a scaled parameter of a membership function to the units of the feature,
// which must have no [Power].
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

// TwoValued reports whether the feature has only two values in the training part of n
// samples, its minimum and its maximum. Its variance then equals the bound of Bhatia and
// Davis for its mean and range ("A better bound on the variance", Am. Math. Monthly 107
// (2000)).
func (f Feature) TwoValued(n int) bool {
	bound := (f.Max - f.Mean) * (f.Mean - f.Min)
	return f.Max > f.Min && f.SD*f.SD*(1-1/float64(n)) >= bound*(1-1e-9)
}
