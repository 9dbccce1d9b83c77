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

// checkQuantiles says what keeps the quantiles from being some.
func checkQuantiles(f Feature) error {
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
