package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestInvalidModelsAreRefused: every method of a model that cannot predict returns an error with the cause and does not panic.
func TestInvalidModelsAreRefused(t *testing.T) {
	changed := func(change func(m *Model)) *Model {
		m := small()
		change(m)
		return m
	}
	committee := func(members ...*Model) *Model {
		return &Model{Preprocessing: small().Preprocessing, Members: members}
	}
	d := testenv.Must(data.New([]string{"a"}, "y", [][]float64{{8}, {9}}, []float64{1, 2}))
	for _, c := range []struct {
		m    *Model
		want string
	}{
		{nil, "nil model"},
		{&Model{}, "no rules: train the model, or load it from a file"},
		{&Model{Preprocessing: small().Preprocessing}, "no rules"},
		{changed(func(m *Model) { m.RuleBase.Shape = nil }), "no membership shape"},
		{changed(func(m *Model) { m.RuleBase.Consequents = nil }), "0 rules over 1 features"},
		{changed(func(m *Model) { m.RuleBase.Consequents[1] = nil }), "w[r=1]: 0 values; want 2"},
		{changed(func(m *Model) { m.RuleBase.Antecedents[1][0] = nil }), "sigma[r=0]: 0 values; want 1"},
		{changed(func(m *Model) { m.RuleBase.Antecedents[0] = m.RuleBase.Antecedents[0][:1] }), "c: 1 rows; there are 2 rules"},
		{changed(func(m *Model) { m.RuleBase.Shape = membership.Trapezoid{} }), "2 antecedent parameters; trapezoid has 4"},
		{changed(func(m *Model) { m.Features = nil }), "the rules are over 1 inputs; the preprocessing gives 0"},
		{changed(func(m *Model) { m.Features[0].Constant = true }), "the rules are over 1 inputs; the preprocessing gives 0"},
		{changed(func(m *Model) { m.Components = []Component{{}} }), "components[0] has 0 loadings; 1 features are used"},
		{committee(small(), nil), "members[1] is missing"},
		{committee(small(), &Model{}), "members[1]: model: invalid model: no rules"},
		{changed(func(m *Model) { *m = *committee(small(), small()); m.Features = append(m.Features, Feature{}) }),
			"members[0] has 1 features, the committee 2"},
	} {
		_, predict := c.m.Predict(d.X)
		_, none := c.m.Predict(nil)
		_, evaluate := c.m.Evaluate(t.Context(), d)
		_, table := c.m.PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: strings.NewReader("a\n1\n")},
			TableOptions{}, &bytes.Buffer{})
		for what, err := range map[string]error{
			"Predict": predict, "Predict of none": none, "Evaluate": evaluate, "PredictTable": table, "Validate": c.m.Validate(),
			"Calibrate": c.m.Calibrate(t.Context(), d, nil), "Encode": c.m.Encode(&bytes.Buffer{}),
		} {
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", what, err, c.want)
			}
		}
	}
	if err := small().Validate(); err != nil {
		t.Error(err)
	}
	if _, err := New(context.Background(), small().Preprocessing, nil, d.X, nil, Training{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a new model without rules: %v", err)
	}
	if _, err := NewCommittee(small().Preprocessing, []*Model{small(), nil}, Training{}); err == nil {
		t.Error("a committee with a member missing")
	}
}

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
			"Calibrate": func() error { return m.Calibrate(t.Context(), d, nil) },
			"Coverage":  func() error { _, _, err := m.Coverage(t.Context(), d, 0.9, BothSides); return err },
			"Intervals": func() error { _, _, err := m.Intervals(Predictions{}, 0.9, BothSides); return err },
			"Sets":      func() error { return second(m.Sets(Predictions{}, 0.9)) },
			"HalfWidth": func() error { return second(m.HalfWidth(0.9)) }, "Score": func() error { return second(m.Score(0.9, BothSides)) },
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
		"mean of no model": second((*Model)(nil).MeasureMean(t.Context(), d)), "no data set": second(good.Evaluate(t.Context(),
			nil)), "no training part": second(Fit(t.Context(), nil)), "no samples to check": p.CheckFeatures(nil),
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

// TestPassesEndWithTheContext: preprocessing and what follows training hear their context in every pass over the samples, in blocks of
// them or feature by feature.
func TestPassesEndWithTheContext(t *testing.T) {
	const N, M, blocks = 3 * blockRows, 4, 3
	rng := rand.New(rand.NewPCG(1, 1))
	d := &data.Dataset{Schema: data.Schema{Target: "y"}, X: make([][]float64, N), Y: make([]float64, N)}
	for m := range M {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: string(rune('a' + m)), Encoding: data.Numeric})
	}
	for n := range N {
		d.X[n] = make([]float64, M)
		for m := range M {
			d.X[n][m] = math.Exp(rng.NormFloat64())
		}
		d.Y[n] = math.Sin(3*d.X[n][0]) + d.X[n][1]
	}
	prep := testenv.Must(Fit(t.Context(), d))
	z := testenv.Must(prep.Scale(d.X))
	rb := rules.New(membership.Gaussian{}, testenv.Must(rules.KMeans(t.Context(), rules.Samples{X: z, Y: prep.Targets(d)}, 3, rng)))
	m := testenv.Must(New(t.Context(), prep, rb, d.X, nil, Training{}))
	for name, c := range map[string]struct {
		least int
		work  func(context.Context) error
	}{
		"Fit":        {M, func(ctx context.Context) error { _, err := Fit(ctx, d); return err }},
		"Straighten": {M, func(ctx context.Context) error { p := prep; return p.Straighten(ctx, d.X, nil) }},
		"New":        {blocks, func(ctx context.Context) error { _, err := New(ctx, prep, rb, d.X, nil, Training{}); return err }},
		"Round": {2 * blocks, func(ctx context.Context) error {
			_, err := Round(ctx, prep, rb, 3, z, prep.Targets(d), nil)
			return err
		}},
		"FitNeighbours": {N, func(ctx context.Context) error {
			_, err := FitNeighbours(ctx, m, d, rand.New(rand.NewPCG(1, 1)))
			return err
		}},
		"MeasureReadability": {2 * blocks, func(ctx context.Context) error { _, err := MeasureReadability(ctx, m, d, d); return err }},
		"HeldOutLosses":      {blocks, func(ctx context.Context) error { _, _, err := HeldOutLosses(ctx, m, d, 1); return err }},
	} {
		testenv.EndsEarly(t, name, c.least, c.work)
	}
}

// raised is a Gaussian shape with a parameter of its own, which is registered under no name.
type raised struct {
	membership.Gaussian
	Power int
}

type flatter struct{ membership.Gaussian }

func (flatter) Name() string { return "flatter" }

type joined struct{ inference.Product }

type weighted2 struct{ inference.HTSK }

// TestSaveWhatLoadRestores: a model is not saved with a shape, t-norm or defuzzification that its name does not restore,
// neither alone nor in a committee.
func TestSaveWhatLoadRestores(t *testing.T) {
	for want, change := range map[string]func(rb *rules.RuleBase){
		`shape "gaussian" is model.raised{`:          func(rb *rules.RuleBase) { rb.Shape = raised{Power: 6} },
		`shape "flatter" is not registered`:          func(rb *rules.RuleBase) { rb.Shape = flatter{} },
		`t-norm "product" is model.joined{`:          func(rb *rules.RuleBase) { rb.TNorm = joined{} },
		`defuzzification "htsk" is model.weighted2{`: func(rb *rules.RuleBase) { rb.Defuzzification = weighted2{} },
	} {
		m := small()
		change(m.RuleBase)
		committee := testenv.Must(NewCommittee(m.Preprocessing, []*Model{small(), m}, m.Training))
		for _, m := range []*Model{m, committee} {
			if err := m.Encode(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}

// A program that only loads a model and predicts must stay small: it links neither
// Gorgonia nor packages for the terminal or configuration.
func TestImports(t *testing.T) {
	out := testenv.Must(exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output())
	const ours = "github.com/tskgraph/tskgraph/"
	allowed := []string{
		ours + "model", ours + "rules", ours + "membership", ours + "data", ours + "internal/data/table",
		ours + "internal/data/series",
		ours + "internal/base/parallel", ours + "internal/base/numeric", ours + "internal/base/escape", ours + "internal/base/rowterms", ours +
			"internal/data/buckets", ours + "interval",
		ours + "internal/base/safefile", ours + "internal/base/registry", ours + "loss", ours + "inference", ours + "penalty",
		ours + "internal/base/metric", ours + "page",
		ours + "internal/base/kernel", "golang.org/x/sys/cpu", // fast exponentials
	}
	paths := strings.Fields(string(out))
	if !slices.Contains(paths, ours+"rules") {
		t.Fatalf("go list gave %v", paths)
	}
	for _, path := range allowed {
		if strings.HasPrefix(path, ours) && !slices.Contains(paths, path) {
			t.Errorf("model does not link %s", path)
		}
	}
	for _, path := range paths {
		// The formula parser is for shapes that are defined in a model file.
		if !slices.Contains(allowed, path) && !strings.HasPrefix(path, "github.com/expr-lang/expr/") {
			t.Errorf("model links %s", path)
		}
	}
}
