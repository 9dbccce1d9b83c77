package model

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/internal/weighted"
)

// QuantileSteps is into how many parts of equal size quantiles divide the training
// values of a feature.
const QuantileSteps = 20

// MeasureQuantiles sets the quantiles of each feature that is used, from the training
// samples x [N][M] in the order of Features with weights [N] (nil: all one). [Fit] does
// so; it is for models of older files, which have none.
func (p *Preprocessing) MeasureQuantiles(x [][]float64, weights []float64) {
	var c column
	for m := range p.Features {
		f := &p.Features[m]
		if f.Constant {
			continue
		}
		c.read(x, weights, m)
		f.Quantiles = evenQuantiles(c)
	}
}

// HasQuantiles reports whether each feature that is used has quantiles.
func (p Preprocessing) HasQuantiles() bool {
	return !slices.ContainsFunc(p.Features, func(f Feature) bool { return !f.Constant && f.Quantiles == nil })
}

// evenQuantiles returns the values of rank 0, 1/20, ..., 1, each a value that was
// given; nil of none.
func evenQuantiles(c column) []float64 {
	if len(c.values) == 0 {
		return nil
	}
	sorted := weighted.Sorted(c.values, c.weights)
	q := make([]float64, QuantileSteps+1)
	for i := range q {
		q[i] = sorted[i*(len(sorted)-1)/QuantileSteps]
	}
	return q
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

// checkQuantiles says what keeps the quantiles from being some.
func (f Feature) checkQuantiles() error {
	if f.Quantiles == nil {
		return nil
	}
	if len(f.Quantiles) != QuantileSteps+1 || f.Constant {
		return fmt.Errorf("%d values; want %d, of a feature that is used", len(f.Quantiles), QuantileSteps+1)
	}
	if !numeric.Finite(f.Quantiles...) || !slices.IsSorted(f.Quantiles) || f.Quantiles[0] != f.Min || f.Quantiles[QuantileSteps] != f.Max {
		return fmt.Errorf("must rise from %v to %v, the least and the largest training value", f.Min, f.Max)
	}
	return nil
}
