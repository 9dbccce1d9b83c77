package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// ErrNotCalibrated is returned when a prediction interval or set is requested of a model that
// was not calibrated.
var ErrNotCalibrated = errors.New("model: not calibrated, so it has no prediction intervals: train with data.calibration, such as 0.2")

// Calibration holds the data of split-conformal prediction intervals and sets: quantiles of
// scores s on n samples that were not used in training. They hold the targets whose score is
// at most the k-th smallest one, k = ceil((n+1) p) for the level p. They hold the
// target of a new sample with probability p or more if that sample and the calibration samples
// are exchangeable (J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman,
// Distribution-free predictive inference for regression, JASA 113 (2018)). The score of a
// target y is
//
//	one target       |y - prediction|
//	several targets  max_c |y_c - prediction_c| / SD_c: intervals hold all targets together
//	quantiles        max(q_1 - y, y - q_C) of the outermost ones (Y. Romano, E. Patterson, E. Candès,
//	                 Conformalized quantile regression, NeurIPS 2019)
//	counts, costs    |y - mu| / V(mu)^(1/2), a Pearson residual, with V = mu (poisson) or mu^2 (gamma);
//	                 intervals begin at zero or above
//	classes          1 - p_y: sets of the least mean size if the probabilities are right (M. Sadinle, J. Lei,
//	                 L. Wasserman, Least ambiguous set-valued classifiers with bounded error levels, JASA 114 (2019))
type Calibration struct {
	Samples int `json:"samples"` // n

	// Residuals are the scores in increasing order: all n, or, if n exceeds 1000, those of
	// rank ceil(i n/1000), i = 1 to 1000.
	Residuals []float64 `json:"residuals"`
}

const (
	keptResiduals = 1000                              // most residuals that a calibration keeps
	maxSamples    = math.MaxInt / (2 * keptResiduals) // of a calibration, so that ranks do not overflow
)

// newCalibration returns the calibration of a model on a data set.
func newCalibration(ctx context.Context, m *Model, d *data.Dataset) (*Calibration, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	k := m.kind()
	var scores, weights []float64
	err := eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error {
		p, err := m.predict(ctx, m.Fill(block).X, nil)
		if err != nil {
			return err
		}
		for n, y := range block.Y {
			score := k.score(m, p, block, n)
			if !numeric.Finite(score) {
				return fmt.Errorf("model: calibration sample %d: the residual of %v overflows", n, y)
			}
			scores = append(scores, score)
		}
		weights = append(weights, block.Weights...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	scores = weighted.Sorted(scores, weights)
	return &Calibration{Samples: len(scores), Residuals: thin(scores)}, nil
}

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

// threshold returns the largest score inside the interval or set of a level. Its errors are
// those of [Model.HalfWidth].
func threshold(m *Model, level float64) (float64, error) {
	switch {
	case !(level > 0 && level < 1):
		return 0, fmt.Errorf("model: interval level %v: must lie between 0 and 1, such as 0.9", level)
	case m == nil || m.Calibration == nil:
		return 0, ErrNotCalibrated
	}
	c := m.Calibration
	rank := int(math.Ceil(float64(float64(c.Samples+1)*level) - 1e-9)) // 0.9 of 10 is 9, despite rounding
	if rank > c.Samples {
		return 0, fmt.Errorf("model: interval level %v needs at least %.0f calibration samples; there were %d, enough for levels up to %.4g",
			level, math.Ceil(level/(1-level)-1e-9), c.Samples, float64(c.Samples)/float64(c.Samples+1))
	}
	return c.Residuals[ceilDiv(rank*len(c.Residuals), c.Samples)-1], nil
}

// checkCalibration validates the calibration of a model file.
func checkCalibration(c *Calibration, k kind) error {
	if c.Samples < 1 || c.Samples > maxSamples {
		return fmt.Errorf("calibration.samples: %d: must lie between 1 and %d", c.Samples, maxSamples)
	}
	if want := min(c.Samples, keptResiduals); len(c.Residuals) != want {
		return fmt.Errorf("calibration: %d residuals of %d samples; want %d", len(c.Residuals), c.Samples, want)
	}
	_, signed := k.(quantiles)
	for i, v := range c.Residuals {
		if !numeric.Finite(v) || v < 0 && !signed || i > 0 && v < c.Residuals[i-1] {
			return fmt.Errorf("calibration.residuals[%d]: %v: must be finite, not negative, and in increasing order", i, v)
		}
	}
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
