package ensemble_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// slopesHave reports whether all slopes of a model have at most n digits in the units of the
// data, and some have as many.
func slopesHave(m *model.Model, n int) bool {
	some := false
	for _, w := range m.RuleBase.Consequents {
		_, slopes := m.Formula(w)
		for _, v := range slopes {
			if math.Abs(digits.Round(v, n)-v) > 1e-12*math.Abs(v) {
				return false
			}
			some = some || digits.Round(v, n-1) != digits.Round(v, n)
		}
	}
	return some
}

// TestRoundedModels: every model of a training, a pruning, a path and a committee is rounded,
// and its errors are those of the rounded rules.
func TestRoundedModels(t *testing.T) {
	racedetector.Skip(t)
	d := table(t, 200)
	o := racing()
	o.Train.Race, o.Train.Iterations, o.Model.Rules, o.Model.Round = nil, 60, 6, 2
	pruned := o
	pruned.Prune.Rounds, pruned.Prune.Gamma = 1, 0.9
	committee := o
	committee.Train.Members = 2
	first := train(t, d, nil, o).Model
	models := map[string]*model.Model{"training": first, "with pruning": train(t, d, nil, pruned).Model}
	for i, m := range train(t, d, nil, committee).Model.Members {
		models["member "+string(rune('1'+i))] = m
	}
	refine, err := recipe.Of(first)
	if err != nil {
		t.Fatal(err)
	}
	refine.Train.Iterations = 10
	path, err := runOf(refine).PrunePath(context.Background(), first, d, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range path.Steps {
		models["path of "+string(rune('0'+step.Rules))] = step.Model
	}
	for _, shape := range []string{"sigmoid", "gauss2", "psigmoid", "dsigmoid", "trapezoid", "gaussian"} {
		for n := 1; n <= 2; n++ {
			grown := o
			grown.Model.Init, grown.Model.Membership, grown.Model.Round = "tree", shapeNamed(t, shape), n
			m := train(t, d, nil, grown).Model
			if err := m.RuleBase.Validate(); err != nil || m.RuleBase.Splits == nil {
				t.Errorf("tree of %s, %d digits: %v", shape, n, err)
			}
			if n == 2 {
				models["tree of "+shape] = m
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
	for _, n := range []int{-1, 16} {
		o.Model.Round = n
		var e *recipe.Error
		if err := o.Validate(); !errors.As(err, &e) || e.Key != "model.round" {
			t.Errorf("%d digits: %v", n, err)
		}
	}
}

// TestRoundingCostsLittle: three digits change the test RMSE of real tables by less than 0.5%.
func TestRoundingCostsLittle(t *testing.T) {
	racedetector.Skip(t)
	for name, target := range map[string]string{"no2": "log_no2", "concrete": "strength", "airfoil": "sound_pressure"} {
		d, err := data.Read(filepath.Join(realdata.Dir(t), name+".csv"), data.Options{Target: target})
		if err != nil {
			t.Fatal(err)
		}
		trainings, tests := realdata.Splits(t, name)
		part, rest := d.Subset(trainings[0]), d.Subset(tests[0])
		o := recipe.Robust()
		o.Train.Race, o.Model.Rules, o.Model.Terms, o.Train.Iterations = nil, 8, 3, 1000
		errorOf := func(n int) float64 {
			o.Model.Round = n
			e, err := train(t, part, nil, o).Model.Evaluate(t.Context(), rest)
			if err != nil {
				t.Fatal(err)
			}
			return e.RMSE
		}
		all, three := errorOf(0), errorOf(3)
		if !(math.Abs(three/all-1) < 0.005) || three == all {
			t.Errorf("%s: RMSE %v with three digits, %v with all", name, three, all)
		}
	}
}
