package ensemble_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

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

// TestLeastSquaresRefusesCurves: least squares estimates linear consequents.
func TestLeastSquaresRefusesCurves(t *testing.T) {
	o := anfis(recipe.LeastSquares)
	o.Model.Curves = recipe.SharedCurves
	var fault *recipe.Error
	if _, err := runOf(o).Train(context.Background(), table(t, 60), nil); !errors.As(err, &fault) || fault.Key != "model.curves" {
		t.Errorf("%v", err)
	}
}
