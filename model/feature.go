package model

// Feature is the scaling of one feature and its range in the training part, in
// its own unit.
type Feature struct {
	Name     string  `json:"name"`
	Mean     float64 `json:"mean"`
	SD       float64 `json:"sd"` // divisor n-1; 1 for a constant feature
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Constant bool    `json:"constant,omitempty"` // not used
	Power    *Power  `json:"power,omitempty"`    // how antecedents see its z-score; nil: as it is

	// Quantiles are the training values of rank 0, 1/20, ..., 1; nil of a constant
	// feature, and in older files.
	Quantiles []float64 `json:"quantiles,omitempty"`
}

// Antecedent returns how antecedents see the z-score of a feature.
func (f Feature) Antecedent(z float64) float64 {
	if f.Power != nil {
		return f.Power.Value(z)
	}
	return z
}

// Unscaled returns the value, in the feature's own unit, that antecedents see as u:
// infinite where there is none.
func (f Feature) Unscaled(u float64) float64 {
	if f.Power != nil {
		u = f.Power.Inverse(u)
	}
	return f.Mean + float64(f.SD*u)
}

// Quantile returns the value below which a share of the training values lie, from 0 to 1, linear
// between those kept. The feature must have quantiles.
func (f Feature) Quantile(share float64) float64 {
	at := float64(max(0, min(1, share)) * QuantileSteps)
	i := min(int(at), QuantileSteps-1)
	return f.Quantiles[i] + float64((at-float64(i))*(f.Quantiles[i+1]-f.Quantiles[i]))
}

// TwoValued reports whether the feature took two values only in the training part of n samples, its least and
// its largest: then its variance is the largest that a mean within a range allows (Bhatia
// and Davis, "A better bound on the variance", Am. Math. Monthly 107 (2000)).
func (f Feature) TwoValued(n int) bool {
	bound := (f.Max - f.Mean) * (f.Mean - f.Min)
	return f.Max > f.Min && f.SD*f.SD*(1-1/float64(n)) >= bound*(1-1e-9)
}
