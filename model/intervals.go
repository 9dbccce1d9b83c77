package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// HalfWidth returns half the width of the prediction interval of a level between 0 and 1, in the target's unit, of a model of one number:
// others have intervals of other widths for each sample, see [Model.Intervals]. If the residual of its rank was not kept, it is the next
// larger one. A model without a calibration returns [ErrNotCalibrated]; a level above n/(n+1) is an error that names the number of
// calibration samples it needs.
func (m *Model) HalfWidth(level float64) (float64, error) {
	if m != nil && (!m.Number() || m.Calibration != nil && m.Calibration.Spread != nil) {
		return 0, errors.New("model: its prediction intervals have no constant width")
	}
	return m.Score(level, BothSides)
}

// Score returns the largest score, see [Calibration], of the targets inside the prediction intervals of a level on a side, or of the
// classes inside the sets, which are of both sides. Its errors are those of [Model.HalfWidth], except that of its [Response], and that of
// a side of a model that has none.
func (m *Model) Score(level float64, side Side) (float64, error) {
	switch {
	case !(level > 0 && level < 1):
		return 0, fmt.Errorf("model: interval level %v: must lie between 0 and 1, such as 0.9", level)
	case m != nil && m.Schema.Offset.Column != "":
		return 0, errors.New("model: a target with an exposure (data.offset) has no prediction intervals")
	case m == nil || m.Calibration == nil:
		return 0, ErrNotCalibrated
	}
	return m.Calibration.score(level, side, m.kind().sets())
}

// score returns the score of the rank of a level on a side; sets have none.
func (c *Calibration) score(level float64, side Side, sets bool) (float64, error) {
	scores, known := map[Side][]float64{BothSides: c.Residuals, LowerSide: c.Below, UpperSide: c.Above}[side]
	switch {
	case !known:
		return 0, fmt.Errorf("model: side %s of intervals: must be both, lower or upper", escape.Quote(string(side)))
	case scores == nil && sets:
		return 0, errors.New("model: classes have prediction sets, which have no sides")
	case scores == nil:
		return 0, errors.New("model: calibrated by an older version of tskgraph, without bounds on one side: train again")
	}
	rank := rankOf(level, c.Samples)
	if rank > c.Samples {
		return 0, fmt.Errorf("model: interval level %v needs at least %.0f calibration samples; there were %d, enough for levels up to %.4g",
			level, math.Ceil(level/(1-level)-1e-9), c.Samples, float64(c.Samples)/float64(c.Samples+1))
	}
	return scores[ceilDiv(rank*len(scores), c.Samples)-1], nil
}

// Intervals returns the bounds [T][N] of the prediction intervals of a level on a side for predictions of the model, with T targets. With
// a probability of at least the level, the targets of a new sample lie in its intervals, all of them if there are several. Classes have
// sets instead, see [Model.Sets]. Its other errors are those of [Model.Score].
func (m *Model) Intervals(p Predictions, level float64, side Side) (low, high [][]float64, err error) {
	score, err := scoreOn(m, p, level, side, false)
	if err != nil {
		return nil, nil, err
	}
	low, high = intervals(m, p, score, side)
	return low, high, nil
}

// intervals returns the bounds [T][N] of the intervals of a score on a side, within the ranges of the targets, see [Target.Range].
func intervals(m *Model, p Predictions, score float64, side Side) (low, high [][]float64) {
	low, high = m.kind().intervals(m.Criterion(), p, score)
	values := m.kind().values()
	for c := range low {
		least, most := values[c].Range()
		for n := range low[c] {
			l, h := low[c][n], high[c][n]
			switch {
			case side == LowerSide:
				h = most
			case side == UpperSide:
				l = least
			case h < l: // the interval is empty
				l += float64((h - l) / 2)
				h = l
			}
			low[c][n], high[c][n] = max(least, min(l, most)), max(least, min(h, most))
		}
	}
	return low, high
}

// Sets returns the prediction sets [K][N] of a level for predictions of a model of K classes: which classes they contain. With a
// probability of at least the level, the class of a new sample is in its set; the most probable class always is. Numbers have intervals
// instead, see [Model.Intervals]. Its other errors are those of [Model.HalfWidth].
func (m *Model) Sets(p Predictions, level float64) ([][]bool, error) {
	score, err := scoreOn(m, p, level, BothSides, true)
	if err != nil {
		return nil, err
	}
	return predictionSets(p, score), nil
}

// Coverage measures the prediction intervals or sets of the level on the samples of d, weighted if it has weights: the share of those
// whose targets they hold, and their mean size, which is the width in the target's unit, of several targets the mean width in standard
// deviations, of sets the number of classes, and of intervals on one side the distance from the prediction to the bound. Of a sample of a
// Whole, all rows of the Whole are measured. When ctx ends, Coverage returns its error.
func (m *Model) Coverage(ctx context.Context, d *data.Dataset, level float64, side Side) (share, size float64, err error) {
	score, err := m.Score(level, side)
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
		held, mean := coverage(m, block, p, score, side)
		of := twoBlocks{total, numeric.WeightSum(block.Weights, block.Len())}
		share, size, total = of.mean(share, held), of.mean(size, mean), of.a+of.b
		return nil
	})
	return share, size, err
}

// scoreOf returns the largest score inside the intervals of a level on a side, or inside the sets of classes.
func scoreOf(m *Model, level float64, side Side, sets bool) (float64, error) {
	switch classes := m != nil && m.kind().sets(); {
	case classes && !sets:
		return 0, errors.New("model: classes have prediction sets, not intervals: request sets (--sets)")
	case sets && !classes:
		return 0, errors.New("model: numbers have prediction intervals, not sets: request an interval (--interval)")
	}
	return m.Score(level, side)
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

// Held returns which samples [N] of a data set are inside the intervals or sets of a level for their predictions, with all their targets,
// and the sizes [N] of [Model.Coverage]. Its errors are those of [Model.Score].
func (m *Model) Held(p Predictions, d *data.Dataset, level float64, side Side) (held []bool, sizes []float64, err error) {
	score, err := m.Score(level, side)
	if err == nil {
		err = checkCalibrated(m, p, d.Len())
	}
	if err != nil {
		return nil, nil, err
	}
	held, sizes = heldBy(m, d, p, score, side)
	return held, sizes, nil
}

// heldBy is Held for a score.
func heldBy(m *Model, d *data.Dataset, p Predictions, score float64, side Side) (held []bool, sizes []float64) {
	held, sizes = make([]bool, d.Len()), make([]float64, d.Len())
	k := m.kind()
	if k.sets() {
		for i, in := range predictionSets(p, score) {
			for n, is := range in {
				if is {
					sizes[n]++
					held[n] = held[n] || k.observed(d, n, i) == 1
				}
			}
		}
		return held, sizes
	}
	low, high := intervals(m, p, score, side)
	values, all := k.values(), p.All()
	for n := range held {
		held[n] = true
		for c := range low {
			y, unit, last := k.observed(d, n, c), 1.0, c
			if len(low) > 1 {
				unit = values[c].Scale * float64(len(low))
			} else {
				last = len(all) - 1 // of quantiles
			}
			l, h := low[c][n], high[c][n]
			held[n] = held[n] && y >= l && y <= h
			switch side {
			case LowerSide:
				h = all[c][n]
			case UpperSide:
				l = all[last][n]
			}
			sizes[n] += (h - l) / unit
		}
	}
	return held, sizes
}

// coverage returns the results of [Model.Coverage] for predictions of a data set.
func coverage(m *Model, d *data.Dataset, p Predictions, score float64, side Side) (share, size float64) {
	held, sizes := heldBy(m, d, p, score, side)
	ones := make([]float64, len(held))
	for n, is := range held {
		if is {
			ones[n] = 1
		}
	}
	return numeric.WeightedMean(ones, d.Weights), numeric.WeightedMean(sizes, d.Weights)
}

// scoreOn is scoreOf for predictions, which it checks.
func scoreOn(m *Model, p Predictions, level float64, side Side, sets bool) (float64, error) {
	score, err := scoreOf(m, level, side, sets)
	if err == nil {
		err = checkCalibrated(m, p, len(p.Values))
	}
	return score, err
}

// checkCalibrated is checkPredictions for intervals, which need the scales of the spread.
func checkCalibrated(m *Model, p Predictions, N int) error {
	if m.Calibration.Spread != nil && len(p.scales) != N {
		return errors.New("model: predictions without the spread of the calibration: predict with the calibrated model")
	}
	return checkPredictions(m, p, N)
}
