package model

import "github.com/tskgraph/tskgraph/internal/base/metric"

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
