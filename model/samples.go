package model

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/metric"
)

// responses are the responses of the rules, or of the members of a committee, to N samples.
type responses struct {
	values [][]float64 // [J][N]
	spread [][]float64 // [J][N], standard deviations over the members; nil without members
	how    []outcome   // [N]; of a committee those of the members combined
}

func newResponses(J, N int) responses {
	r := responses{values: make([][]float64, J), how: make([]outcome, N)}
	for j := range r.values {
		r.values[j] = make([]float64, N)
	}
	return r
}

// set sets the response to sample n to values [J].
func (r responses) set(n int, values []float64) {
	for j, v := range values {
		r.values[j][n] = v
	}
}

// outcome describes how a prediction was obtained.
type outcome struct {
	uncovered bool // no rule covers the sample
	limited   bool // the prediction was clamped to the target's limits
}

// predictSamples predicts samples numbered from first in the caller's goroutine. If y [N], the
// targets of training samples, is not empty, each is predicted without itself among the
// neighbours.
func predictSamples(m *Model, x [][]float64, y []float64, first int) (Predictions, error) {
	r, err := predictBlock(m, x, first)
	if err == nil && m.Neighbours != nil {
		err = m.Neighbours.correct(m.Target, x, y, r.values[0], r.how, first)
	}
	if err != nil {
		return Predictions{}, err
	}
	p := newPredictions(m, r)
	for i, row := range x {
		if r.how[i].uncovered {
			p.Uncovered++
		}
		if r.how[i].limited {
			p.Limited++
		}
		if m.outOfRange(row) {
			p.OutOfRange++
		}
	}
	return p, nil
}

// newPredictions returns the predictions of responses, without their counts.
func newPredictions(m *Model, r responses) Predictions {
	at := 0
	switch o := m.Response; {
	case len(r.values) == 1:
		p := Predictions{Values: r.values[0]}
		if r.spread != nil {
			p.Spread = r.spread[0]
		}
		return p
	case o.Classes != nil:
		return classPredictions(r)
	case o.Quantiles != nil:
		at = medianAt(o.Quantiles)
	}
	p := Predictions{Values: r.values[at], Outputs: r.values}
	if r.spread != nil {
		p.Spread, p.Spreads = r.spread[at], r.spread
	}
	return p
}

// classPredictions returns the predictions of probabilities of classes.
func classPredictions(r responses) Predictions {
	p := Predictions{Values: make([]float64, len(r.how)), Outputs: r.values, Spreads: r.spread}
	if r.spread != nil {
		p.Spread = make([]float64, len(r.how))
	}
	for n := range p.Values {
		most := metric.MostProbable(r.values, n)
		p.Values[n] = float64(most)
		if r.spread != nil {
			p.Spread[n] = r.spread[most][n]
		}
	}
	return p
}

// predictBlock predicts samples numbered from first, without neighbours.
func predictBlock(m *Model, x [][]float64, first int) (responses, error) {
	if !m.Committee() {
		return predictRules(m, x, first)
	}
	all := newResponses(m.Response.size(), len(x))
	members := make([]responses, len(m.Members))
	for k, member := range m.Members {
		var err error
		if members[k], err = predictRules(member, x, first); err != nil {
			return responses{}, err
		}
		for i, o := range members[k].how {
			all.how[i].uncovered = all.how[i].uncovered || o.uncovered
			all.how[i].limited = all.how[i].limited || o.limited
		}
	}
	all.spread = newResponses(m.Response.size(), len(x)).values
	votes := make([]float64, len(m.Members))
	for j := range all.values {
		for i := range x {
			for k := range members {
				votes[k] = members[k].values[j][i]
			}
			all.values[j][i], all.spread[j][i], _, _ = moments(votes, nil)
			if j > 0 && m.Link() == orderedLink { // a rounding error could make them cross
				all.values[j][i] = max(all.values[j][i], all.values[j-1][i])
			}
			if !numeric.Finite(all.values[j][i], all.spread[j][i]) { // overflow: the members are too far apart
				all.values[j][i], all.spread[j][i], all.how[i].uncovered = targetOf(m.Preprocessing, j).Mean, math.MaxFloat64, true
			}
		}
	}
	return all, nil
}

// predictRules predicts samples numbered from first with the model's own rulebase.
func predictRules(m *Model, x [][]float64, first int) (responses, error) {
	scaled, err := m.scale(x, first)
	if err != nil {
		return responses{}, err
	}
	link, err := newResponder(m.Preprocessing)
	if err != nil {
		return responses{}, err
	}
	outputs, covered := m.RuleBase.Forward(scaled, nil)
	r, C := newResponses(m.Response.size(), len(x)), m.OutputCount()
	dst := make([]float64, len(r.values))
	for n := range x {
		r.how[n] = link.predict(dst, outputs[n*C:(n+1)*C], covered[n])
		r.set(n, dst)
	}
	return r, nil
}
