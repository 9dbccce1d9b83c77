package ensemble_test

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
)

// anfis are options of ANFIS with gradient descent, and with least squares.
func anfis(consequents string) recipe.Recipe {
	o := recipe.Paper()
	o.Model.Init, o.Model.Consequents = "genfis", consequents
	o.Train.Optimizer, o.Train.Batch, o.Train.DropRule, o.Train.L2 = "anfis", 0, 1, 0
	return o
}

// TestConsequentsAreLeastSquares: the final consequents are the least-squares estimates for
// the final antecedents, for any optimizer, with and without a validation part; the
// reported loss is theirs.
func TestConsequentsAreLeastSquares(t *testing.T) {
	var run ensemble.Run
	d, validation := table(t, 150), table(t, 40)
	for _, optimizer := range []string{"anfis", "adabound"} {
		for _, v := range []*data.Dataset{nil, validation} {
			o := anfis("least-squares")
			o.Model.Rules, o.Train.Iterations, o.Train.Optimizer, o.Train.L2 = 5, 30, optimizer, 0.01
			if optimizer == "anfis" {
				o.Train.Solver.Set("learning_rate", 0.3) // so long that the last is not the best
			}
			lowest := math.Inf(1)
			run.OnIteration = func(m optim.Metrics) error {
				lowest = min(lowest, m.Loss)
				return nil
			}
			r := train(t, d, v, with(run, o))
			rb := r.Model.RuleBase
			x := must(r.Model.Scale(d.X))
			want := must(must(lse.New(context.Background(), x, r.Model.Center(d.Y), nil, 5, 0.01)).Estimate(context.Background(), rb))
			for i, w := range rb.Consequents {
				for m := range w {
					if w[m] != want[i][m] {
						t.Fatalf("%s: w[%d,%d] = %v, of least squares %v", optimizer, i, m, w[m], want[i][m])
					}
				}
			}
			if data, penalty, _ := rb.Loss(x, r.Model.Center(d.Y), nil, nil, nil, penalty.Slopes{Lambda: 0.01}); optimizer == "anfis" &&
				v == nil && math.Abs(data+penalty-lowest) > 1e-9*lowest {
				t.Errorf("the kept model has the loss %v, the lowest was %v", data+penalty, lowest)
			}
		}
	}
}

// TestLeastSquaresSameBits: the model does not depend on the number of workers.
func TestLeastSquaresSameBits(t *testing.T) {
	d := table(t, 700)
	o := anfis("least-squares")
	o.Model.Rules, o.Train.Iterations = 20, 4
	want := encoded(t, train(t, d, nil, o).Model)
	for _, workers := range []int{1, 3} {
		before := runtime.GOMAXPROCS(workers)
		got := encoded(t, train(t, d, nil, o).Model)
		runtime.GOMAXPROCS(before)
		if got != want {
			t.Errorf("a different model with %d workers", workers)
		}
	}
}

// TestLeastSquaresPrune: each round of pruning estimates the consequents.
func TestLeastSquaresPrune(t *testing.T) {
	o := anfis("least-squares")
	o.Model.Rules, o.Train.Iterations, o.Prune = 6, 20, recipe.Prune{Rounds: 1, Gamma: 1, Theta: 1}
	r := train(t, table(t, 150), nil, o)
	if r.Model.RuleBase.Rules() >= 6 || !(r.Model.Training.Metrics["rmse_train"] < 1) {
		t.Errorf("%d rules, %v", r.Model.RuleBase.Rules(), r.Model.Training.Metrics)
	}
}

// TestFullBatch: batch 0 is a batch of all samples.
func TestFullBatch(t *testing.T) {
	d := table(t, 90)
	o := quick()
	o.Train.Batch = 0
	all := train(t, d, nil, o).Model.RuleBase
	o.Train.Batch = 90
	for r, w := range train(t, d, nil, o).Model.RuleBase.Consequents {
		for m, v := range w {
			if v != all.Consequents[r][m] {
				t.Fatalf("w[%d,%d] = %v of batches of all samples, %v of batch 0", r, m, v, all.Consequents[r][m])
			}
		}
	}
}

// TestANFISOnRealData: gradient descent lowers the error on no2; with least squares
// training runs through on wine-red and housing too, where MATLAB's anfis fails.
func TestANFISOnRealData(t *testing.T) {
	var run ensemble.Run
	if testenv.Race {
		t.Skip("hundreds of estimates; the error does not depend on the race detector")
	}
	dir := testenv.Data(t)
	type trial struct {
		file, target, consequents string
		iterations                int
		falls                     float64 // the training RMSE, to this share of its first value at least
	}
	for _, c := range testenv.Share([]trial{
		{"wine-red", "quality", "least-squares", 40, 0.9},
		{"no2", "log_no2", "gradient", 500, 0.9},
		{"housing", "medv", "least-squares", 40, 0.9},
	}, 2, 1) {
		parts, err := data.Source{
			Path: filepath.Join(dir, c.file+".csv"), Options: data.Options{Target: c.target},
			Split: data.Split{Kind: "random", Train: 0.7, Seed: 1},
		}.Load(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		o := anfis(c.consequents)
		o.Train.Iterations = c.iterations
		first, last := 0.0, 0.0
		run.OnIteration = func(m optim.Metrics) error {
			if m.Iteration == 1 {
				first = m.Batch
			}
			last = m.Batch
			return nil
		}
		r, err := with(run, o).Train(context.Background(), parts.Train, nil)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		e, err := r.Model.Evaluate(t.Context(), parts.Test)
		if err != nil || math.IsNaN(e.RMSE) || e.Uncovered > 0 {
			t.Errorf("%s: %+v, %v", c.file, e, err)
		}
		rmse := r.Model.Training.Metrics["rmse_train"]
		t.Logf("%s, %s: training RMSE from %.4g to %.4g, best %.4g at %d; test %.4g", c.file, c.consequents, first, last, rmse,
			r.Training.Best, e.RMSE)
		if !(rmse < c.falls*first) || !(rmse <= last*(1+1e-9)) || r.Training.Stopped != optim.StoppedCompleted {
			t.Errorf("%s: training RMSE from %v to %v, %v kept; %s", c.file, first, last, rmse, r.Training.Stopped)
		}
	}
}

// must returns a result without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestAgreement checks that rules trained with agreement disagree less, for the sum and the
// mean of the errors and with both engines.
func TestAgreement(t *testing.T) {
	testenv.SkipRace(t)
	parts := friedman(t, data.Split{})
	disagreement := func(loss, engine string, alpha float64) float64 {
		o := recipe.Paper()
		o.Model.Rules, o.Model.Init, o.Model.Engine, o.Train.Iterations, o.Prune.Rounds = 8, "kmeans", engine, 60, 0
		o.Train.Loss, o.Train.Batch, o.Train.DropRule, o.Train.L2 = loss, 0, 1, 0
		o.Train.Params.Set("agreement", alpha)
		var run ensemble.Run
		var last optim.Metrics
		run.OnIteration = func(m optim.Metrics) error { last = m; return nil }
		if _, err := with(run, o).Train(context.Background(), parts.Train, nil); err != nil {
			t.Fatal(err)
		}
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

// cauchy is the built-in Cauchy shape as a formula.
func cauchy(t testing.TB, logExpr string) membership.Function {
	t.Helper()
	floor := 0.05
	f, err := membership.Formula{
		Name: "mine", Expr: "1/(1+((x-c)/s)^2)", LogExpr: logExpr,
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread", Min: &floor}},
	}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFormulaFollowsTheBuiltIn: the Cauchy shape as a formula, with or without its
// logarithm, trains like the built-in one.
func TestFormulaFollowsTheBuiltIn(t *testing.T) {
	testenv.SkipRace(t)
	var run ensemble.Run
	parts := must(data.Source{}.Load(context.Background()))
	losses := func(shape membership.Function) (path []float64, m *model.Model) {
		o := recipe.Paper()
		o.Model.Membership, o.Train.Iterations = shape, 50
		run.OnIteration = func(m optim.Metrics) error {
			path = append(path, m.Loss)
			return nil
		}
		r := must(with(run, o).Train(context.Background(), parts.Train, nil))
		if r.OddGrades != "" {
			t.Error(r.OddGrades)
		}
		return path, r.Model
	}
	want, builtin := losses(membership.Cauchy{})
	for _, log := range []string{"", "-log(1+((x-c)/s)^2)"} {
		got, m := losses(cauchy(t, log))
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9*want[i] {
				t.Fatalf("log_expr %q: loss %v at iteration %d, built in %v", log, got[i], i+1, want[i])
			}
		}
		// The loaded model predicts as before it was saved, and as the built-in shape.
		var file bytes.Buffer
		if err := m.Encode(&file); err != nil {
			t.Fatal(err)
		}
		loaded := must(model.Decode(&file))
		a, _ := m.Predict(parts.Test.X)
		b, err := loaded.Predict(parts.Test.X)
		if err != nil || !slices.Equal(a.Values, b.Values) {
			t.Errorf("log_expr %q: the loaded model predicts different values (%v)", log, err)
		}
		c, _ := builtin.Predict(parts.Test.X)
		for i := range c.Values {
			if math.Abs(a.Values[i]-c.Values[i]) > 1e-7 {
				t.Fatalf("log_expr %q: predicted %v, built in %v", log, a.Values[i], c.Values[i])
			}
		}
	}
}

// TestOddGradesAreReported: a formula with grades outside [0, 1] trains, and the result
// reports them.
func TestOddGradesAreReported(t *testing.T) {
	f, err := membership.Formula{
		Name: "odd", Expr: "2*exp(-((x-c)/s)^2) - 0.5",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}},
	}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	o := quick()
	o.Model.Membership = f
	r := train(t, table(t, 100), nil, o)
	if !strings.Contains(r.OddGrades, "grades of odd lie outside 0 to 1, such as ") || !strings.Contains(r.OddGrades, " at a = ") {
		t.Errorf("reported %q", r.OddGrades)
	}
	encoded(t, r.Model)
}
