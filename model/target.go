package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
)

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

	// Low and High are fixed limits of predictions, with Mean between them; nil: none. See Target.Limit.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Limit sets the limits of predictions: the training range and a margin on either side, as a share of it (0: the range
// itself; +Inf: none), and within that fixed bounds, low and high (infinite: none; nil: neither). Bounds that the
// training mean, which stands in where no rule fires, is not within are a *data.Error.
func (t *Target) Limit(margin float64, bounds *[2]float64) error {
	t.Margin, t.Low, t.High = 0, nil, nil
	switch {
	case margin == 0:
		low, high := t.Min, t.Max
		t.Low, t.High = &low, &high
	case !math.IsInf(margin, 1):
		t.Margin = margin
	}
	return t.Narrow(bounds)
}

// Narrow adds fixed bounds to the limits, as Limit does.
func (t *Target) Narrow(bounds *[2]float64) error {
	if bounds == nil {
		return nil
	}
	low, high := bounds[0], bounds[1]
	if t.Mean < low || t.Mean > high {
		return &data.Error{Message: fmt.Sprintf("model.bounds: the training mean of the target, %v, is not between %v and %v: are these its limits?", t.Mean, low, high)}
	}
	if !math.IsInf(low, 0) && (t.Low == nil || low > *t.Low) {
		t.Low = &low
	}
	if !math.IsInf(high, 0) && (t.High == nil || high < *t.High) {
		t.High = &high
	}
	return nil
}

// Limits returns the least and the largest prediction; infinite where there is no limit.
func (t Target) Limits() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if t.Margin != 0 {
		beyond := float64(t.Margin * (t.Max - t.Min))
		low, high = t.Min-beyond, t.Max+beyond
	}
	if t.Low != nil {
		low = max(low, *t.Low)
	}
	if t.High != nil {
		high = min(high, *t.High)
	}
	return low, high
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
	low, high := t.Limits()
	kept := max(low, min(high, v))
	return kept, kept != v && v == v // NaN is not limited, but uncovered
}

// check says what keeps the target from being one.
func (t Target) check() error {
	switch {
	case !numeric.Finite(t.Mean, t.Min, t.Max) || t.Min > t.Max:
		return fmt.Errorf("target: mean %v, min %v, max %v: must be finite and in order", t.Mean, t.Min, t.Max)
	case !(t.SD >= 0) || !numeric.Finite(t.SD):
		return fmt.Errorf("target: sd %v: must be positive, or left out", t.SD)
	case !(t.Margin >= 0) || !numeric.Finite(t.Margin):
		return fmt.Errorf("target: margin %v: must be positive, or left out", t.Margin)
	case t.Low != nil && !(*t.Low <= t.Mean && numeric.Finite(*t.Low)):
		return fmt.Errorf("target: low %v: must be finite, and not above the mean %v", *t.Low, t.Mean)
	case t.High != nil && !(*t.High >= t.Mean && numeric.Finite(*t.High)):
		return fmt.Errorf("target: high %v: must be finite, and not below the mean %v", *t.High, t.Mean)
	}
	return nil
}
