package model

import "fmt"

// Target is the mean and the range of the target in the training part, and what
// predictions are made of: Mean + SD y, y the output of the rules.
type Target struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd,omitempty"` // what the rules' unit is, in that of the target; 0: the same
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`

	// Margin, if not zero, keeps predictions within the range from Min to Max and so
	// much of it on either side.
	Margin float64 `json:"margin,omitempty"`
}

// Scaling returns the size of the rules' unit in that of the target.
func (t Target) Scaling() float64 {
	if t.SD == 0 {
		return 1
	}
	return t.SD
}

// value returns the prediction for an output of the rules, and whether it had to
// be kept within the limits.
func (t Target) value(y float64) (v float64, limited bool) {
	v = t.Mean + float64(t.Scaling()*y)
	if t.Margin == 0 {
		return v, false
	}
	beyond := float64(t.Margin * (t.Max - t.Min))
	kept := max(t.Min-beyond, min(t.Max+beyond, v))
	return kept, kept != v && v == v // NaN is not limited, but uncovered
}

// check says what keeps the target from being one.
func (t Target) check() error {
	switch {
	case !finite(t.Mean, t.Min, t.Max) || t.Min > t.Max:
		return fmt.Errorf("target: mean %v, min %v, max %v: must be finite and in order", t.Mean, t.Min, t.Max)
	case !(t.SD >= 0) || !finite(t.SD):
		return fmt.Errorf("target: sd %v: must be positive, or left out", t.SD)
	case !(t.Margin >= 0) || !finite(t.Margin):
		return fmt.Errorf("target: margin %v: must be positive, or left out", t.Margin)
	}
	return nil
}

// Standardise makes the standard deviation of the training targets y the unit of
// the rules. A constant target keeps its unit.
func (p *Preprocessing) Standardise(y []float64) { _, p.Target.SD, _, _ = moments(y) }

// Center returns the targets less their training mean, in the rules' unit.
func (p Preprocessing) Center(y []float64) []float64 {
	c, unit := make([]float64, len(y)), p.Target.Scaling()
	for i, v := range y {
		c[i] = (v - p.Target.Mean) / unit
	}
	return c
}
