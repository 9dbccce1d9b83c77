package ensemble_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// sparse is a recipe of rules with at most 1.5 terms on average.
func sparse() recipe.Recipe {
	o := unraced(120)
	o.Model.Rules, o.Model.Terms = 8, 1.5
	return o
}

func TestSparseRules(t *testing.T) {
	testenv.SkipRace(t)
	d := table(300)
	for name, change := range map[string]func(*recipe.Recipe){
		"sparse":     func(*recipe.Recipe) {},
		"short":      func(o *recipe.Recipe) { o.Model.Antecedents = 2 },
		"paper":      func(o *recipe.Recipe) { *o = quick(); o.Model.Terms = 1.5 },
		"components": func(o *recipe.Recipe) { o.Model.PCA, o.Model.Transform = 2, "none" },
		"grid":       func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = "grid", 0 },
		"one update": func(o *recipe.Recipe) { o.Train.Iterations, o.Model.Terms = 1, 0.5 },
	} {
		for _, engine := range []string{"fused", "autodiff"} {
			for _, v := range []*data.Dataset{nil, table(80)} {
				o := sparse()
				change(&o)
				o.Model.Engine = engine
				r := train(t, d, v, o)
				rb := r.Model.RuleBase
				if terms := rb.Terms(); terms > o.Model.Terms || o.Train.Iterations > 1 && terms < o.Model.Terms {
					t.Errorf("%s, %s: %v terms, want %v", name, engine, terms, o.Model.Terms)
				}
				if o.Model.Antecedents > 0 && rb.Length(nil) > o.Model.Antecedents {
					t.Errorf("%s: rules mention %v features", name, rb.Length(nil))
				}
				if r.Training.Iterations != o.Train.Iterations {
					t.Errorf("%s: %d iterations", name, r.Training.Iterations)
				}
			}
		}
	}
}

// TestSparseCostsLittle: on data whose rules need one term, a model with one term errs no more
// than one with all.
func TestSparseCostsLittle(t *testing.T) {
	pieces := func(n int) *data.Dataset {
		d := table(n)
		for n, row := range d.X {
			if d.Y[n] = row[1]; row[0] > 0 {
				d.Y[n] = -2 * row[2]
			}
		}
		return d
	}
	errorOf := func(terms float64) float64 {
		o := sparse()
		o.Train.Iterations, o.Model.Rules, o.Model.Terms = 800, 4, terms
		return rmse(t, train(t, pieces(400), nil, o).Model, pieces(1000))
	}
	if all, one := errorOf(0), errorOf(1); one > 1.1*all {
		t.Errorf("RMSE %v with one term, %v with all", one, all)
	}
}

// TestRemovedTermsStay: through rounds of pruning, and where training continues from a model,
// removed terms stay removed except where merged rules had different ones.
func TestRemovedTermsStay(t *testing.T) {
	d := table(300)
	o := sparse()
	o.Prune.Rounds, o.Prune.Gamma, o.Prune.Theta = 2, 0.9, 0.3
	r := train(t, d, nil, o)
	if rb := r.Model.RuleBase; rb.Terms() > 1.5 || rb.Rules() == 8 {
		t.Errorf("%d rules, %v terms", rb.Rules(), rb.Terms())
	}
	o.Prune.Rounds = 0
	first := train(t, d, nil, o).Model
	again := o
	again.Model.Init, again.Model.Rules = saved(t, first), 0
	moved := false
	check := func(how string, after *rules.RuleBase) {
		for r, w := range first.RuleBase.Consequents {
			for m, v := range w[1:] {
				got := after.Consequents[r][m+1]
				moved = moved || got != v
				if v == 0 && got != 0 {
					t.Errorf("%s: rule %d has the term %d again", how, r, m)
				}
			}
		}
	}
	check("continued", train(t, d, nil, again).Model.RuleBase)
	if !moved {
		t.Error("training did not change a term")
	}
	if kept := testenv.Must(recipe.Of(first)).Model.Terms; kept != 1.5 {
		t.Errorf("the model file keeps %v terms", kept)
	}
	check("pruned", prune(t, first, d, 120, recipe.Prune{Rounds: 1, Gamma: 0, Theta: 1}).Model.RuleBase) // refined alone
	again.Model.Terms = 0
	if rb := train(t, d, nil, again).Model.RuleBase; rb.Terms() != 3 {
		t.Errorf("without a limit, %v terms of 3 are trained", rb.Terms())
	}
}

// slopesHave reports whether all slopes of a model have at most n digits in the units of the
// data, and some have as many.
func slopesHave(m *model.Model, n int) bool {
	some := false
	for _, w := range m.RuleBase.Consequents {
		_, slopes := m.Formula(w)
		for _, v := range slopes {
			if math.Abs(numeric.Round(v, n)-v) > 1e-12*math.Abs(v) {
				return false
			}
			some = some || numeric.Round(v, n-1) != numeric.Round(v, n)
		}
	}
	return some
}

// TestRoundedModels: every model of a training, a pruning, a path and a committee is rounded,
// and its errors are those of the rounded rules.
func TestRoundedModels(t *testing.T) {
	testenv.SkipRace(t)
	d := table(200)
	o := unraced(60)
	o.Model.Rules, o.Model.Round = 6, 2
	pruned := o
	pruned.Prune.Rounds, pruned.Prune.Gamma = 1, 0.9
	committee := o
	committee.Train.Members = 2
	first := train(t, d, nil, o).Model
	models := map[string]*model.Model{"training": first, "with pruning": train(t, d, nil, pruned).Model}
	for i, m := range train(t, d, nil, committee).Model.Members {
		models["member "+string(rune('1'+i))] = m
	}
	refine := testenv.Must(recipe.Of(first))
	refine.Train.Iterations = 10
	path := testenv.Must(ensemble.Run{Recipe: refine}.PrunePath(t.Context(), first, d, nil, 4))
	for _, step := range path.Steps {
		models["path of "+string(rune('0'+step.Rules))] = step.Model
	}
	for _, name := range []string{"sigmoid", "gauss2", "psigmoid", "dsigmoid", "trapezoid", "gaussian"} {
		for n := 1; n <= 2; n++ {
			grown := o
			grown.Model.Init, grown.Model.Membership, grown.Model.Round = "tree", shape(name), n
			m := train(t, d, nil, grown).Model
			if err := m.RuleBase.Validate(); err != nil || m.RuleBase.Splits == nil {
				t.Errorf("tree of %s, %d digits: %v", name, n, err)
			}
			if n == 2 {
				models["tree of "+name] = m
			}
		}
	}
	for name, m := range models {
		if !slopesHave(m, 2) {
			t.Errorf("%s: slopes do not have two digits: %v", name, m.RuleBase.Consequents)
		}
		if e, err := m.Evaluate(t.Context(), d); err != nil || name == "training" && e.RMSE != m.Training.Metrics["rmse_train"] {
			t.Errorf("%s: RMSE %v, in the file %v, %v", name, e.RMSE, m.Training.Metrics["rmse_train"], err)
		}
	}
	o.Model.Round = 0
	if slopesHave(train(t, d, nil, o).Model, 4) {
		t.Error("without model.round, slopes are rounded: nothing is tested")
	}
}

// TestRoundingCostsLittle: three digits change the test RMSE of real tables by less than 0.5%.
func TestRoundingCostsLittle(t *testing.T) {
	testenv.SkipRace(t)
	for name, target := range map[string]string{"no2": "log_no2", "concrete": "strength", "airfoil": "sound_pressure"} {
		d := testenv.Must(data.Read(filepath.Join(testenv.Data(t), name+".csv"), data.Options{Target: target}))
		trainings, tests := testenv.Splits(t, name)
		o := recipe.Robust()
		o.Train.Race, o.Model.Rules, o.Model.Terms, o.Train.Iterations = nil, 8, 3, testenv.CaseNumber(200, 200, 1000)
		all := rmse(t, train(t, d.Subset(trainings[0]), nil, o).Model, d.Subset(tests[0]))
		o.Model.Round = 3
		three := rmse(t, train(t, d.Subset(trainings[0]), nil, o).Model, d.Subset(tests[0]))
		if !near(three, all, 0.005) || three == all {
			t.Errorf("%s: RMSE %v with three digits, %v with all", name, three, all)
		}
	}
}
