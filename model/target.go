package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Target holds the mean and the range of the target in the training part. A prediction is
// Mean + SD y, where y is the output of the rules.
type Target struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd,omitempty"` // unit of the rules' output, in the target's unit; 0: the same unit
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`

	// Margin, if not zero, limits predictions to the range from Min to Max, extended by this share of it on either side.
	Margin float64 `json:"margin,omitempty"`

	// Low and High are fixed limits of predictions, with Mean between them; nil: no limit. See Target.Limit.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`

	// Least and Most are the limits that prediction intervals have, too: the bounds of Target.Limit, which no target leaves; nil: no limit.
	Least *float64 `json:"least,omitempty"`
	Most  *float64 `json:"most,omitempty"`
}

// Limit sets the limits of predictions: the training range, extended by a margin on either side as a share of it (0: the
// range itself; +Inf: no limit), intersected with fixed bounds, low and high (infinite: no bound; nil: neither). Bounds
// that exclude the training mean, the prediction where no rule fires, are a *data.Error.
func (t *Target) Limit(margin float64, bounds *[2]float64) error {
	t.Margin, t.Low, t.High, t.Least, t.Most = 0, nil, nil, nil, nil
	switch {
	case margin == 0:
		low, high := t.Min, t.Max
		t.Low, t.High = &low, &high
	case !math.IsInf(margin, 1):
		t.Margin = margin
	}
	return t.Narrow(bounds)
}

// Narrow intersects the limits with fixed bounds, as Limit does.
func (t *Target) Narrow(bounds *[2]float64) error {
	if bounds == nil {
		return nil
	}
	low, high := bounds[0], bounds[1]
	if t.Mean < low || t.Mean > high {
		return tableError("model.range: the training mean of the target, %v, is not between %v and %v: correct the bounds",
			t.Mean, low, high)
	}
	for _, end := range []**float64{&t.Low, &t.Least} {
		if !math.IsInf(low, 0) && (*end == nil || low > **end) {
			v := low
			*end = &v
		}
	}
	for _, end := range []**float64{&t.High, &t.Most} {
		if !math.IsInf(high, 0) && (*end == nil || high < **end) {
			v := high
			*end = &v
		}
	}
	return nil
}

// Range returns the limits of prediction intervals; infinite without a limit.
func (t Target) Range() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if t.Least != nil {
		low = *t.Least
	}
	if t.Most != nil {
		high = *t.Most
	}
	return low, high
}

// Limits returns the smallest and the largest possible prediction; infinite without a limit.
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

// Scaling returns the unit of the rules' output in the target's unit.
func (t Target) Scaling() float64 {
	if t.SD == 0 {
		return 1
	}
	return t.SD
}

// value returns the prediction for an output of the rules, and whether it was clamped to the limits.
func (t Target) value(y float64) (v float64, limited bool) {
	return t.clamp(t.Mean + float64(t.Scaling()*y))
}

// clamp returns a prediction within the limits, and whether it was outside.
func (t Target) clamp(v float64) (kept float64, limited bool) {
	low, high := t.Limits()
	kept = max(low, min(high, v))
	return kept, kept != v && v == v // NaN is not limited, but uncovered
}

// check validates the target.
func (t Target) check() error {
	switch {
	case !numeric.Finite(t.Mean, t.Min, t.Max) || t.Min > t.Max:
		return fmt.Errorf("target: mean %v, min %v, max %v: must be finite and in order", t.Mean, t.Min, t.Max)
	case !(t.SD >= 0) || !numeric.Finite(t.SD):
		return fmt.Errorf("target: sd %v: must be positive or omitted", t.SD)
	case !(t.Margin >= 0) || !numeric.Finite(t.Margin):
		return fmt.Errorf("target: margin %v: must be positive or omitted", t.Margin)
	case t.Low != nil && !(*t.Low <= t.Mean && numeric.Finite(*t.Low)):
		return fmt.Errorf("target: low %v: must be finite, and not above the mean %v", *t.Low, t.Mean)
	case t.Least != nil && !(*t.Least <= t.Mean && numeric.Finite(*t.Least)), t.Most != nil && !(*t.Most >= t.Mean && numeric.Finite(*t.Most)):
		return fmt.Errorf("target: least and most: must be finite, with the mean %v between them", t.Mean)
	case t.High != nil && !(*t.High >= t.Mean && numeric.Finite(*t.High)):
		return fmt.Errorf("target: high %v: must be finite, and not below the mean %v", *t.High, t.Mean)
	}
	return nil
}

// fitTarget returns the mean and the range of target c of the training part.
func fitTarget(train *data.Dataset, c int) (Target, error) {
	of := targetMoments(train, c)
	t := Target{Mean: of.Mean, Min: of.Min, Max: of.Max}
	if math.IsInf(t.Max-t.Min, 0) {
		return t, tooWide(train.Schema.Targets()[c], t.Min, t.Max)
	}
	return t, nil
}

// targetMoments returns the moments of target c of a weighed training part; of classes those of their indices.
func targetMoments(train *data.Dataset, c int) data.Moments {
	if train.Whole == nil {
		return column{train.Target(c).Y, train.Weights}.moments()
	}
	if train.Schema.Classes == nil {
		return train.Whole.Targets()[c]
	}
	var classes column
	for k, w := range train.Whole.ClassWeights() {
		if w > 0 {
			classes.values, classes.weights = append(classes.values, float64(k)), append(classes.weights, w)
		}
	}
	of := classes.moments() // as if there were one row of each class
	n, all := float64(of.N), float64(train.Whole.Len())
	of.N, of.SD = train.Whole.Len(), of.SD*math.Sqrt((n-1)/n*(all/(all-1)))
	return of
}

// tableError returns a *data.Error.
func tableError(format string, values ...any) error {
	return &data.Error{Message: fmt.Sprintf(format, values...)}
}

func tooWide(name string, low, high float64) error {
	return tableError("%s ranges from %v to %v, too wide for 64-bit numbers: rescale it", escape.Quote(name), low, high)
}
