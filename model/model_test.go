package model

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// small returns two rules over one feature, z = (x-10)/2; tests compute its values by hand.
func small() *Model {
	return &Model{
		Preprocessing: Preprocessing{
			Schema:   data.Schema{Columns: []data.Column{{Name: "a", Unit: "mm", Encoding: data.Numeric}}, Target: "y", TargetUnit: "kg"},
			Features: []Feature{{Name: "a", Mean: 10, SD: 2, Min: 7, Max: 13}},
			Target:   Target{Mean: 5, Min: 1, Max: 8},
		},
		RuleBase: &rules.RuleBase{
			Shape: membership.Gaussian{},
			Parameters: rules.Parameters{
				Antecedents: [][][]float64{{{0}, {2}}, {{1}, {2}}},
				Consequents: [][]float64{{1, 2}, {-1, 0.5}},
			},
			SpreadFloor: 0.1,
		},
		Training: Training{
			Samples: 4, Iterations: 3, Seed: math.MaxUint64, Engine: "autodiff",
			Options:  map[string]string{"train.l2": "0.05"},
			Versions: map[string]string{"go": "go1.26"},
			Metrics:  map[string]float64{"rmse_train": 0.5},
		},
		Rules: []RuleSummary{{0.75, 3}, {0.25, 1}},
	}
}

// smallTrapezoid has plateaus from x = 10 to 12 and from 18 to 20 and legs one SD wide; no rule fires from 14 to 16 and at the ends.
func smallTrapezoid() *Model {
	m := small()
	m.RuleBase.Shape = membership.Trapezoid{}
	m.RuleBase.Antecedents = [][][]float64{{{-1}, {3}}, {{0}, {4}}, {{1}, {5}}, {{2}, {6}}}
	return m
}

// random returns a model with random rules over a table with categories, a constant column and missing values, and samples like its
// training samples, some of them far away.
func random(t testing.TB, shape membership.Function, seed uint64) (*Model, [][]float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	d := &data.Dataset{Missing: data.Missing{Policy: "mean"}, Schema: data.Schema{Target: "rings", TargetUnit: "1", Columns: []data.Column{
		{Name: "sex", Encoding: data.OneHot, Levels: []string{"F", "I", "M"}},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"small", "<large> \u2028 & <more>"}},
		{Name: "length", Unit: "mm", Encoding: data.Numeric},
		{Name: "flat", Encoding: data.Numeric},
		{Name: "weight", Unit: "µg", Encoding: data.Numeric},
	}}}
	for n := range 60 {
		row := []float64{0, 0, 0, 1 + float64(n%2), 100 + 10*rng.NormFloat64(), 3, 1e-3 * rng.ExpFloat64()}
		row[rng.IntN(3)] = 1
		if n%7 == 0 {
			row[6] = math.NaN()
		}
		d.X, d.Y = append(d.X, row), append(d.Y, 20+3*rng.NormFloat64())
	}
	p := fit(t, d)
	c := &rules.Clusters{}
	for range 5 {
		center, spread := make([]float64, len(p.Used())), make([]float64, len(p.Used()))
		for m := range center {
			center[m], spread[m] = rng.NormFloat64(), 0.2+rng.Float64()
		}
		c.Centers, c.Spreads, c.Targets = append(c.Centers, center), append(c.Spreads, spread), append(c.Targets, rng.NormFloat64())
	}
	rb := rules.New(shape, c)
	for _, w := range rb.Consequents {
		for m := range w {
			w[m] += rng.NormFloat64()
		}
	}
	m, err := New(context.Background(), p, rb, d.X, nil, Training{Samples: d.Len(), Seed: seed,
		Metrics: map[string]float64{"rmse_train": rng.Float64()}})
	if err != nil {
		t.Fatal(err)
	}
	x := d.X
	for range 40 {
		row := slices.Clone(d.X[rng.IntN(60)])
		row[4] += 100 * rng.NormFloat64()
		x = append(x, row)
	}
	return m, x
}

// shapes runs a test for every registered shape.
func shapes(t *testing.T, test func(*testing.T, membership.Function)) {
	for _, name := range membership.Names() {
		t.Run(name, func(t *testing.T) {
			shape := testenv.Must(membership.Lookup(name))
			test(t, shape)
		})
	}
}

func predict(t *testing.T, m *Model, x [][]float64) Predictions {
	t.Helper()
	return testenv.Must(m.Predict(x))
}

// sameBits reports whether a and b are equal to the bit.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

func TestPredictByHand(t *testing.T) {
	// x = 12: z = 1, f = (exp(-1/2), exp(-1/8)), y_r = (3, -0.5), about the mean 5.
	f1, f2 := math.Exp(-0.5), math.Exp(-0.125)
	want := 5 + (3*f1-0.5*f2)/(f1+f2)
	p := predict(t, small(), [][]float64{{12}})
	if math.Abs(p.Values[0]-want) > 1e-14 || p.Uncovered != 0 || p.OutOfRange != 0 {
		t.Errorf("%+v, want %v", p, want)
	}
	// Trapezoids: at 11, z = 0.5 and rule 1 alone, 5 + 1 + 2*0.5.
	if p := predict(t, smallTrapezoid(), [][]float64{{11}}); p.Values[0] != 7 {
		t.Errorf("trapezoid: %v, want 7", p.Values[0])
	}
}

func TestPredictCounts(t *testing.T) {
	// Range 7 to 13, both included; uncovered below 8, from 14 to 16, and above 22.
	m := smallTrapezoid()
	p := predict(t, m, [][]float64{{7}, {13}, {15}, {11}, {22.5}})
	if p.Values[0] != 5 || p.Values[2] != 5 || p.Values[4] != 5 || p.Uncovered != 3 || p.OutOfRange != 2 {
		t.Errorf("%+v", p)
	}
	if p = predict(t, m, [][]float64{{6.999}}); p.OutOfRange != 1 {
		t.Errorf("below the range: %+v", p)
	}
	m.ImputeMeans = true
	if p = predict(t, m, [][]float64{{math.NaN()}}); p.Values[0] != 6 || p.OutOfRange != 0 {
		t.Errorf("missing: %+v, want the value at the mean, 6", p)
	}
	if p = predict(t, m, nil); len(p.Values) != 0 {
		t.Errorf("no samples: %+v", p)
	}
	m.Features[0].Constant = true // ignored, so never out of range
	if m.outOfRange([]float64{99}) {
		t.Error("a constant feature is out of range")
	}
}

func TestPredictOverflow(t *testing.T) {
	m := small()
	m.RuleBase.Consequents = [][]float64{{1e308, 1e308}, {1e308, 1e308}}
	if p := predict(t, m, [][]float64{{30}, {-40}}); p.Values[0] != 5 || p.Values[1] != 5 || p.Uncovered != 2 {
		t.Errorf("%+v, want the training mean, counted", p)
	}
}

func TestPredictNamesTheSample(t *testing.T) {
	x := make([][]float64, 600) // more than one block
	for n := range x {
		x[n] = []float64{10}
	}
	x[513] = []float64{10, 11}
	if _, err := small().Predict(x); err == nil || !strings.Contains(err.Error(), "sample 513: 2 features; the model takes 1") {
		t.Error(err)
	}
	x[513] = []float64{math.NaN()}
	if _, err := small().Predict(x); err == nil || !strings.Contains(err.Error(), `sample 513: feature "a" is NaN`) {
		t.Error(err)
	}
}

func TestPredictKeepsInput(t *testing.T) {
	m, x := random(t, membership.Gaussian{}, 2)
	before, encoded := fmt.Sprint(x), encode(t, m)
	predict(t, m, x)
	if fmt.Sprint(x) != before || string(encode(t, m)) != string(encoded) {
		t.Error("predicting changed the samples or the model")
	}
}

func TestNewSumsUpRules(t *testing.T) {
	m := smallTrapezoid()
	// z = 0.5 and 0: rule 1 alone; z = 4.5: rule 2 alone; z = 2.5: none.
	got, err := New(context.Background(), m.Preprocessing, m.RuleBase, [][]float64{{11}, {10}, {19}, {15}}, nil, m.Training)
	if err != nil || !slices.Equal(got.Rules, []RuleSummary{{0.5, 2}, {0.25, 1}}) {
		t.Errorf("%+v, %v", got.Rules, err)
	}
	// Gaussians at z = 1: f1 < f2, shares f/(f1+f2); over more than one block.
	m = small()
	f1, f2 := math.Exp(-0.5), math.Exp(-0.125)
	got, err = New(context.Background(), m.Preprocessing, m.RuleBase, slices.Repeat([][]float64{{12}}, 300), nil, m.Training)
	if err != nil || math.Abs(got.Rules[0].Share-f1/(f1+f2)) > 1e-13 || got.Rules[0].Samples != 0 || got.Rules[1].Samples != 300 {
		t.Errorf("%+v, %v", got.Rules, err)
	}
	if _, err := New(context.Background(), m.Preprocessing, m.RuleBase, [][]float64{{1, 2}}, nil, m.Training); err == nil {
		t.Error("a sample of two features was accepted")
	}
}

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		name              string
		predicted, target []float64
		want              Metrics
	}{
		// errors (1, -1, 2), squares 6; target about its mean 2: squares 2
		{"by hand", []float64{2, 1, 5}, []float64{1, 2, 3}, Metrics{RMSE: math.Sqrt(2), MAE: 4.0 / 3, R2: 1 - 6.0/2}},
		{"the mean", []float64{2, 2, 2}, []float64{1, 2, 3}, Metrics{RMSE: math.Sqrt(2.0 / 3), MAE: 2.0 / 3, R2: 0}},
		{"perfect", []float64{1, 2}, []float64{1, 2}, Metrics{R2: 1}},
		{"perfect constant", []float64{2, 2}, []float64{2, 2}, Metrics{R2: 1}},
		{"one sample", []float64{3}, []float64{1}, Metrics{RMSE: 2, MAE: 2}},
		// the rounded mean of ten values 0.1 is not 0.1
		{"constant", slices.Repeat([]float64{1.1}, 10), slices.Repeat([]float64{0.1}, 10), Metrics{RMSE: 1, MAE: 1}},
		{"huge errors", []float64{1e300, -1e300}, []float64{0, 1}, Metrics{RMSE: 1e300, MAE: 1e300, R2: -math.MaxFloat64}},
		{"huge target", []float64{0, 0}, []float64{3e307, 4e307}, Metrics{RMSE: math.Sqrt(12.5) * 1e307, MAE: 3.5e307, R2: 1 - 25/0.5}},
		{"tiny errors", []float64{1e-200, 2e-200}, []float64{2e-200, 1e-200}, Metrics{RMSE: 1e-200, MAE: 1e-200, R2: 1 - 2/0.5}},
	} {
		got := MeasureValues(c.predicted, c.target, nil)
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-14*math.Abs(b) }
		if got.Samples != len(c.target) || !near(got.RMSE, c.want.RMSE) || !near(got.MAE, c.want.MAE) || !near(got.R2, c.want.R2) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if got := MeasureValues([]float64{1, math.NaN()}, []float64{1, 2}, nil); !math.IsNaN(got.RMSE) {
		t.Errorf("a prediction that is NaN is hidden: %v", got)
	}
}

func TestEvaluate(t *testing.T) {
	d := columns("error", []string{"a"}, []float64{11, 15, 19}) // targets 1, 2, 3
	e, err := smallTrapezoid().Evaluate(t.Context(), d)         // predicts 7, 5 (uncovered), 5 - 1 + 0.5*4.5 = 6.25
	want := math.Sqrt((6.0*6 + 3*3 + 3.25*3.25) / 3)
	if err != nil || math.Abs(e.RMSE-want) > 1e-14 || e.Samples != 3 || e.Uncovered != 1 || e.OutOfRange != 2 {
		t.Errorf("%+v, %v; want RMSE %v", e, err, want)
	}
	d.X[1] = nil
	if _, err := smallTrapezoid().Evaluate(t.Context(), d); err == nil {
		t.Error("a sample without features was accepted")
	}
}
