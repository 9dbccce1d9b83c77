package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/internal/weighted"
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

// Calibrate measures the model's residuals on samples that it was not trained on. A
// prediction so wrong that the residual overflows is an error.
//
// With weights, the k-th smallest residual is the least one up to which there is the share
// k/n of the weight: intervals are by the weighted quantile, a new sample having the mean
// weight (R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, Conformal prediction
// beyond exchangeability, Ann. Statist. 51 (2023)).
func (m *Model) Calibrate(d *data.Dataset) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if err := m.CheckFeatures(d); err != nil {
		return err
	}
	d, err := d.Weighed()
	if err != nil {
		return err
	}
	p, err := m.Predict(m.Fill(d).X)
	if err != nil {
		return err
	}
	residuals := make([]float64, len(d.Y))
	for i, y := range d.Y {
		if residuals[i] = math.Abs(y - p.Values[i]); math.IsInf(residuals[i], 0) {
			return fmt.Errorf("model: calibration sample %d: the residual of %v overflows", i, y)
		}
	}
	residuals = weighted.Sorted(residuals, d.Weights)
	m.Calibration = &Calibration{Samples: len(residuals), Residuals: thin(residuals)}
	return nil
}

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

// HalfWidth returns half the width of the prediction interval of a level between 0
// and 1, in the target's unit. Where residuals were left out it takes the next
// larger one that was kept. A model that was not calibrated gives
// [ErrNotCalibrated]; a level above n/(n+1) needs more calibration samples and is
// an error that says how many.
func (m *Model) HalfWidth(level float64) (float64, error) {
	c := m.Calibration
	switch {
	case !(level > 0 && level < 1):
		return 0, fmt.Errorf("model: interval level %v: must lie between 0 and 1, such as 0.9", level)
	case c == nil:
		return 0, ErrNotCalibrated
	}
	rank := int(math.Ceil(float64(float64(c.Samples+1)*level) - 1e-9)) // 0.9 of 10 is 9, rounding or not
	if rank > c.Samples {
		return 0, fmt.Errorf("model: interval level %v needs at least %.0f calibration samples; there were %d, enough for levels up to %.4g",
			level, math.Ceil(level/(1-level)-1e-9), c.Samples, float64(c.Samples)/float64(c.Samples+1))
	}
	return c.Residuals[ceilDiv(rank*len(c.Residuals), c.Samples)-1], nil
}

// Coverage returns the share of the samples of d, weighted if it has weights, whose
// target lies within the prediction interval of the level.
func (m *Model) Coverage(d *data.Dataset, level float64) (float64, error) {
	half, err := m.HalfWidth(level)
	if err != nil {
		return 0, err
	}
	if err := m.CheckFeatures(d); err != nil {
		return 0, err
	}
	if d, err = d.Weighed(); err != nil {
		return 0, err
	}
	p, err := m.Predict(m.Fill(d).X)
	if err != nil {
		return 0, err
	}
	covered := 0.0
	for i, y := range d.Y {
		if math.Abs(y-p.Values[i]) <= half {
			covered += weighted.At(d.Weights, i)
		}
	}
	return covered / weighted.Sum(d.Weights, len(d.Y)), nil
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
