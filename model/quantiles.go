package model

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// QuantileSteps is the number of parts of equal size into which the quantiles divide the
// training values of a feature.
const QuantileSteps = 20

// evenQuantiles returns the values of relative rank 0, 1/20, ..., 1, each one of the
// values; nil without values.
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

// quantilesOf returns the quantiles of a feature from the values of a sample, perhaps none, with the exact range at the ends.
func quantilesOf(f Feature, c column) []float64 {
	if len(c.values) == 0 {
		c = column{values: []float64{f.Mean}}
	}
	q := evenQuantiles(c)
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
