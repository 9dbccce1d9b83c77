package ensemble_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // the tests read tables of this format
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// table returns n samples of y = sin(2a) + b c plus a little noise.
func table(t testing.TB, n int) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		y[i] = math.Sin(2*x[i][0]) + x[i][1]*x[i][2] + 0.01*rng.NormFloat64()
	}
	d := must(data.New([]string{"a", "b", "c"}, "y", x, y))
	return d
}

func quick() recipe.Recipe {
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations, o.Train.Batch = 4, 40, 16
	return o
}

// train trains by a recipe or a run; an error ends the test.
func train[R recipe.Recipe | ensemble.Run](t testing.TB, d, validation *data.Dataset, by R) *ensemble.Result {
	t.Helper()
	run, ok := any(by).(ensemble.Run)
	if !ok {
		run.Recipe = any(by).(recipe.Recipe)
	}
	r := must(run.Train(context.Background(), d, validation))
	return r
}

// runOf returns a run of a recipe.
func runOf(r recipe.Recipe) ensemble.Run { return ensemble.Run{Recipe: r} }

// with returns a run with a recipe.
func with(run ensemble.Run, r recipe.Recipe) ensemble.Run {
	run.Recipe = r
	return run
}

func shapeNamed(t testing.TB, name string) membership.Function {
	t.Helper()
	f := must(membership.Lookup(name))
	return f
}

func encoded(t testing.TB, m *model.Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSameSeedSameModel(t *testing.T) {
	d := table(t, 200)
	for _, shape := range membership.Names() {
		o := quick()
		o.Model.Membership = shapeNamed(t, shape)
		first := encoded(t, train(t, d, nil, o).Model)
		if again := encoded(t, train(t, d, nil, o).Model); again != first {
			t.Errorf("%s: the same seed gave a different model", shape)
		}
		o.Train.Seed++
		if other := encoded(t, train(t, d, nil, o).Model); other == first {
			t.Errorf("%s: another seed gave the same model", shape)
		}
	}
}

// TestMackeyGlass: on the built-in data, the error of the preset is far below that of least
// squares.
func TestMackeyGlass(t *testing.T) {
	testenv.SkipRace(t)
	for _, shape := range []string{"gaussian", "trapezoid"} {
		parts := must(data.Source{}.Load(context.Background()))
		o := recipe.Paper()
		o.Model.Membership = shapeNamed(t, shape)
		m := train(t, parts.Train, nil, o).Model
		e := must(m.Evaluate(t.Context(), parts.Test))
		b := must(baseline.Measure(t.Context(), m, parts.Train, parts.Test))
		if !(e.RMSE < b.Linear.RMSE/3) || !(b.Linear.RMSE < b.Constant.RMSE) {
			t.Errorf("%s: RMSE %.4f, least squares %.4f, mean %.4f", shape, e.RMSE, b.Linear.RMSE, b.Constant.RMSE)
		}
	}
}

// TestPaperPreset compares the mean test RMSE on no2 with that of an independent
// implementation (30 splits: 0.500 and 0.505).
func TestPaperPreset(t *testing.T) {
	if testenv.Race {
		t.Skip("ten trainings; the error does not depend on the race detector")
	}
	for shape, want := range map[string]float64{"gaussian": 0.500, "trapezoid": 0.505} {
		if got, _ := meanRMSE(t, "no2", "log_no2", shape, 32, 5); math.Abs(got/want-1) > 0.07 {
			t.Errorf("%s: mean test RMSE %.4f over 5 seeds, want about %.3f", shape, got, want)
		}
	}
}

func TestSampleWeights(t *testing.T) {
	d := table(t, 100)
	plain := train(t, d, nil, quick()).Model
	d.Weights = slices.Repeat([]float64{1}, d.Len())
	if encoded(t, train(t, d, nil, quick()).Model) != encoded(t, plain) {
		t.Error("weights of one changed the model")
	}
	// The targets of samples of weight zero do not affect the slopes.
	for i := range 50 {
		d.Weights[i] = 0
	}
	weighted := train(t, d, nil, quick()).Model
	if encoded(t, weighted) == encoded(t, plain) {
		t.Error("weights of zero had no effect")
	}
}

// A validation part with other features, or an invalid part, is a *data.Error.
func TestPartsAreChecked(t *testing.T) {
	x, y := [][]float64{{1, 2}, {2, 1}, {3, 5}}, []float64{1, 2, 3}
	part := func(names ...string) *data.Dataset {
		d := must(data.New(names, "y", x, y))
		return d
	}
	ragged, short := part("a", "b"), part("a", "b")
	ragged.X[1] = ragged.X[1][:1]
	short.Y = short.Y[:2]
	o := recipe.Paper()
	o.Model.Rules, o.Train.Iterations = 2, 2
	for want, parts := range map[string][2]*data.Dataset{
		`feature 1 is "b", but "a" in the training part`: {part("a", "b"), part("b", "a")},
		"the data have 1 features, the training part 2": {part("a", "b"),
			{Schema: data.Schema{Target: "y", Columns: part("a", "b").Schema.Columns[:1]}, X: [][]float64{{1}}, Y: y[:1]}},
		"validation part: data: row 2 has 1 values, want 2": {part("a", "b"), ragged},
		"data: row 2 has 1 values, want 2":                  {ragged, nil},
		"3 rows of x and 2 of y":                            {short, nil},
	} {
		if _, err := runOf(o).Train(context.Background(), parts[0], parts[1]); err == nil || !strings.Contains(err.Error(), want) ||
			!errors.As(err, new(*data.Error)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestValidationKeepsTheBest(t *testing.T) {
	var run ensemble.Run
	d := table(t, 300)
	parts := must(d.Split(data.Split{Train: 0.3, Validation: 0.7, Seed: 3}))
	o := quick()
	o.Train.Solver, o.Train.Iterations, o.Train.ValidateEvery, o.Train.Patience = optim.Values{"learning_rate": 0.3, "final_lr": 0.3},
		2000, 5, 100
	best := math.Inf(1)
	run.OnIteration = func(m optim.Metrics) error {
		if m.Validation != nil {
			best = min(best, *m.Validation)
		}
		return nil
	}
	r := train(t, parts.Train, parts.Validation, with(run, o))
	e := must(r.Model.Evaluate(t.Context(), parts.Validation))
	if math.Abs(e.RMSE-best) > 1e-9 || r.Training.Stopped != optim.StoppedPatience || r.Training.Best == r.Training.Iterations {
		t.Errorf("kept RMSE %v, best seen %v; %+v", e.RMSE, best, r.Training)
	}
	if got := r.Model.Training.Metrics["rmse_validation"]; got != e.RMSE {
		t.Errorf("the model file has %v, want %v", got, e.RMSE)
	}
}

func TestDivergedRunKeepsAModel(t *testing.T) {
	o := quick()
	o.Train.Optimizer, o.Train.Solver = "sgd", optim.Values{"learning_rate": 1e6}
	r, err := runOf(o).Train(context.Background(), table(t, 100), nil)
	if !errors.Is(err, optim.ErrDiverged) || r == nil || r.Training.Stopped != optim.StoppedDiverged {
		t.Fatalf("%v, %+v", err, r)
	}
	if err := r.Model.RuleBase.Validate(); err != nil {
		t.Error(err)
	}
}

func TestInterruptKeepsAModel(t *testing.T) {
	var run ensemble.Run
	ctx, cancel := context.WithCancel(context.Background())
	o := quick()
	run.OnIteration = func(m optim.Metrics) error {
		if m.Iteration == 7 {
			cancel()
		}
		return nil
	}
	r, err := with(run, o).Train(ctx, table(t, 100), nil)
	if !errors.Is(err, context.Canceled) || r == nil || r.Training.Iterations != 7 {
		t.Errorf("%v, %+v", err, r)
	}
}

// worsening returns a recipe whose error rises from a tree with planes: the penalty of slopes shrinks them.
func worsening() recipe.Recipe {
	o := quick()
	o.Model.Init, o.Train.Iterations, o.Train.Batch, o.Train.Schedule, o.Train.L2 = recipe.Tree, 200, 0, "cosine", 1e5
	o.Train.Optimizer, o.Train.Solver = "adam", optim.Values{"learning_rate": 0.002}
	return o
}

// TestBestIterationIsKept: of a training whose error rises, whether it is completed or ends early; with a constant schedule, which is the
// paper's, it is kept of one that ends early.
func TestBestIterationIsKept(t *testing.T) {
	stop := errors.New("stop")
	for name, c := range map[string]struct {
		schedule string
		until    int
		by       error
		best     bool
	}{
		"completed":           {schedule: "cosine", best: true},
		"completed, constant": {schedule: "constant"},
		"interrupted":         {"cosine", 190, context.Canceled, true},
		"constant":            {"constant", 190, context.Canceled, true},
		"failed":              {"cosine", 190, stop, true},
	} {
		var run ensemble.Run
		ctx, cancel := context.WithCancel(t.Context())
		o := worsening()
		o.Train.Schedule = c.schedule
		run.OnIteration = func(m optim.Metrics) error {
			if m.Iteration == c.until {
				if cancel(); c.by == stop {
					return stop
				}
			}
			return nil
		}
		r, err := with(run, o).Train(ctx, table(t, 100), nil)
		if cancel(); !errors.Is(err, c.by) || r == nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, kept := r.Training, r.Model.Training.Metrics["rmse_train"]
		if c.best && (got.Best != 100 || math.Abs(kept/got.BestTraining-1) > 1e-12 || !(got.LastTraining > 1.01*kept) ||
			!strings.Contains(r.Kept(), "iteration 100 is kept")) {
			t.Errorf("%s: %+v, training RMSE %v, %q", name, got, kept, r.Kept())
		}
		if !c.best && (got.Best != got.Iterations || r.Kept() != "") {
			t.Errorf("%s: %+v, %q", name, got, r.Kept())
		}
	}
}

// TestOddData: every shape trains on data of extreme values and sizes.
func TestOddData(t *testing.T) {
	base := table(t, 40)
	change := func(f func(x [][]float64, y []float64)) *data.Dataset {
		d := table(t, 40)
		f(d.X, d.Y)
		return d
	}
	sets := map[string]*data.Dataset{
		"fewer samples than rules": base.Subset([]int{0, 1, 2}),
		"two samples":              base.Subset([]int{0, 1}),
		"constant target":          change(func(_ [][]float64, y []float64) { clear(y) }),
		"duplicate rows": change(func(x [][]float64, y []float64) {
			for i := range x {
				copy(x[i], x[i%2])
			}
		}),
		"collinear features": change(func(x [][]float64, _ []float64) {
			for i := range x {
				x[i][1], x[i][2] = 2*x[i][0], -x[i][0]
			}
		}),
		"one feature varies": change(func(x [][]float64, _ []float64) {
			for i := range x {
				x[i][1], x[i][2] = 5, 6
			}
		}),
		"scales of 1e150 and 1e-150": change(func(x [][]float64, _ []float64) {
			for i := range x {
				x[i][0] *= 1e150
				x[i][1] *= 1e-150
			}
		}),
	}
	shapes := membership.Names()
	if testenv.Race {
		shapes = []string{"gaussian", "trapezoid"}
	}
	for name, d := range sets {
		for _, shape := range shapes {
			for _, rules := range []int{1, 4} {
				t.Run(fmt.Sprintf("%s/%s/R=%d", name, shape, rules), func(t *testing.T) {
					o := quick()
					o.Model.Membership, o.Model.Rules, o.Train.Batch = shapeNamed(t, shape), rules, 1000
					m := train(t, d, nil, o).Model
					e := must(m.Evaluate(t.Context(), d))
					if math.IsNaN(e.RMSE) || math.IsInf(e.RMSE, 0) {
						t.Errorf("RMSE %v", e.RMSE)
					}
					if name == "constant target" && e.RMSE > 1e-12 {
						t.Errorf("RMSE %v on a constant target", e.RMSE)
					}
				})
			}
		}
	}
	var fault *data.Error
	if _, err := runOf(quick()).Train(context.Background(), base.Subset([]int{0}), nil); !errors.As(err, &fault) {
		t.Errorf("one sample: %v, want a data error", err)
	}
}

func TestBaselines(t *testing.T) {
	x, y := [][]float64{{0, 0, 1}, {1, 2, 1}, {2, 4, 1}, {3, 6, 1}}, []float64{1, 3, 5, 9}
	d := must(data.New([]string{"a", "twice a", "constant"}, "y", x, y))
	b := must(baseline.Measure(t.Context(), untrained(t, d), d, d))
	// The line through the points is 0.6 + 2.6 a; residuals 0.4, -0.2, -0.8, 0.6.
	if want := math.Sqrt((0.16 + 0.04 + 0.64 + 0.36) / 4); math.Abs(b.Linear.RMSE-want) > 1e-12 {
		t.Errorf("least squares: RMSE %v, want %v", b.Linear.RMSE, want)
	}
	if want := math.Sqrt((3.5*3.5 + 1.5*1.5 + 0.5*0.5 + 4.5*4.5) / 4); math.Abs(b.Constant.RMSE-want) > 1e-12 {
		t.Errorf("mean: RMSE %v, want %v", b.Constant.RMSE, want)
	}
	wide, _ := data.New([]string{"a", "b", "c", "d"}, "y", [][]float64{{1, 2, 3, 5}, {2, 1, 4, 4}}, []float64{1, 2})
	if b, err := baseline.Measure(t.Context(), untrained(t, wide), wide, wide); err != nil || b.Linear.RMSE > 1e-9 {
		t.Errorf("more features than samples: %+v, %v", b.Linear, err)
	}
}

// untrained returns a model without rules that knows the preprocessing of a data set.
func untrained(t *testing.T, d *data.Dataset) *model.Model {
	t.Helper()
	prep := must(model.Fit(context.Background(), d))
	return &model.Model{Preprocessing: prep}
}
