package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// ErrNotCalibrated is returned when a prediction interval or set is requested of a model that was not calibrated.
var ErrNotCalibrated = errors.New("model: not calibrated, so it has no prediction intervals: train with data.calibration, such as 0.2")

const (
	keptResiduals = 1000                              // most residuals that a calibration keeps
	maxSamples    = math.MaxInt / (2 * keptResiduals) // of a calibration, so that ranks do not overflow
)

// Calibrate measures how far the model's predictions are from the targets of samples that
// were not used in training, see [Calibration]. A residual that overflows is an error.
//
// With weights, the k-th smallest score is the weighted quantile of k/n: the smallest score up to which the samples hold this share of
// the total weight. A new sample is assumed to have the mean weight (R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, Conformal
// prediction beyond exchangeability, Ann. Statist. 51 (2023)).
//
// Of a sample of a Whole, all rows of the Whole calibrate the model. Their scores are in
// memory, 8 bytes each, and so are their weights. When ctx ends, Calibrate returns its error.
func (m *Model) Calibrate(ctx context.Context, d *data.Dataset) error {
	if err := m.Validate(); err != nil {
		return err
	}
	k, of := m.kind(), m.Criterion()
	var scores, weights []float64
	err := eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error {
		p, err := m.predict(ctx, m.Fill(block).X, nil)
		if err != nil {
			return err
		}
		for n, y := range block.Y {
			score := k.score(of, p, block, n)
			if !numeric.Finite(score) {
				return fmt.Errorf("model: calibration sample %d: the residual of %v overflows", n, y)
			}
			scores = append(scores, score)
		}
		weights = append(weights, block.Weights...)
		return nil
	})
	if err != nil {
		return err
	}
	scores = numeric.SortedByValue(scores, weights)
	m.Calibration = &Calibration{Samples: len(scores), Residuals: thin(scores)}
	return m.calibrateSteps(ctx, d)
}

// HalfWidth returns half the width of the prediction interval of a level between 0 and 1, in the target's unit, of a model of one number:
// others have intervals of other widths for each sample, see [Model.Intervals]. If the residual of its rank was not kept, it is the next
// larger one. A model without a calibration returns [ErrNotCalibrated]; a level above n/(n+1) is an error that names the number of
// calibration samples it needs.
func (m *Model) HalfWidth(level float64) (float64, error) {
	if m != nil && !m.Number() {
		return 0, errors.New("model: its prediction intervals have no constant width")
	}
	return m.Score(level)
}

// Score returns the largest score, see [Calibration], of the targets inside the prediction intervals of a level, or of the
// classes inside the sets. Its errors are those of [Model.HalfWidth], except that of its [Response].
func (m *Model) Score(level float64) (float64, error) {
	switch {
	case !(level > 0 && level < 1):
		return 0, fmt.Errorf("model: interval level %v: must lie between 0 and 1, such as 0.9", level)
	case m == nil || m.Calibration == nil:
		return 0, ErrNotCalibrated
	}
	return m.Calibration.score(level)
}

// score returns the score of the rank of a level.
func (c *Calibration) score(level float64) (float64, error) {
	rank := int(math.Ceil(float64(float64(c.Samples+1)*level) - 1e-9)) // 0.9 of 10 is 9, despite rounding
	if rank > c.Samples {
		return 0, fmt.Errorf("model: interval level %v needs at least %.0f calibration samples; there were %d, enough for levels up to %.4g",
			level, math.Ceil(level/(1-level)-1e-9), c.Samples, float64(c.Samples)/float64(c.Samples+1))
	}
	return c.Residuals[ceilDiv(rank*len(c.Residuals), c.Samples)-1], nil
}

// Intervals returns the bounds [T][N] of the prediction intervals of a level for predictions of the model, with T targets. With a
// probability of at least the level, the targets of a new sample lie in its intervals, all of them if there are several. Classes have
// sets instead, see [Model.Sets]. Its other errors are those of [Model.HalfWidth].
func (m *Model) Intervals(p Predictions, level float64) (low, high [][]float64, err error) {
	score, err := scoreOn(m, p, level, false)
	if err != nil {
		return nil, nil, err
	}
	low, high = intervals(m, p, score)
	return low, high, nil
}

// intervals returns the bounds [T][N] of the intervals of a score, within the ranges of the targets, see [Target.Range].
func intervals(m *Model, p Predictions, score float64) (low, high [][]float64) {
	low, high = m.kind().intervals(m.Criterion(), p, score)
	values := m.kind().values()
	for c := range low {
		least, most := values[c].Range()
		for n := range low[c] {
			low[c][n], high[c][n] = max(least, min(low[c][n], most)), max(least, min(high[c][n], most))
		}
	}
	return low, high
}

// Sets returns the prediction sets [K][N] of a level for predictions of a model of K classes: which classes they contain. With a
// probability of at least the level, the class of a new sample is in its set; the most probable class always is. Numbers have intervals
// instead, see [Model.Intervals]. Its other errors are those of [Model.HalfWidth].
func (m *Model) Sets(p Predictions, level float64) ([][]bool, error) {
	score, err := scoreOn(m, p, level, true)
	if err != nil {
		return nil, err
	}
	return predictionSets(p, score), nil
}

// Coverage measures the prediction intervals or sets of the level on the samples of d, weighted if it has weights: the share of those
// whose targets they hold, and their mean size, which is the width in the target's unit, of several targets the mean width in standard
// deviations, of sets the number of classes. Of a sample of a Whole, all rows of the Whole are measured. When ctx ends, Coverage returns
// its error.
func (m *Model) Coverage(ctx context.Context, d *data.Dataset, level float64) (share, size float64, err error) {
	score, err := m.Score(level)
	if err == nil {
		err = m.Validate()
	}
	if err != nil {
		return 0, 0, err
	}
	total := 0.0
	err = eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error {
		p, err := m.predict(ctx, m.Fill(block).X, nil)
		if err != nil {
			return err
		}
		held, mean := coverage(m, block, p, score)
		of := twoBlocks{total, numeric.WeightSum(block.Weights, block.Len())}
		share, size, total = of.mean(share, held), of.mean(size, mean), of.a+of.b
		return nil
	})
	return share, size, err
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

// checkCalibration validates the calibration of a model file.
func checkCalibration(c *Calibration, k responseKind) error {
	if c.Samples < 1 || c.Samples > maxSamples {
		return fmt.Errorf("calibration.samples: %d: must lie between 1 and %d", c.Samples, maxSamples)
	}
	if want := min(c.Samples, keptResiduals); len(c.Residuals) != want {
		return fmt.Errorf("calibration: %d residuals of %d samples; want %d", len(c.Residuals), c.Samples, want)
	}
	_, signed := k.(severalQuantiles)
	for i, v := range c.Residuals {
		if !numeric.Finite(v) || v < 0 && !signed || i > 0 && v < c.Residuals[i-1] {
			return fmt.Errorf("calibration.residuals[%d]: %v: must be finite, not negative, and in increasing order", i, v)
		}
	}
	for i := range c.Steps {
		if err := checkCalibration(&c.Steps[i], k); err != nil || c.Steps[i].Steps != nil {
			return fmt.Errorf("calibration.steps[%d]: want residuals of forecasts: %w", i, err)
		}
	}
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// ResidualUnit returns what the residuals of one target are divided by in a [Calibration]: max(prediction, minimum)^power.
// With the log link it is the root of the variance function, with the power 1/2 or 1; otherwise the power is 0.
func ResidualUnit(m *Model) (minimum, power float64) {
	return m.kind().residual(m.Criterion())
}

// scoreOf returns the largest score inside the intervals of a level, or inside the sets of classes.
func scoreOf(m *Model, level float64, sets bool) (float64, error) {
	switch classes := m != nil && m.kind().sets(); {
	case classes && !sets:
		return 0, errors.New("model: classes have prediction sets, not intervals: request sets (--sets)")
	case sets && !classes:
		return 0, errors.New("model: numbers have prediction intervals, not sets: request an interval (--interval)")
	}
	return m.Score(level)
}

// predictionSets returns the sets [K][N] of the classes whose score is at most the given one, and the most probable class.
func predictionSets(p Predictions, score float64) [][]bool {
	in := make([][]bool, len(p.Outputs))
	for k, probabilities := range p.Outputs {
		in[k] = make([]bool, len(probabilities))
		for n, v := range probabilities {
			in[k][n] = 1-v <= score || k == metric.MostProbable(p.Outputs, n)
		}
	}
	return in
}

// coverage returns the results of [Model.Coverage] for predictions of a data set.
func coverage(m *Model, d *data.Dataset, p Predictions, score float64) (share, size float64) {
	sizes, held := make([]float64, d.Len()), make([]float64, d.Len())
	k := m.kind()
	if k.sets() {
		for i, in := range predictionSets(p, score) {
			for n, is := range in {
				if is {
					sizes[n]++
					held[n] += k.observed(d, n, i)
				}
			}
		}
		return numeric.WeightedMean(held, d.Weights), numeric.WeightedMean(sizes, d.Weights)
	}
	low, high := intervals(m, p, score)
	values := k.values()
	for n := range held {
		held[n] = 1
		for c := range low {
			y, unit := k.observed(d, n, c), 1.0
			if len(low) > 1 {
				unit = values[c].Scale * float64(len(low))
			}
			sizes[n] += (high[c][n] - low[c][n]) / unit
			if !(y >= low[c][n] && y <= high[c][n]) {
				held[n] = 0
			}
		}
	}
	return numeric.WeightedMean(held, d.Weights), numeric.WeightedMean(sizes, d.Weights)
}

// scoreOn is scoreOf for predictions, which it checks.
func scoreOn(m *Model, p Predictions, level float64, sets bool) (float64, error) {
	score, err := scoreOf(m, level, sets)
	if err == nil {
		err = checkPredictions(m, p, len(p.Values))
	}
	return score, err
}
