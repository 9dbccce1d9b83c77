package ensemble_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// withCurves returns a recipe with curves.
func withCurves(kind string) recipe.Recipe {
	o := quick()
	o.Model.Curves, o.Model.Knots = kind, 6
	return o
}

// rows returns the number of rows of curves that R rules have.
func rows(kind string, R int) int {
	if kind == recipe.SharedCurves {
		return 1
	}
	return R
}

// TestContinueCurves: training continues with the curves of a saved model, or adds curves to
// one without; kinds are not mixed.
func TestContinueCurves(t *testing.T) {
	d := table(t, 200)
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		path := filepath.Join(t.TempDir(), model.FileName)
		o := withCurves(kind)
		m := train(t, d, nil, o).Model
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		o.Model.Init, o.Model.Knots = path, 3
		o.Train.Optimizer, o.Train.Solver, o.Train.Iterations = "sgd", optim.Values{"learning_rate": 1e-12}, 1
		r := train(t, d, nil, o)
		was, _ := m.Evaluate(t.Context(), d)
		if now, _ := r.Model.Evaluate(t.Context(), d); math.Abs(now.RMSE-was.RMSE) > 1e-6 {
			t.Errorf("%s: RMSE %v after a tiny step, was %v", kind, now.RMSE, was.RMSE)
		}
		if !slices.EqualFunc(r.Model.RuleBase.Knots, m.RuleBase.Knots, slices.Equal) {
			t.Errorf("%s: the knots are not the saved model's", kind)
		}
		for _, other := range []string{recipe.NoCurves, recipe.SharedCurves, recipe.OwnCurves} {
			if o.Model.Curves = other; other == kind {
				continue
			}
			_, err := runOf(o).Train(context.Background(), d, nil)
			var fault *recipe.Error
			if !errors.As(err, &fault) || fault.Key != "model.curves" {
				t.Errorf("%s after %s: %v", other, kind, err)
			}
		}

		plain := filepath.Join(t.TempDir(), model.FileName)
		if err := train(t, d, nil, quick()).Model.Save(plain); err != nil {
			t.Fatal(err)
		}
		o = withCurves(kind)
		o.Model.Init = plain
		rb := train(t, d, nil, o).Model.RuleBase
		if len(rb.Curves) != rows(kind, rb.Rules()) || !slices.ContainsFunc(rb.Curves[0], func(v float64) bool { return v != 0 }) {
			t.Errorf("curves %s added to a saved model: %v", kind, rb.Curves)
		}
	}
}

// TestPruneCurves prunes a saved model with curves, by a round and along a path, as the file of
// the model says, down to one rule.
func TestPruneCurves(t *testing.T) {
	d := table(t, 200)
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		m := train(t, d, nil, withCurves(kind)).Model
		m.Training.Options = nil // the rules say which curves they have
		o := must(recipe.Of(m))
		o.Train.Iterations, o.Prune = 10, recipe.Prune{Rounds: 1, Gamma: 1, Theta: 0.3}
		before := encoded(t, m)
		r := must(runOf(o).Prune(context.Background(), m, d, nil))
		path := must(runOf(o).PrunePath(context.Background(), m, d, nil, 1))
		models := []*model.Model{r.Model}
		for _, s := range path.Steps {
			models = append(models, s.Model)
		}
		if last := models[len(models)-1].RuleBase.Rules(); last != 1 || r.Model.RuleBase.Rules() == m.RuleBase.Rules() {
			t.Errorf("%s: pruned to %d rules, along the path to %d", kind, r.Model.RuleBase.Rules(), last)
		}
		for _, one := range models {
			R := one.RuleBase.Rules()
			if got := len(one.RuleBase.Curves); got != rows(kind, R) {
				t.Errorf("%s: %d rows of curves of %d rules", kind, got, R)
			}
			read := must(model.Decode(bytes.NewReader([]byte(encoded(t, one)))))
			a, _ := one.Predict(d.X)
			if b, _ := read.Predict(d.X); !slices.Equal(a.Values, b.Values) {
				t.Errorf("%s: the model of %d rules is not what its file says", kind, R)
			}
		}
		if encoded(t, m) != before {
			t.Errorf("%s: the saved model was changed", kind)
		}
	}
}

// bent is a recipe with curves that is trained until they are bent.
func bent(curves string) recipe.Recipe {
	o := withCurves(curves)
	o.Train.Iterations = 200
	return o
}

// TestCurvesFit: rules with curves fit a sine better than linear ones.
func TestCurvesFit(t *testing.T) {
	d := table(t, 300)
	linear := rmse(t, train(t, d, nil, bent(recipe.NoCurves)).Model, d)
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		r := train(t, d, nil, bent(kind))
		if rb := r.Model.RuleBase; len(rb.Curves) != rows(kind, rb.Rules()) || len(rb.Knots) != 3 || len(rb.Knots[0]) != 7 {
			t.Errorf("%s: %d rows of curves over the knots %v", kind, len(rb.Curves), rb.Knots)
		}
		if got := rmse(t, r.Model, d); !(got < 0.97*linear) {
			t.Errorf("%s curves: RMSE %v, without %v", kind, got, linear)
		}
	}
}

// TestCurvesOnAnyProcessors: the number of processors changes no bit of a committee.
func TestCurvesOnAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	o := bent(recipe.OwnCurves)
	o.Train.Members, o.Train.Iterations = 3, 20
	var want string
	for _, procs := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(procs)
		got := encoded(t, train(t, table(t, 120), nil, o).Model)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d processors: another model", procs)
		}
	}
}
