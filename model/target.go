package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/loss"
)

// Target holds the mean and the range of the target in the training part. A prediction is
// Mean + SD y, where y is the output of the rules.
type Target struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd,omitempty"` // unit of the rules' output, in the target's unit; 0: the same unit
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`

	// Margin, if not zero, limits predictions to the range from Min to Max, extended by
	// this share of it on either side.
	Margin float64 `json:"margin,omitempty"`

	// Low and High are fixed limits of predictions, with Mean between them; nil: no limit. See Target.Limit.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Limit sets the limits of predictions: the training range, extended by a margin on either side as a share of it (0: the
// range itself; +Inf: no limit), intersected with fixed bounds, low and high (infinite: no bound; nil: neither). Bounds
// that exclude the training mean, the prediction where no rule fires, are a *data.Error.
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

// Narrow intersects the limits with fixed bounds, as Limit does.
func (t *Target) Narrow(bounds *[2]float64) error {
	if bounds == nil {
		return nil
	}
	low, high := bounds[0], bounds[1]
	if t.Mean < low || t.Mean > high {
		return tableError("model.bounds: the training mean of the target, %v, is not between %v and %v: correct the bounds",
			t.Mean, low, high)
	}
	if !math.IsInf(low, 0) && (t.Low == nil || low > *t.Low) {
		t.Low = &low
	}
	if !math.IsInf(high, 0) && (t.High == nil || high < *t.High) {
		t.High = &high
	}
	return nil
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

// value returns the prediction for an output of the rules, and whether it was clamped to
// the limits.
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
	case t.High != nil && !(*t.High >= t.Mean && numeric.Finite(*t.High)):
		return fmt.Errorf("target: high %v: must be finite, and not below the mean %v", *t.High, t.Mean)
	}
	return nil
}

// SetResponse sets the response to what the training part and a loss require: several
// targets, the quantiles of o with the weighted quantiles of the training targets, or classes
// with their shares. The weights of targets are those of o. The loss must fit the target. A target for which the loss is not defined,
// such as one below zero for counts, is a *data.Error that names the row, or the value if the row
// is not in the sample of a Whole. Only the quantiles are those of such a sample. A nil loss is the squared loss. An
// invalid part is a *data.Error, and
// quantiles outside (0, 1) are an error.
func (p *Preprocessing) SetResponse(l loss.Loss, o Response, train *data.Dataset) error {
	if err := train.Validate(); err != nil {
		return err
	}
	for _, q := range o.Quantiles {
		if !(q > 0 && q < 1) {
			return fmt.Errorf("model: quantile %v: must lie between 0 and 1", q)
		}
	}
	l = loss.OrSquared(l)
	if err := checkTargets(l, train); err != nil {
		return err
	}
	r := Response{Link: l.Link().Name()}
	switch {
	case train.Schema.Classes != nil:
		r.Classes = classShares(train)
	case r.Link == orderedLink:
		r.Quantiles = slices.Clone(o.Quantiles)
		sorted := numeric.SortedByValue(train.Y, train.Weights)
		for _, q := range r.Quantiles {
			r.TrainingQuantiles = append(r.TrainingQuantiles, sorted[int(math.Ceil(float64(q*float64(len(sorted)))))-1])
		}
	case r.Link == logLink:
		if !(p.Target.Mean > 0) {
			return tableError("%s is zero in the whole training part: the loss %s needs values above it",
				escape.Quote(p.Schema.Target), l.Name())
		}
	case train.Others != nil:
		r.Weights = slices.Clone(o.Weights)
		for c := range train.Schema.Targets() {
			t, err := fitTarget(train, c)
			if err != nil {
				return err
			}
			t.SD = targetMoments(train, c).SD
			r.Targets = append(r.Targets, t)
		}
		p.Target = r.Targets[0]
	}
	p.Response = r
	return nil
}

// checkTargets checks that a loss is defined for the targets, which are those of the only
// target unless all numbers are.
func checkTargets(l loss.Loss, d *data.Dataset) error {
	limited, ok := l.(interface{ Targets() *interval.Interval })
	if !ok {
		return nil
	}
	in := limited.Targets()
	for n, y := range d.Y {
		if !in.Has(y) {
			return tableError("row %d, %s: %v: the loss %s needs targets %s", rowOf(d, n),
				escape.Quote(d.Schema.Target), y, l.Name(), in)
		}
	}
	if d.Whole == nil {
		return nil
	}
	of := targetMoments(d, 0)
	for _, y := range []float64{of.Min, of.Max} {
		if !in.Has(y) {
			return tableError("%s: a value is %v: the loss %s needs targets %s", escape.Quote(d.Schema.Target),
				y, l.Name(), in)
		}
	}
	return nil
}

// rowOf returns the data row of sample n in its source, from 1.
func rowOf(d *data.Dataset, n int) int {
	if d.Rows == nil {
		return n + 1
	}
	return d.Rows[n]
}

// classShares returns the classes of the schema with their weighted shares of the samples.
func classShares(d *data.Dataset) []Class {
	classes := make([]Class, len(d.Schema.Classes))
	for k, name := range d.Schema.Classes {
		classes[k].Name = name
	}
	if d.Whole != nil {
		weights := d.Whole.ClassWeights()
		total := numeric.WeightSum(weights, len(weights))
		for k, w := range weights {
			classes[k].Share = w / total
		}
		return classes
	}
	total := numeric.WeightSum(d.Weights, d.Len())
	for n, y := range d.Y {
		share := &classes[int(y)].Share
		*share = min(1, *share+numeric.WeightAt(d.Weights, n)/total) // rounded, that of the only class may exceed 1
	}
	return classes
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
