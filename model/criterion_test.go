package model

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
)

// samplesOf returns samples of the model's schema with their targets.
func samplesOf(m *Model, x, y []float64, others ...[]float64) *data.Dataset {
	d := tableOf(x, y)
	d.Schema, d.Others = m.Schema, others
	return d
}

// TestMetricsOfResponses checks the figure of each criterion, and that it is the mean of the held-out losses.
func TestMetricsOfResponses(t *testing.T) {
	x := []float64{9, 11.5}
	square := func(v float64) float64 { return v * v }
	for name, m := range withResponses() {
		d := samplesOf(m, x, []float64{1, 0})
		if name == "targets" {
			d.Others = [][]float64{{95, 118}}
		}
		e := testenv.Must(m.Evaluate(t.Context(), d))
		p := predict(t, m, x2(x))
		want := 0.0
		switch name {
		case "targets":
			for n := range x {
				want += (square((p.Outputs[0][n]-d.Y[n])/2) + 3*square((p.Outputs[1][n]-d.Others[0][n])/10)) / 8
			}
			want = math.Sqrt(want)
			if e.Targets[0].Target != "y" || e.Targets[1].RMSE != MeasureValues(p.Outputs[1], d.Others[0],
				nil).RMSE || !equal([]float64{e.RMSE}, []float64{want}) {
				t.Errorf("targets: %+v", e)
			}
		case "quantiles":
			for j, q := range m.Response.Quantiles {
				for n, y := range d.Y {
					off := y - p.Outputs[j][n]
					want += max(q*off, (q-1)*off) / 6
				}
			}
			if len(e.Pinball) != 3 || !equal([]float64{e.Loss}, []float64{(e.Pinball[0] + e.Pinball[1] + e.Pinball[2]) / 3}) {
				t.Errorf("quantiles: %+v", e)
			}
		case "counts":
			mu := p.Values
			want = (-2*math.Log(mu[0]) - 2 + 2*mu[0] + 2*mu[1]) / 2
			if !equal([]float64{*e.Deviance}, []float64{want}) {
				t.Errorf("counts: %+v", e)
			}
		default:
			want = -(math.Log(p.Outputs[1][0]) + math.Log(p.Outputs[0][1])) / 2
			if e.Classes.LogLoss != e.Loss || e.RMSE != 0 {
				t.Errorf("%s: %+v", name, e)
			}
		}
		if !equal([]float64{e.Loss}, []float64{want}) {
			t.Errorf("%s: %v, want %v", name, e.Loss, want)
		}
		losses, alone, err := HeldOutLosses(context.Background(), m, d, 1)
		if err != nil {
			t.Fatal(name, err)
		}
		if figure := m.Criterion().Figure((losses[0]+losses[1])/2, 1); !equal([]float64{figure}, []float64{want}) {
			t.Errorf("%s: held-out losses %v, figure %v, want %v", name, losses, figure, want)
		}
		r := readability(t, m, d, nil)
		if want := m.Criterion().Figure((alone[0]+alone[1])/2, 1) / e.Loss; !near(r.Fidelity,
			want) || r.Disagreement == nil || (r.Agreement != nil) != (m.Schema.Classes != nil) {
			t.Errorf("%s: %+v, fidelity %v, want %v", name, r, *r.Fidelity, want)
		}
	}
}

func x2(x []float64) (rows [][]float64) {
	for _, v := range x {
		rows = append(rows, []float64{v})
	}
	return rows
}

// TestLossesOfOneRule checks that the only rule, read alone, says what the model predicts.
func TestLossesOfOneRule(t *testing.T) {
	for name, m := range withResponses() {
		for j, a := range m.RuleBase.Antecedents {
			m.RuleBase.Antecedents[j] = a[:1]
		}
		m.RuleBase.Consequents, m.Rules = m.RuleBase.Consequents[:1], m.Rules[:1]
		d := samplesOf(m, []float64{9, 10.5}, []float64{0, 1})
		if name == "targets" {
			m.Response.Targets[1].Low = nil
			d.Others = [][]float64{{95, 118}}
		}
		whole, alone, err := HeldOutLosses(context.Background(), m, d, 1)
		if err != nil || !equal(whole, alone) {
			t.Errorf("%s: %v, alone %v, %v", name, whole, alone, err)
		}
		r := readability(t, m, d, nil)
		if !near(r.Fidelity, 1) || *r.Disagreement > 1e-12 || r.Agreement != nil && *r.Agreement != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// logCosh has a metric of its own, trimmed that of the absolute error.
type (
	logCosh struct{ loss.Huber }
	trimmed struct{ loss.Absolute }
)

func (logCosh) Name() string { return "log-cosh" }
func (trimmed) Name() string { return "trimmed" }

// TestCriteria checks the criterion of each loss, and gamma deviance by hand.
func TestCriteria(t *testing.T) {
	for of, want := range map[string]string{"sum": "RMSE", "mean": "RMSE", "huber": "MAE", "absolute": "MAE",
		"quantile": "mean pinball loss", "poisson": "mean Poisson deviance", "gamma": "mean gamma deviance",
		"tweedie": "mean Tweedie deviance"} {
		if got, err := CriterionOf(of, data.Schema{}); err != nil || got.Name != want {
			t.Errorf("%s: %s, %v, want %s", of, got.Name, err, want)
		}
	}
	for of, s := range map[string]data.Schema{"squred": {}, "squared error": {Classes: []string{"a", "b"}}, "logistic": {}} {
		if c, err := CriterionOf(of, s); err == nil {
			t.Errorf("loss %s: %s, want an error", of, c.Name)
		}
	}
	for _, l := range []loss.Loss{logCosh{}, trimmed{}} { // of other modules
		loss.Register(l)
	}
	for of, want := range map[string]string{"log-cosh": "RMSE", "trimmed": "MAE"} {
		if c, err := CriterionOf(of, data.Schema{}); err != nil || c.Name != want {
			t.Errorf("%s: %s, %v, want %s", of, c.Name, err, want)
		}
	}
	for _, of := range loss.Names() {
		if _, err := CriterionOf(of, data.Schema{Classes: []string{"a", "b"}}); err != nil {
			t.Error(err)
		}
	}
	m := smallCounts()
	m.Training.Options["train.loss"] = "gamma"
	d := samplesOf(m, []float64{9}, []float64{3})
	mu := predict(t, m, d.X).Values[0]
	e, err := m.Evaluate(t.Context(), d)
	if want := 2 * (3/mu - 1 - math.Log(3/mu)); err != nil || !equal([]float64{e.Loss}, []float64{want}) {
		t.Errorf("gamma deviance %v, %v, want %v", e.Loss, err, want)
	}
	m.Response.Power = 1.5
	e, err = m.Evaluate(t.Context(), d)
	if want := 4 * math.Pow(math.Sqrt(3)-math.Sqrt(mu), 2) / math.Sqrt(mu); err != nil || !equal([]float64{e.Loss}, []float64{want}) {
		t.Errorf("Tweedie deviance %v, %v, want %v", e.Loss, err, want)
	}
	m.Response.Power = 0
	d.Y[0] = -1 // no deviance
	if e, err = m.Evaluate(t.Context(), d); err != nil || e.Deviance != nil || e.RMSE == 0 {
		t.Errorf("a target below zero: %+v, %v", e, err)
	}
	plain := small()
	plain.Training.Options["train.loss"] = "huber"
	if e, err = plain.Evaluate(t.Context(), tableOf([]float64{9}, []float64{3})); err != nil || e.Loss != e.MAE {
		t.Errorf("huber: %+v, %v", e, err)
	}
	plain.Training.Options["train.loss"] = "quantile" // which the response is not
	if e, err = plain.Evaluate(t.Context(), tableOf([]float64{9}, []float64{3})); err != nil || e.Loss != e.RMSE {
		t.Errorf("a loss of another link: %+v, %v", e, err)
	}
	plain.Training.Options["train.loss"] = "squred"
	if e, err = plain.Evaluate(t.Context(), tableOf([]float64{9}, []float64{3})); !errors.Is(err, ErrInvalid) {
		t.Errorf("an unknown loss: %+v, %v", e, err)
	}
}

// TestMeasureMean checks what predicting without the features is measured as.
func TestMeasureMean(t *testing.T) {
	m := smallClasses()
	if e, err := m.MeasureMean(t.Context(), samplesOf(m, []float64{9}, []float64{2})); err != nil || !equal([]float64{e.Loss},
		[]float64{math.Log(3)}) {
		t.Errorf("classes: %+v", e)
	}
	m = smallQuantiles()
	if e, err := m.MeasureMean(t.Context(), samplesOf(m, []float64{9}, []float64{8})); err != nil || !equal(e.Pinball,
		[]float64{0.05 * 7, 0.5 * 3, 0}) {
		t.Errorf("quantiles: %+v", e)
	}
}

// TestOtherClassesAreRefused checks that a table must have the classes and targets of the training part.
func TestOtherClassesAreRefused(t *testing.T) {
	for name, m := range withResponses() {
		d := tableOf([]float64{9}, []float64{0})
		if _, err := m.Evaluate(t.Context(), d); (err == nil) != (name == "counts" || name == "quantiles") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMeasures: a measure applies to the errors of its task only, under the key that their JSON has, and is printed
// with what bounds or hides it.
func TestMeasures(t *testing.T) {
	deviance, auc := 0.7, 0.96
	classes := func(c metric.Classes) Metrics { return Metrics{Samples: 30, Classes: &c} }
	for _, c := range []struct {
		of   Metrics
		want string
	}{
		{Metrics{Samples: 30, RMSE: 1.234567, MAE: 1, R2: -1e-6}, "RMSE 1.2346, MAE 1, R² 0.0000 over 30 samples"},
		{Metrics{Samples: 30, Weighted: true, Deviance: &deviance, R2: -1.5e308},
			"deviance 0.7, RMSE 0, MAE 0, R² -1.5e+308 over 30 weighted samples"},
		{Metrics{Samples: 30, Pinball: []float64{0.25, 0.75}}, "pinball loss 0.5, RMSE 0, MAE 0, R² 0.0000 over 30 samples"},
		{classes(metric.Classes{LogLoss: 0.1, Accuracy: 0.97, BalancedAccuracy: 0.9, AUC: &auc, AUCError: 0.002, Brier: 0.05}),
			"log loss 0.1, accuracy 0.9700, balanced accuracy 0.9000, AUC 0.9600 ± 0.002, Brier score 0.0500 over 30 samples"},
		{classes(metric.Classes{Absent: 2, Confusion: make([][]float64, 3)}),
			"log loss 0, accuracy 0.0000, balanced accuracy 0.0000, AUC –, Brier score 0.0000 over 30 samples; " +
				"2 of 3 classes have no sample there"},
	} {
		if got := c.of.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		text, err := json.Marshal(c.of)
		for _, m := range c.of.Measures() {
			if err != nil || m.Key != "pinball_loss" && !strings.Contains(string(text), `"`+m.Key+`":`) {
				t.Errorf("no %s in %s, %v", m.Key, text, err)
			}
		}
	}
	for _, c := range criteria {
		if m, ok := MeasureOf(c.Name); !ok || m.Higher {
			t.Errorf("%s: no measure, or one that is better if higher", c.Name)
		}
	}
}
