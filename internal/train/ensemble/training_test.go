package ensemble_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// TestOtherSeedOtherModel: of every shape. That the same seed gives the same model is in the contract.
func TestOtherSeedOtherModel(t *testing.T) {
	d := table(200)
	for _, name := range membership.Names() {
		o := quick()
		o.Model.Membership = shape(name)
		first := encoded(t, train(t, d, nil, o).Model)
		if o.Train.Seed++; encoded(t, train(t, d, nil, o).Model) == first {
			t.Errorf("%s: another seed gave the same model", name)
		}
	}
}

// TestAnyProcessors: the number of processors changes neither a bit of a model nor a score of its race.
func TestAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	committee := quick()
	committee.Train.Members = 3
	curves := committee
	curves.Model.Curves, curves.Model.Knots, curves.Train.Iterations = recipe.OwnCurves, 6, 20
	race := racing()
	race.Train.Race = []recipe.Setting{{"iterations": 40}, {"iterations": 60, "init": "one-feature"}, {"iterations": 50, "antecedents": 1}}
	for name, o := range map[string]recipe.Recipe{
		"committee": committee, "committee with curves": curves, "race": race, "least squares": anfis("least-squares", 20, 3),
	} {
		var want string
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			r := train(t, table(200), nil, o)
			got := encoded(t, r.Model)
			for _, score := range r.Race {
				got += string(testenv.Must(score.MarshalJSON()))
			}
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: %d processors give a different model or different scores", name, procs)
			}
		}
	}
}

// TestMackeyGlass: on the built-in data, the error of the preset is far below that of least
// squares.
func TestMackeyGlass(t *testing.T) {
	testenv.SkipRace(t)
	parts := testenv.Must(data.Source{}.Load(context.Background()))
	for _, name := range []string{"gaussian", "trapezoid"} {
		o := recipe.Paper()
		o.Model.Membership = shape(name)
		m := train(t, parts.Train, nil, o).Model
		b := testenv.Must(baseline.Measure(t.Context(), m, parts.Train, parts.Test))
		if e := rmse(t, m, parts.Test); !(e < b.Linear.RMSE/3) || !(b.Linear.RMSE < b.Constant.RMSE) {
			t.Errorf("%s: RMSE %.4f, least squares %.4f, mean %.4f", name, e, b.Linear.RMSE, b.Constant.RMSE)
		}
	}
}

// A validation part with other features, or an invalid part, is a *data.Error.
func TestPartsAreChecked(t *testing.T) {
	x, y := [][]float64{{1, 2}, {2, 1}, {3, 5}}, []float64{1, 2, 3}
	part := func(names ...string) *data.Dataset { return testenv.Must(data.New(names, "y", x, y)) }
	ragged, short := part("a", "b"), part("a", "b")
	ragged.X[1] = ragged.X[1][:1]
	short.Y = short.Y[:2]
	o := quick()
	o.Model.Rules, o.Train.Iterations = 2, 2
	for want, parts := range map[string][2]*data.Dataset{
		`feature 1 is "b", but "a" in the training part`: {part("a", "b"), part("b", "a")},
		"the data have 1 features, the training part 2": {part("a", "b"),
			{Schema: data.Schema{Target: "y", Columns: part("a", "b").Schema.Columns[:1]}, X: [][]float64{{1}}, Y: y[:1]}},
		"validation part: data: row 2 has 1 values, want 2": {part("a", "b"), ragged},
		"data: row 2 has 1 values, want 2":                  {ragged, nil},
		"3 rows of x and 2 of y":                            {short, nil},
	} {
		if _, err := (ensemble.Run{Recipe: o}).Train(context.Background(), parts[0], parts[1]); err == nil ||
			!strings.Contains(err.Error(), want) || !errors.As(err, new(*data.Error)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestValidationKeepsTheBest(t *testing.T) {
	parts := testenv.Must(table(300).Split(data.Split{Train: 0.3, Validation: 0.7, Seed: 3}))
	o := quick()
	o.Train.Solver = optim.Values{"learning_rate": 0.3, "final_lr": 0.3}
	o.Train.Iterations, o.Train.ValidateEvery, o.Train.Patience = 2000, 5, 100
	best := math.Inf(1)
	r := train(t, parts.Train, parts.Validation, ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error {
		if m.Validation != nil {
			best = min(best, *m.Validation)
		}
		return nil
	}})
	e := rmse(t, r.Model, parts.Validation)
	if math.Abs(e-best) > 1e-9 || r.Training.Stopped != optim.StoppedPatience || r.Training.Best == r.Training.Iterations {
		t.Errorf("kept RMSE %v, best seen %v; %+v", e, best, r.Training)
	}
	if got := r.Model.Training.Metrics["rmse_validation"]; got != e {
		t.Errorf("the model file has %v, want %v", got, e)
	}
}

func TestDivergedRunKeepsAModel(t *testing.T) {
	o := quick()
	o.Train.Optimizer, o.Train.Solver = "sgd", optim.Values{"learning_rate": 1e6}
	huge := table(60)
	for i := range huge.Y {
		huge.Y[i] *= 1e307
	}
	for name, c := range map[string]struct {
		d      *data.Dataset
		recipe recipe.Recipe
	}{"gradients": {table(100), o}, "the first least squares": {huge, anfis("least-squares", 3, 5)}} {
		r, err := ensemble.Run{Recipe: c.recipe}.Train(context.Background(), c.d, nil)
		if !errors.Is(err, optim.ErrDiverged) || r == nil || r.Training.Stopped != optim.StoppedDiverged || r.Model.RuleBase.Validate() != nil {
			t.Errorf("%s: %v, %+v", name, err, r)
		}
	}
}

// TestInterruptKeepsAModel: within a training and the rounds of pruning, and after the last iteration.
func TestInterruptKeepsAModel(t *testing.T) {
	for at, rounds := range map[int]int{7: 0, 58: 0, 60: 1, 97: 2} {
		run := ensemble.Run{Recipe: pruned()}
		r, err := run.Train(endsAt(&run, at), table(300), nil)
		stopped := optim.StoppedInterrupted
		if at == 97 { // the last: what follows is interrupted
			stopped = optim.StoppedCompleted
		}
		if !errors.Is(err, context.Canceled) || r == nil || r.Training.Iterations != at || r.Training.Stopped != stopped ||
			len(r.Prune) != rounds || r.Model.RuleBase.Validate() != nil {
			t.Errorf("at %d: %v, %+v, want %d rounds", at, err, r, rounds)
		}
	}
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
		run := ensemble.Run{Recipe: worsening()}
		run.Recipe.Train.Schedule = c.schedule
		ctx := endsAt(&run, c.until)
		switch c.by {
		case nil:
			ctx = t.Context()
		case stop:
			ctx, run.OnIteration = t.Context(), func(m optim.Metrics) error {
				if m.Iteration == c.until {
					return stop
				}
				return nil
			}
		}
		r, err := run.Train(ctx, table(100), nil)
		if !errors.Is(err, c.by) || r == nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, kept := r.Training, r.Model.Training.Metrics["rmse_train"]
		if c.best && (got.Best != 100 || !near(kept, got.BestTraining, 1e-12) || !(got.LastTraining > 1.01*kept) ||
			!strings.Contains(r.Kept(), "iteration 100 is kept")) {
			t.Errorf("%s: %+v, training RMSE %v, %q", name, got, kept, r.Kept())
		}
		if !c.best && (got.Best != got.Iterations || r.Kept() != "") {
			t.Errorf("%s: %+v, %q", name, got, r.Kept())
		}
	}
}

// TestFullBatch: batch 0 is a batch of all samples.
func TestFullBatch(t *testing.T) {
	o := quick()
	o.Train.Batch = 0
	all := train(t, table(90), nil, o).Model.RuleBase
	o.Train.Batch = 90
	if same := train(t, table(90), nil, o).Model.RuleBase; !slices.EqualFunc(same.Consequents, all.Consequents, slices.Equal) {
		t.Errorf("consequents %v of batches of all samples, %v of batch 0", same.Consequents, all.Consequents)
	}
}

// TestAgreement checks that rules trained with agreement disagree less, for the sum and the
// mean of the errors and with both engines.
func TestAgreement(t *testing.T) {
	testenv.SkipRace(t)
	d := friedman(data.Split{}).Train.Subset(upTo(300))
	disagreement := func(loss, engine string, alpha float64) float64 {
		o := recipe.Paper()
		o.Model.Rules, o.Model.Init, o.Model.Engine, o.Train.Iterations, o.Prune.Rounds = 8, "kmeans", engine, 60, 0
		o.Train.Loss, o.Train.Batch, o.Train.DropRule, o.Train.L2 = loss, 0, 1, 0
		o.Train.Params.Set("agreement", alpha)
		var last optim.Metrics
		train(t, d, nil, ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error { last = m; return nil }})
		return last.Penalty / alpha // half of the sum of D
	}
	for _, loss := range []string{"sum", "mean"} {
		for _, engine := range []string{"fused", "autodiff"} {
			without, with := disagreement(loss, engine, 1e-9), disagreement(loss, engine, 1)
			if !(with > 0 && with < without/2) {
				t.Errorf("%s, %s: the rules disagree by %v, without the penalty by %v", loss, engine, with, without)
			}
		}
	}
}

// formula returns a shape with a center and a spread.
func formula(name, expr, logExpr string, floor *float64) membership.Function {
	return testenv.Must(membership.Formula{Name: name, Expr: expr, LogExpr: logExpr,
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread", Min: floor}}}.Shape())
}

// TestFormulaFollowsTheBuiltIn: the Cauchy shape as a formula, with or without its
// logarithm, trains like the built-in one. That a model is read as it was saved is in the contract.
func TestFormulaFollowsTheBuiltIn(t *testing.T) {
	testenv.SkipRace(t)
	parts := testenv.Must(data.Source{}.Load(context.Background()))
	losses := func(shape membership.Function) (path, predicted []float64) {
		o := recipe.Paper()
		o.Model.Membership, o.Train.Iterations = shape, 50
		r := train(t, parts.Train, nil, ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error {
			path = append(path, m.Loss)
			return nil
		}})
		if r.OddGrades != "" {
			t.Error(r.OddGrades)
		}
		return path, testenv.Must(r.Model.Predict(parts.Test.X)).Values
	}
	floor := 0.05
	want, values := losses(membership.Cauchy{})
	for _, log := range []string{"", "-log(1+((x-c)/s)^2)"} {
		got, predicted := losses(formula("mine", "1/(1+((x-c)/s)^2)", log, &floor))
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return near(a, b, 1e-9) }) {
			t.Errorf("log_expr %q: losses %v, built in %v", log, got, want)
		}
		if !slices.EqualFunc(predicted, values, func(a, b float64) bool { return math.Abs(a-b) <= 1e-7 }) {
			t.Errorf("log_expr %q predicts other values", log)
		}
	}
}

// TestOddGradesAreReported: a formula with grades outside [0, 1] trains, and the result
// reports them.
func TestOddGradesAreReported(t *testing.T) {
	o := quick()
	o.Model.Membership = formula("odd", "2*exp(-((x-c)/s)^2) - 0.5", "", nil)
	r := train(t, table(100), nil, o)
	if !strings.Contains(r.OddGrades, "grades of odd lie outside 0 to 1, such as ") || !strings.Contains(r.OddGrades, " at a = ") {
		t.Errorf("reported %q", r.OddGrades)
	}
	encoded(t, r.Model)
}
