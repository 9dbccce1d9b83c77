package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// ErrNotCalibrated is returned when a prediction interval is requested of a model that
// was not calibrated.
var ErrNotCalibrated = errors.New("model: not calibrated, so it has no prediction intervals: train with data.calibration, such as 0.2")

// Calibration holds the data of split-conformal prediction intervals: quantiles of the
// absolute residuals on n samples that were not used in training.
//
// The interval of level p is the prediction plus and minus the k-th smallest
// absolute residual, k = ceil((n+1) p). It contains the target of a new sample with
// probability p or more if that sample and the calibration samples are
// exchangeable (J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman,
// Distribution-free predictive inference for regression, JASA 113 (2018)).
type Calibration struct {
	Samples int `json:"samples"` // n

	// Residuals are absolute residuals in increasing order, in the target's unit: all n,
	// or, if n exceeds 1000, those of rank ceil(i n/1000), i = 1 to 1000.
	Residuals []float64 `json:"residuals"`
}

const (
	keptResiduals = 1000                              // most residuals that a calibration keeps
	maxSamples    = math.MaxInt / (2 * keptResiduals) // of a calibration, so that ranks do not overflow
)

// thin returns the residuals to keep in a Calibration.
func thin(sorted []float64) []float64 {
	n := len(sorted)
	if n <= keptResiduals {
		return sorted
	}
	kept := make([]float64, keptResiduals)
	for i := range kept {
		kept[i] = sorted[ceilDiv((i+1)*n, keptResiduals)-1]
	}
	return kept
}

func (c *Calibration) check() error {
	if c.Samples < 1 || c.Samples > maxSamples {
		return fmt.Errorf("calibration.samples: %d: must lie between 1 and %d", c.Samples, maxSamples)
	}
	if want := min(c.Samples, keptResiduals); len(c.Residuals) != want {
		return fmt.Errorf("calibration: %d residuals of %d samples; want %d", len(c.Residuals), c.Samples, want)
	}
	for i, r := range c.Residuals {
		if !numeric.Finite(r) || r < 0 || i > 0 && r < c.Residuals[i-1] {
			return fmt.Errorf("calibration.residuals[%d]: %v: must be finite, not negative, and in increasing order", i, r)
		}
	}
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
