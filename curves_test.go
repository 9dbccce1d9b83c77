package tskgraph_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/recipe"
)

// bent is quick with curves.
func bent(curves string) tskgraph.Recipe {
	o := quick()
	o.Model.Curves, o.Model.Knots, o.Train.Iterations = curves, 6, 200
	return o
}

// TestCurvesFit: rules with curves fit a sine better than linear ones.
func TestCurvesFit(t *testing.T) {
	d := table(t, 300)
	linear := rmse(t, train(t, d, nil, bent(recipe.NoCurves)).Model, d)
	for kind, rows := range map[string]int{recipe.SharedCurves: 1, recipe.OwnCurves: 4} {
		r := train(t, d, nil, bent(kind))
		if rb := r.Model.RuleBase; len(rb.Curves) != rows || len(rb.Knots) != 3 || len(rb.Knots[0]) != 7 {
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

// TestContinueWithCurves: training continues with the curves of a saved model; one without
// curves gets those of the recipe, which are zero at first.
func TestContinueWithCurves(t *testing.T) {
	d := table(t, 200)
	saved := map[string]string{}
	was := map[string]float64{}
	for _, kind := range []string{recipe.NoCurves, recipe.SharedCurves, recipe.OwnCurves} {
		r := train(t, d, nil, bent(kind))
		saved[kind], was[kind] = filepath.Join(t.TempDir(), "model.json"), rmse(t, r.Model, d)
		if err := r.Model.Save(saved[kind]); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ from, to string }{
		{recipe.NoCurves, recipe.SharedCurves}, {recipe.NoCurves, recipe.OwnCurves},
		{recipe.SharedCurves, recipe.SharedCurves}, {recipe.OwnCurves, recipe.OwnCurves},
		{recipe.SharedCurves, recipe.NoCurves}, {recipe.OwnCurves, recipe.NoCurves},
		{recipe.SharedCurves, recipe.OwnCurves}, {recipe.OwnCurves, recipe.SharedCurves},
	} {
		o := bent(c.to)
		o.Model.Init, o.Model.Rules, o.Train.Iterations = saved[c.from], 0, 1
		o.Train.Optimizer, o.Train.Solver = "sgd", nil
		o.Train.Solver.Set("learning_rate", 1e-9)
		r, err := tskgraph.Train(context.Background(), d, nil, o)
		if c.from != c.to && c.from != recipe.NoCurves {
			var fault *recipe.Error
			if !errors.As(err, &fault) || fault.Key != "model.curves" {
				t.Errorf("%s from %s: %v", c.to, c.from, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := rmse(t, r.Model, d); !(got-was[c.from] < 1e-5 && was[c.from]-got < 1e-5) {
			t.Errorf("%s from %s: RMSE %v after a tiny step, was %v", c.to, c.from, got, was[c.from])
		}
		if r.Model.RuleBase.Curves == nil {
			t.Errorf("%s from %s: no curves", c.to, c.from)
		}
	}
}

// TestLeastSquaresRefusesCurves: least squares estimates linear consequents.
func TestLeastSquaresRefusesCurves(t *testing.T) {
	o := anfis("least-squares")
	o.Model.Curves = recipe.SharedCurves
	var fault *recipe.Error
	if _, err := tskgraph.Train(context.Background(), table(t, 60), nil, o); !errors.As(err, &fault) || fault.Key != "model.curves" {
		t.Errorf("%v", err)
	}
}
