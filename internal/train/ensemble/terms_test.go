package ensemble_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// sparse is a recipe of rules with at most 1.5 terms on average.
func sparse() recipe.Recipe {
	o := racing()
	o.Train.Race, o.Train.Iterations, o.Model.Rules, o.Model.Terms = nil, 120, 8, 1.5
	return o
}

func TestSparseRules(t *testing.T) {
	racedetector.Skip(t)
	d := table(t, 300)
	for name, change := range map[string]func(*recipe.Recipe){
		"sparse":     func(*recipe.Recipe) {},
		"short":      func(o *recipe.Recipe) { o.Model.Antecedents = 2 },
		"paper":      func(o *recipe.Recipe) { *o = quick(); o.Model.Terms = 1.5 },
		"components": func(o *recipe.Recipe) { o.Model.PCA, o.Model.Transform = 2, "none" },
		"grid":       func(o *recipe.Recipe) { o.Model.Init, o.Model.Rules = "grid", 0 },
		"one update": func(o *recipe.Recipe) { o.Train.Iterations, o.Model.Terms = 1, 0.5 },
	} {
		for _, engine := range []string{"fused", "autodiff"} {
			for _, v := range []*data.Dataset{nil, table(t, 80)} {
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
	d, test := table(t, 400), table(t, 1000)
	for n, row := range d.X {
		d.Y[n] = row[1]
		if row[0] > 0 {
			d.Y[n] = -2 * row[2]
		}
	}
	for n, row := range test.X {
		test.Y[n] = row[1]
		if row[0] > 0 {
			test.Y[n] = -2 * row[2]
		}
	}
	errorOf := func(terms float64) float64 {
		o := sparse()
		o.Train.Iterations, o.Model.Rules, o.Model.Terms = 800, 4, terms
		e, err := train(t, d, nil, o).Model.Evaluate(t.Context(), test)
		if err != nil {
			t.Fatal(err)
		}
		return e.RMSE
	}
	if all, one := errorOf(0), errorOf(1); one > 1.1*all {
		t.Errorf("RMSE %v with one term, %v with all", one, all)
	}
}

// TestRemovedTermsStay: through rounds of pruning, and where training continues from a model,
// removed terms stay removed except where merged rules had different ones.
func TestRemovedTermsStay(t *testing.T) {
	d := table(t, 300)
	o := sparse()
	o.Prune.Rounds, o.Prune.Gamma, o.Prune.Theta = 2, 0.9, 0.3
	r := train(t, d, nil, o)
	if rb := r.Model.RuleBase; rb.Terms() > 1.5 || rb.Rules() == 8 {
		t.Errorf("%d rules, %v terms", rb.Rules(), rb.Terms())
	}
	o.Prune.Rounds = 0
	first := train(t, d, nil, o).Model
	again := o
	again.Model.Init, again.Model.Rules = filepath.Join(t.TempDir(), "model.json"), 0
	if err := first.Save(again.Model.Init); err != nil {
		t.Fatal(err)
	}
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
	refine, err := recipe.Of(first)
	if err != nil || refine.Model.Terms != 1.5 {
		t.Fatalf("the model file keeps %v terms, %v", refine.Model.Terms, err)
	}
	refine.Prune.Rounds, refine.Prune.Gamma, refine.Prune.Theta = 1, 0, 1 // refine alone
	pruned, err := runOf(refine).Prune(context.Background(), first, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	check("pruned", pruned.Model.RuleBase)
	again.Model.Terms = 0
	if rb := train(t, d, nil, again).Model.RuleBase; rb.Terms() != 3 {
		t.Errorf("without a limit, %v terms of 3 are trained", rb.Terms())
	}
}

func TestSparseRulesRefuse(t *testing.T) {
	leastSquares := anfis("least-squares")
	leastSquares.Model.Terms = 2
	constant := sparse()
	constant.Model.Order = 0
	negative := sparse()
	negative.Model.Terms = -1
	for want, o := range map[string]recipe.Recipe{"least squares": leastSquares, "constant THEN parts": constant, "at least 0": negative} {
		var e *recipe.Error
		if err := o.Validate(); !errors.As(err, &e) || e.Key != "model.terms" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
