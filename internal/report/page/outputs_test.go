package page

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// severalOutputs returns untrained models of each link but the identity with one target.
func severalOutputs(t testing.TB) []subject {
	classes := func(names ...string) *data.Dataset {
		d := table(60)
		d.Schema.Classes, d.Schema.TargetUnit = names, ""
		for n := range d.Y {
			d.Y[n] = float64(n % len(names))
		}
		return d
	}
	shares := func(names ...string) []model.Class {
		var all []model.Class
		for _, name := range names {
			all = append(all, model.Class{Name: name, Share: 1 / float64(len(names))})
		}
		return all
	}
	several, positive := table(60), table(60)
	several.Schema.Others, several.Others = []data.Other{{Name: "z", Unit: "kg"}}, [][]float64{make([]float64, 60)}
	for n := range several.Y {
		several.Others[0][n], positive.Y[n] = 3*several.X[n][0]-several.Y[n], 1+float64(n%7)
	}
	low := 0.0
	var all []subject
	for _, c := range []struct {
		name   string
		d      *data.Dataset
		C      int
		change func(p *model.Preprocessing)
	}{
		{"logit", classes("<no>", "yes"), 1, func(p *model.Preprocessing) {
			p.Response = model.Response{Link: "logit", Classes: shares("<no>", "yes")}
		}},
		{"softmax", classes("a", "b", "c"), 3, func(p *model.Preprocessing) {
			p.Response = model.Response{Link: "softmax", Classes: shares("a", "b", "c")}
		}},
		{"ordered", table(60), 3, func(p *model.Preprocessing) {
			p.Response = model.Response{Link: "ordered", Quantiles: []float64{0.1, 0.5, 0.9}, TrainingQuantiles: []float64{5, 9, 13}}
			p.Target.SD = 2
		}},
		{"log", positive, 1, func(p *model.Preprocessing) {
			p.Response = model.Response{Link: "log"}
			p.Target.Low = &low
		}},
		{"targets", several, 2, func(p *model.Preprocessing) {
			second := testenv.Must(model.Fit(context.Background(), several.Target(1)))
			p.Target.SD, second.Target.SD, second.Target.Margin = 3, 40, 0.01
			p.Response = model.Response{Link: "identity", Targets: []model.Target{p.Target, second.Target}}
		}},
	} {
		rng := rand.New(rand.NewPCG(7, 7))
		one := *c.d.Target(0) // of numbers
		one.Schema.Classes = nil
		m := untrained(t, lookup(t, "gaussian"), &one, 6, nil)
		m.Schema.Classes, m.Schema.Others = c.d.Schema.Classes, c.d.Schema.Others
		c.change(&m.Preprocessing)
		for r, w := range m.RuleBase.Consequents {
			for range (c.C - 1) * len(w) {
				m.RuleBase.Consequents[r] = append(m.RuleBase.Consequents[r], rng.NormFloat64())
			}
		}
		all = append(all, subject{c.name, m, c.d})
	}
	return all
}

// TestForwardPassOfOutputs: for each link, the page's probabilities, quantiles and targets are those of the model, near the
// data and far from it; the choice of the output changes what is shown.
func TestForwardPassOfOutputs(t *testing.T) {
	var p *browser.Page
	for _, s := range testenv.Draw(severalOutputs(t), 2, 1, 0) { // two classes, quantiles and targets by default
		p = opened(t, p, s)
		x := s.data.X[:30:30]
		rng := rand.New(rand.NewPCG(4, 5))
		for range 20 {
			far := append([]float64{}, s.data.X[rng.IntN(3)]...)
			far[0], far[5] = 200*rng.NormFloat64(), 50*rng.NormFloat64()
			x = append(x, far)
		}
		var rows []map[string]any
		for _, row := range x {
			rows = append(rows, values(s.model.Schema, row))
		}
		text := testenv.Must(json.Marshal(rows))
		var got [][]float64
		p.Evaluate(fmt.Sprintf(`%s.map((row) => tskgraph.predict(row).values)`, text), &got)
		want := testenv.Must(s.model.Predict(x))
		outputs := want.Outputs
		if outputs == nil {
			outputs = [][]float64{want.Values}
		}
		for i := range x {
			for j := range outputs {
				if !near(got[i][j], outputs[j][i]) {
					t.Errorf("%s: row %d: %s", s.name, i, differ(fmt.Sprintf("output %d", j), got[i][j], outputs[j][i]))
				}
			}
		}
		compareIntervals(t, p, s, x, string(text))
		if len(outputs) > 1 {
			var shown []string
			p.Evaluate(`["0", "1"].map((j) => { const s = document.querySelector("#output"); s.value = j; s.onchange?.(); `+
				`s.dispatchEvent(new Event("change")); return document.querySelector("#response-note").textContent; })`, &shown)
			if shown[0] == shown[1] {
				t.Errorf("%s: the choice of an output has no effect: %q", s.name, shown)
			}
			var label string
			p.Evaluate(`document.querySelector("#output").closest("label")?.firstChild.textContent ?? ""`, &label)
			if !slices.Contains([]string{"Target", "Quantile", "Class"}, strings.TrimSpace(label)) {
				t.Errorf("%s: the choice of an output has the label %q", s.name, label)
			}
		}
		sound(t, p, s.name)
	}
}

// compareIntervals compares the page's prediction intervals and sets of some scores with those of the model.
func compareIntervals(t *testing.T, p *browser.Page, s subject, x [][]float64, rows string) {
	t.Helper()
	want := testenv.Must(s.model.Predict(x))
	for _, score := range []float64{0.3, -0.5, 1.5} { // only the scores of quantiles can be negative
		m := *s.model
		m.Calibration = &model.Calibration{Samples: 1, Residuals: []float64{score}}
		if c := s.model.Calibration; c != nil {
			m.Calibration.Spread = c.Spread
		}
		if m.Schema.Classes != nil {
			sets := testenv.Must(m.Sets(want, 0.5))
			var got [][]int
			p.Evaluate(fmt.Sprintf(`%s.map((row) => tskgraph.interval(row, %v))`, rows, score), &got)
			for n := range x {
				for k := range sets {
					if slices.Contains(got[n], k) != sets[k][n] {
						t.Errorf("%s: row %d, score %v: the set %v of the page, class %d %v", s.name, n, score, got[n], k, sets[k][n])
					}
				}
			}
			continue
		}
		low, high, err := m.Intervals(want, 0.5, model.BothSides)
		if err != nil {
			t.Fatal(err)
		}
		var got [][][2]float64
		p.Evaluate(fmt.Sprintf(`%s.map((row) => tskgraph.interval(row, %v))`, rows, score), &got)
		for n := range x {
			for c := range low {
				if !near(got[n][c][0], low[c][n]) || !near(got[n][c][1], high[c][n]) {
					t.Errorf("%s: row %d, score %v, target %d: %v, want %v to %v", s.name, n, score, c, got[n][c], low[c][n], high[c][n])
				}
			}
		}
	}
}

// TestClasses: a page of classes has confusion matrix, receiver operating characteristics and calibration, and no residuals.
func TestClasses(t *testing.T) {
	for _, s := range severalOutputs(t)[:2] {
		page, html := mustNew(t, Input{Model: s.model, Data: Part{"test.csv", s.data}, Train: &Part{"train.csv", s.data}})
		for _, want := range []string{"Confusion matrix", `id="roc"`, `id="calibration"`, "Logistic regression", "Class shares",
			"Balanced accuracy"} {
			if !strings.Contains(html, want) {
				t.Errorf("%s: no %q", s.name, want)
			}
		}
		body, _, _ := strings.Cut(html, `<section id="rules">`)
		for _, not := range []string{"RMSE", `id="residuals"`, "<no>"} {
			if strings.Contains(body, not) {
				t.Errorf("%s: %q is there", s.name, not)
			}
		}
		if c := page.content.Classes; len(c.ROC) != s.model.OutputCount() || page.content.Figure.Name != "log loss" {
			t.Errorf("%s: %d curves, figure %+v", s.name, len(c.ROC), page.content.Figure)
		}
	}
}

// TestScoresOfTargets: the table has a row of each target for the model and the baselines.
func TestScoresOfTargets(t *testing.T) {
	s := severalOutputs(t)[4]
	page, html := mustNew(t, Input{Model: s.model, Data: Part{"test.csv", s.data}, Train: &Part{"train.csv", s.data}})
	if len(page.Scores) != 12 || page.Scores[11].Target != "z" || page.Scores[11].Row() != "Training means, z" {
		t.Errorf("%d scores, %+v", len(page.Scores), page.Scores[len(page.Scores)-1])
	}
	if !strings.Contains(html, "This model, all targets") || !strings.Contains(html,
		"Those of all targets are means in standard deviations.") {
		t.Error("no row of all targets")
	}
}
