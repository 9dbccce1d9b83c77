package model

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/loss"
)

// TestRefuses: models that cannot predict, no data set and wrong sizes are errors of every method with an error result, not panics.
func TestRefuses(t *testing.T) {
	norules, good := small(), small()
	norules.RuleBase = nil
	d := samplesOf(good, []float64{10, 11}, []float64{1, 2})
	predict := func(p Predictions) func(*data.Dataset) (Predictions, error) {
		return func(*data.Dataset) (Predictions, error) { return p, nil }
	}
	for name, m := range map[string]*Model{"nil": nil, "zero": {}, "no rules": norules, "no member": {Members: []*Model{nil}}} {
		for what, f := range map[string]func() error{
			"Predict": func() error { return second(m.Predict(nil)) }, "Explain": func() error { return second(m.Explain([]float64{1})) },
			"Evaluate":  func() error { return second(m.Evaluate(t.Context(), d)) },
			"Calibrate": func() error { return m.Calibrate(t.Context(), d) },
			"Coverage":  func() error { _, _, err := m.Coverage(t.Context(), d, 0.9); return err },
			"Intervals": func() error { _, _, err := m.Intervals(Predictions{}, 0.9); return err },
			"Sets":      func() error { return second(m.Sets(Predictions{}, 0.9)) },
			"HalfWidth": func() error { return second(m.HalfWidth(0.9)) }, "Score": func() error { return second(m.Score(0.9)) },
			"Columns": func() error { return second(TableOptions{}.Columns(m)) },
		} {
			if f() == nil {
				t.Errorf("%s, %s: no error", name, what)
			}
		}
	}
	p, x := good.Preprocessing, d.X
	setResponse := func(l loss.Loss, q []float64, d *data.Dataset) error {
		p := p
		return p.SetResponse(l, Response{Quantiles: q}, d)
	}
	quantiles := loss.Quantile{Levels: []float64{0.5}}
	for name, err := range map[string]error{
		"mean of no model": second((*Model)(nil).MeasureMean(t.Context(), d)), "no data set": second(good.Evaluate(t.Context(), nil)), "no training part": second(Fit(t.Context(), nil)), "no samples to check": p.CheckFeatures(nil),
		"few predictions":     second(good.MeasureBy(t.Context(), d, predict(Predictions{Values: []float64{1}}))),
		"weights":             second(New(t.Context(), p, good.RuleBase, x, []float64{1}, Training{})),
		"response of nothing": setResponse(nil, nil, nil), "quantile": setResponse(quantiles, []float64{math.NaN()}, d),
		"losses of nothing": func() error { _, _, err := HeldOutLosses(t.Context(), good, nil, 1); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := setResponse(nil, nil, d); err != nil {
		t.Errorf("the squared loss: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
