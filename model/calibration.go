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
	"github.com/tskgraph/tskgraph/rules"
)

// ErrNotCalibrated is returned when a prediction interval or set is requested of a model that was not calibrated.
var ErrNotCalibrated = errors.New("model: not calibrated, so it has no prediction intervals: train with data.calibration, such as 0.2")

const (
	keptResiduals = 1000                              // most residuals that a calibration keeps
	maxSamples    = math.MaxInt / (2 * keptResiduals) // of a calibration, so that ranks do not overflow
)

// Side says on which sides of a prediction an interval has a bound.
type Side string

// The sides of intervals. The other end of an interval on one side is that of the range of its target, see [Target.Range].
const (
	BothSides Side = "both"
	LowerSide Side = "lower"
	UpperSide Side = "upper"
)

// Calibrate measures how far the model's predictions are from the targets of samples that were not used in training, see [Calibration].
// With the training part, or nil, intervals follow its residuals where they are narrower for it, see [Spread]. A residual that overflows
// is an error.
//
// With weights, the k-th smallest score is the weighted quantile of k/n: the smallest score up to which the samples hold this share of
// the total weight. A new sample is assumed to have the mean weight (R. F. Barber, E. J. Candès, A. Ramdas, R. J. Tibshirani, Conformal
// prediction beyond exchangeability, Ann. Statist. 51 (2023)).
//
// Of a sample of a Whole, all rows of the Whole calibrate the model. Their scores are in
// memory, 8 bytes each, and so are their weights. When ctx ends, Calibrate returns its error.
func (m *Model) Calibrate(ctx context.Context, d, train *data.Dataset) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if m.Schema.Offset.Column != "" {
		return errors.New("model: a rate has no prediction intervals, since its spread depends on the exposure: train without data.calibration")
	}
	with, c := *m, &Calibration{}
	with.Calibration = nil
	if train != nil {
		s, err := fitSpread(ctx, &with, train)
		if err != nil {
			return err
		}
		c.Spread = s
	}
	with.Calibration = c
	s := calibrating{by: make([]ruleScores, with.decided())}
	err := eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error { return s.add(ctx, &with, m.Fill(block)) })
	if err != nil {
		return err
	}
	s.keep(c, m.kind().sets())
	for _, one := range s.by {
		c.Rules = append(c.Rules, one.calibration())
	}
	if err := with.calibrateSteps(ctx, d); err != nil {
		return err
	}
	m.Calibration = c
	return nil
}

// calibrating are the scores of samples.
type calibrating struct {
	below, above, weights []float64
	by                    []ruleScores
}

// ruleScores are the absolute residuals of the samples that a rule decides.
type ruleScores struct{ residuals, weights []float64 }

// add adds the scores of filled samples.
func (s *calibrating) add(ctx context.Context, m *Model, d *data.Dataset) error {
	p, err := m.predict(ctx, d.X, nil)
	if err != nil {
		return err
	}
	if err := s.measure(m, p, d); err != nil || len(s.by) == 0 {
		return err
	}
	decides, err := m.Decides(d.X)
	if err != nil {
		return err
	}
	for n, r := range decides[0] {
		if r < 0 {
			continue
		}
		one := &s.by[r]
		one.residuals = append(one.residuals, math.Abs(d.Y[n]-p.Values[n]))
		if d.Weights != nil {
			one.weights = append(one.weights, d.Weights[n])
		}
	}
	return nil
}

// measure adds the scores of samples with these predictions.
func (s *calibrating) measure(m *Model, p Predictions, d *data.Dataset) error {
	k, of := m.kind(), m.Criterion()
	for n, y := range d.Y {
		below, above := k.off(of, p, d, n)
		if !numeric.Finite(below, above) {
			return fmt.Errorf("model: calibration sample %d: the residual of %v overflows", n, y)
		}
		s.below, s.above = append(s.below, below), append(s.above, above)
	}
	s.weights = append(s.weights, d.Weights...)
	return nil
}

// keep sets the scores of a calibration, of sets those of both sides.
func (s *calibrating) keep(c *Calibration, sets bool) {
	for _, list := range []struct {
		of *[]float64
		by func(below, above float64) float64
	}{{&c.Residuals, func(below, above float64) float64 { return max(below, above) }},
		{&c.Below, func(below, _ float64) float64 { return below }}, {&c.Above, func(_, above float64) float64 { return above }}} {
		all := make([]float64, len(s.below))
		for n := range all {
			all[n] = list.by(s.below[n], s.above[n])
		}
		*list.of = thin(numeric.SortedByValue(all, s.weights))
	}
	if c.Samples = len(s.below); sets {
		c.Below, c.Above = nil, nil
	}
}

// calibration returns what the residuals say of the rule.
func (s ruleScores) calibration() RuleCalibration {
	c := RuleCalibration{Samples: len(s.residuals)}
	if rank := rankOf(withinLevel, c.Samples); rank <= c.Samples {
		c.Within = &numeric.SortedByValue(s.residuals, s.weights)[rank-1]
	}
	return c
}

// withinLevel is the level of RuleCalibration.Within.
const withinLevel = 0.9

// rankOf returns the rank of the score at the end of intervals of a level by n samples; it exceeds n for too few.
func rankOf(level float64, n int) int {
	return int(math.Ceil(float64(float64(n+1)*level) - 1e-9)) // 0.9 of 10 is 9, despite rounding
}

// decided returns the number of rules that Calibration.Rules are of.
func (m *Model) decided() int {
	switch {
	case m.several() || m.Committee():
		return 0
	case m.Pages != nil:
		return len(m.Pages[0].Rules)
	}
	return m.RuleBase.Rules()
}

// Decides returns the rule of the largest firing level for each of the samples x [N][M] in the units of the table: the index of the first
// such rule, of several pages one for each, [1 or C][N], and -1 where no rule fires. A committee is an error.
func (m *Model) Decides(x [][]float64) ([][]int, error) {
	if m.Committee() {
		return nil, errors.New("model: no rule of a committee decides a prediction")
	}
	scaled, err := m.Scale(x)
	if err != nil {
		return nil, err
	}
	pages := m.PageRule()
	all := make([][]int, max(1, len(pages)))
	for _, levels := range m.RuleBase.FiringLevels(scaled, nil) {
		for c := range all {
			of := levels
			if pages != nil {
				of = make([]float64, len(m.Pages[c].Rules))
				for r, level := range levels {
					of[pages[c][r]-1] += level
				}
			}
			first := -1
			if which := rules.Strongest(of, nil); which != nil {
				first = which[0]
			}
			all[c] = append(all[c], first)
		}
	}
	return all, nil
}

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

// checkCalibration validates the calibration of the model of a file.
func checkCalibration(m *Model) error {
	c := m.Calibration
	if c.Samples < 1 || c.Samples > maxSamples {
		return fmt.Errorf("calibration.samples: %d: must lie between 1 and %d", c.Samples, maxSamples)
	}
	for _, list := range []struct {
		name   string
		of     []float64
		signed bool
	}{{"residuals", c.Residuals, m.Ordered()}, {"below", c.Below, true}, {"above", c.Above, true}} {
		if list.of == nil && list.signed && list.name != "residuals" {
			continue
		}
		if want := min(c.Samples, keptResiduals); len(list.of) != want {
			return fmt.Errorf("calibration: %d %s of %d samples; want %d", len(list.of), list.name, c.Samples, want)
		}
		for i, v := range list.of {
			if !numeric.Finite(v) || v < 0 && !list.signed || i > 0 && v < list.of[i-1] {
				return fmt.Errorf("calibration.%s[%d]: %v: must be finite, in increasing order, and of residuals not negative", list.name, i, v)
			}
		}
	}
	if (c.Below == nil) != (c.Above == nil) || c.Below != nil && m.kind().sets() {
		return errors.New("calibration: below and above are for numbers, and go together")
	}
	if c.Rules != nil && len(c.Rules) != m.decided() {
		return fmt.Errorf("calibration.rules: %d of %d rules", len(c.Rules), m.decided())
	}
	for r, one := range c.Rules {
		enough := rankOf(withinLevel, one.Samples) <= one.Samples
		if one.Samples < 0 || one.Samples > c.Samples || (one.Within != nil) != enough ||
			enough && !(numeric.Finite(*one.Within) && *one.Within >= 0) {
			return fmt.Errorf("calibration.rules[%d]: %d samples of %d: out of range, or within is not finite or does not go with them", r,
				one.Samples, c.Samples)
		}
	}
	for i, step := range c.Steps {
		if step.Steps != nil || step.Rules != nil || step.Spread != nil {
			return fmt.Errorf("calibration.steps[%d]: a step has no steps, rules and spread", i)
		}
		of := *m
		of.Calibration = &step
		if err := checkCalibration(&of); err != nil {
			return fmt.Errorf("calibration.steps[%d]: %w", i, err)
		}
	}
	if c.Spread == nil {
		return nil
	}
	if err := c.Spread.check(m.Preprocessing); err != nil {
		return fmt.Errorf("calibration.%w", err)
	}
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// ResidualUnit returns what the residuals of one target are divided by in a [Calibration]: max(prediction, minimum)^power.
// With the log link it is the root of the variance function, with the power 1/2 or 1; otherwise the power is 0.
func ResidualUnit(m *Model) (minimum, power float64) {
	return m.kind().residual(m.Criterion())
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
