package model

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// predictSamples predicts samples numbered from first in the caller's goroutine. If y [N], the
// targets of training samples, is not empty, each is predicted without itself among the
// neighbours.
func predictSamples(m *Model, x [][]float64, y []float64, first int) (Predictions, error) {
	values, spread, how, err := predictBlock(m, x, first)
	if err == nil && m.Neighbours != nil {
		err = m.Neighbours.correct(m.Target, x, y, values, how, first)
	}
	if err != nil {
		return Predictions{}, err
	}
	p := Predictions{Values: values, Spread: spread}
	for i, row := range x {
		if how[i].uncovered {
			p.Uncovered++
		}
		if how[i].limited {
			p.Limited++
		}
		if m.outOfRange(row) {
			p.OutOfRange++
		}
	}
	return p, nil
}

// predictBlock predicts samples numbered from first, without neighbours. It returns the values [N] in the
// target's unit, their spread [N] over the members (nil without members), and the
// outcomes [N], those of the members combined.
func predictBlock(m *Model, x [][]float64, first int) (values, spread []float64, how []outcome, err error) {
	if !m.Committee() {
		values, how, err = predictRules(m, x, first)
		return values, nil, how, err
	}
	outputs := make([][]float64, len(m.Members)) // [K][N]
	how = make([]outcome, len(x))
	for k, member := range m.Members {
		var by []outcome
		if outputs[k], by, err = predictRules(member, x, first); err != nil {
			return nil, nil, nil, err
		}
		for i, o := range by {
			how[i].uncovered = how[i].uncovered || o.uncovered
			how[i].limited = how[i].limited || o.limited
		}
	}
	values, spread = make([]float64, len(x)), make([]float64, len(x))
	votes := make([]float64, len(m.Members))
	for i := range x {
		for k := range outputs {
			votes[k] = outputs[k][i]
		}
		values[i], spread[i], _, _ = moments(votes, nil)
		if !numeric.Finite(values[i], spread[i]) { // overflow: the members are too far apart
			values[i], spread[i], how[i].uncovered = m.Target.Mean, math.MaxFloat64, true
		}
	}
	return values, spread, how, nil
}

// predictRules predicts samples numbered from first with the model's own rulebase. It
// returns the values [N], the training mean for samples that no rule covers, and the
// outcomes [N].
func predictRules(m *Model, x [][]float64, first int) (values []float64, how []outcome, err error) {
	scaled, err := m.scale(x, first)
	if err != nil {
		return nil, nil, err
	}
	values, covered := m.RuleBase.Forward(scaled, nil)
	how = make([]outcome, len(x))
	for i, v := range values {
		values[i], how[i].limited = m.Target.value(v)
		if !covered[i] || !numeric.Finite(values[i]) {
			values[i], how[i] = m.Target.Mean, outcome{uncovered: true}
		}
	}
	return values, how, nil
}

// outcome describes how a prediction was obtained.
type outcome struct {
	uncovered bool // no rule covers the sample
	limited   bool // the prediction was clamped to the target's limits
}
