package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// ErrNotCalibrated is the error of a prediction interval that is asked of a model
// that was not calibrated.
var ErrNotCalibrated = errors.New("model: not calibrated, so that it has no prediction intervals: train with data.calibration, such as 0.2")

// Calibration holds what split-conformal prediction intervals need: quantiles of
// the absolute residuals on n samples that took no part in training.
//
// The interval of level p is the prediction plus and minus the k-th smallest
// absolute residual, k = ceil((n+1) p). It holds the target of a new sample with
// probability p or more if that sample and the calibration samples are
// exchangeable (J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman,
// Distribution-free predictive inference for regression, JASA 113 (2018)).
type Calibration struct {
	Samples int `json:"samples"` // n

	// Residuals are absolute residuals in rising order, in the target's unit: all
	// n, or of more than 1000 the 1000 of rank ceil(i n/1000), i = 1 to 1000.
	Residuals []float64 `json:"residuals"`
}

const (
	keptResiduals = 1000                              // how many residuals a calibration keeps
	maxSamples    = math.MaxInt / (2 * keptResiduals) // of a calibration, so that ranks do not overflow
)

// thin keeps the residuals that a Calibration keeps.
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
		return fmt.Errorf("calibration.samples: %d: must be a count", c.Samples)
	}
	if want := min(c.Samples, keptResiduals); len(c.Residuals) != want {
		return fmt.Errorf("calibration: %d residuals of %d samples; want %d", len(c.Residuals), c.Samples, want)
	}
	for i, r := range c.Residuals {
		if !numeric.Finite(r) || r < 0 || i > 0 && r < c.Residuals[i-1] {
			return fmt.Errorf("calibration.residuals[%d]: %v: must be finite, not negative, and in rising order", i, r)
		}
	}
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
