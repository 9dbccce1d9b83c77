package model

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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

// errCommittee is the error of what rules say of a committee.
var errCommittee = errors.New("model: no rule of a committee decides a prediction")

// Decides returns the rule of the largest firing level for each of the samples x [N][M] in the units of the table: the index of the first
// such rule, of several pages one for each, [1 or C][N], and -1 where no rule fires. A committee is an error.
func (m *Model) Decides(x [][]float64) ([][]int, error) {
	if m.Committee() {
		return nil, errCommittee
	}
	p, err := newPredictor(m, len(x))
	if err != nil {
		return nil, err
	}
	d := newDecider(m)
	err = p.blocks(x, 0, func(start, end int) { d.add(p.rules, end-start) })
	return d.all, err
}

// Firing returns the normalised firing levels of the rules that people read for the samples x [N][M] in the units of the table: of pages
// those of each, [1 or C][N][R], and zero for a sample that no rule covers. A committee is an error.
func (m *Model) Firing(x [][]float64) ([][][]float64, error) {
	if m.Committee() {
		return nil, errCommittee
	}
	scaled, err := m.Scale(x)
	if err != nil {
		return nil, err
	}
	firing, pages := m.RuleBase.FiringLevels(scaled, nil), m.PageRule()
	if pages == nil {
		return [][][]float64{firing}, nil
	}
	all := make([][][]float64, len(pages))
	for c, of := range pages {
		all[c] = newRows(len(x), len(m.Pages[c].Rules))
		for n, levels := range firing {
			for r, level := range levels {
				all[c][n][of[r]-1] += level
			}
		}
	}
	return all, nil
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
