package ensemble_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
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
	d := table(200)
	plain := saved(t, train(t, d, nil, quick()).Model)
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		o := withCurves(kind)
		m := train(t, d, nil, o).Model
		o.Model.Init, o.Model.Knots = saved(t, m), 3
		o.Train.Optimizer, o.Train.Solver, o.Train.Iterations = "sgd", optim.Values{"learning_rate": 1e-12}, 1
		then := train(t, d, nil, o).Model
		if was, now := rmse(t, m, d), rmse(t, then, d); math.Abs(now-was) > 1e-6 {
			t.Errorf("%s: RMSE %v after a tiny step, was %v", kind, now, was)
		}
		if !slices.EqualFunc(then.RuleBase.Knots, m.RuleBase.Knots, slices.Equal) {
			t.Errorf("%s: the knots are not the saved model's", kind)
		}
		for _, o.Model.Curves = range []string{recipe.NoCurves, recipe.SharedCurves, recipe.OwnCurves} {
			var fault *recipe.Error
			if err := fails(d, o); o.Model.Curves != kind && (!errors.As(err, &fault) || fault.Key != "model.curves") {
				t.Errorf("%s after %s: %v", o.Model.Curves, kind, err)
			}
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
	d := table(200)
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		m := train(t, d, nil, withCurves(kind)).Model
		m.Training.Options = nil // the rules say which curves they have
		before := encoded(t, m)
		models := []*model.Model{prune(t, m, d, 10, recipe.Prune{Rounds: 1, Gamma: 1, Theta: 0.3}).Model}
		o := testenv.Must(recipe.Of(m))
		o.Train.Iterations = 10
		for _, s := range testenv.Must(ensemble.Run{Recipe: o}.PrunePath(t.Context(), m, d, nil, 1)).Steps {
			models = append(models, s.Model)
		}
		if last := models[len(models)-1].RuleBase.Rules(); last != 1 || models[0].RuleBase.Rules() == m.RuleBase.Rules() {
			t.Errorf("%s: pruned to %d rules, along the path to %d", kind, models[0].RuleBase.Rules(), last)
		}
		for _, one := range models {
			R := one.RuleBase.Rules()
			read := testenv.Must(model.Decode(strings.NewReader(encoded(t, one))))
			if len(one.RuleBase.Curves) != rows(kind, R) || !slices.Equal(testenv.Must(one.Predict(d.X)).Values,
				testenv.Must(read.Predict(d.X)).Values) {
				t.Errorf("%s: %d rows of curves of %d rules, or the model is not what its file says", kind, len(one.RuleBase.Curves), R)
			}
		}
		if encoded(t, m) != before {
			t.Errorf("%s: the saved model was changed", kind)
		}
	}
}

// TestCurvesFit: rules with curves fit a sine better than linear ones.
func TestCurvesFit(t *testing.T) {
	d := table(300)
	bent := func(kind string) *model.Model {
		o := withCurves(kind)
		o.Train.Iterations = 200
		return train(t, d, nil, o).Model
	}
	linear := rmse(t, bent(recipe.NoCurves), d)
	for _, kind := range []string{recipe.SharedCurves, recipe.OwnCurves} {
		m := bent(kind)
		if rb := m.RuleBase; len(rb.Curves) != rows(kind, rb.Rules()) || len(rb.Knots) != 3 || len(rb.Knots[0]) != 7 {
			t.Errorf("%s: %d rows of curves over the knots %v", kind, len(rb.Curves), rb.Knots)
		}
		if got := rmse(t, m, d); !(got < 0.97*linear) {
			t.Errorf("%s curves: RMSE %v, without %v", kind, got, linear)
		}
	}
}
