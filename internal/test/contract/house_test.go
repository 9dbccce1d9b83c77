package contract_test

import (
	"context"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/contract"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// trained returns the estimator that trains by a recipe.
func trained(o tskgraph.Recipe) contract.Estimator {
	_, wide := o.Model.Membership.(membership.LogFunction)
	return contract.Estimator{
		Wide:      wide && o.Model.Init != "grid" && o.Model.Consequents == "gradient",
		Untrained: untrained,
		Fit: func(d *data.Dataset, rules int) (contract.Model, error) {
			o := o
			if rules > 0 {
				o.Model.Rules = rules
			}
			r, err := tskgraph.Train(context.Background(), d, nil, o)
			if r == nil {
				return nil, err
			}
			return r.Model, err
		},
	}
}

// untrained returns untrained and incomplete models.
func untrained() []contract.Model {
	prep := model.Preprocessing{Features: []model.Feature{{Name: "a", SD: 1}}}
	return []contract.Model{
		(*model.Model)(nil),
		&model.Model{},
		&model.Model{Preprocessing: prep},
		&model.Model{Preprocessing: prep, RuleBase: &rules.RuleBase{}},
		&model.Model{Preprocessing: prep, RuleBase: &rules.RuleBase{Shape: membership.Gaussian{}, Parameters: rules.NewParameters(2, 1, 4)}},
		&model.Model{Preprocessing: prep, Members: []*model.Model{nil, {}}},
	}
}

// continued returns an estimator that continues from a saved model of the same data.
func continued(t testing.TB, o tskgraph.Recipe) contract.Estimator {
	first := o
	first.Model.Init = "auto"
	e := trained(o)
	dir := t.TempDir()
	e.Fit = func(d *data.Dataset, rules int) (contract.Model, error) {
		m, err := trained(first).Fit(d, rules)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, "model.json")
		if err := m.(*model.Model).Save(path); err != nil {
			return nil, err
		}
		o := o
		o.Model.Init = path
		return trained(o).Fit(d, rules)
	}
	return e
}

// quick returns the recipe with a short training.
func quick(o tskgraph.Recipe) tskgraph.Recipe {
	o.Model.Rules, o.Train.Iterations, o.Train.Batch, o.Train.Race = 4, 20, 16, nil
	return o
}

// shapes returns the registered shapes and two formulas, with and without the logarithm.
func shapes(t testing.TB) map[string]membership.Function {
	t.Helper()
	all := map[string]membership.Function{}
	for _, name := range membership.Names() {
		f, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = f
	}
	for name, logExpr := range map[string]string{"formula": "", "formula-log": "-log(1+((x-c)/s)^2)"} {
		f, err := membership.Formula{
			Name: "mine", Expr: "1/(1+((x-c)/s)^2)", LogExpr: logExpr,
			Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}},
		}.Shape()
		if err != nil {
			t.Fatal(err)
		}
		all[name] = f
	}
	return all
}

var initialisers = []string{"fcm", "kmeans", "one-feature", "grid", "genfis", recipe.Tree}

// crossed returns estimators of all shapes with all engines that support them and all
// initialisers, by the paper's preset at a learning rate, and of all shapes and engines by
// the robust preset.
func crossed(t testing.TB, rate float64) map[string]contract.Estimator {
	all := map[string]contract.Estimator{}
	for shape, f := range shapes(t) {
		for _, engine := range graph.Engines(f, inference.Product{}) {
			o := quick(tskgraph.Paper())
			o.Model.Membership, o.Model.Engine = f, engine
			o.Train.Solver = optim.Values{"learning_rate": rate, "final_lr": rate}
			for _, init := range initialisers {
				if init == recipe.Tree && !rules.CanBeFlat(f) {
					continue
				}
				o := o
				o.Model.Init = init
				if init == "grid" {
					o.Model.Rules = 0 // the initialiser determines the number
				}
				all[shape+"/"+engine+"/"+init] = trained(o)
			}
			all[shape+"/"+engine+"/saved"] = continued(t, o)
			o = quick(tskgraph.Robust())
			o.Model.Membership, o.Model.Engine = f, engine
			all[shape+"/"+engine+"/robust"] = trained(o)
		}
	}
	return all
}

// wide returns the estimators of the slow checks: every shape with every engine by one
// initialiser, and every initialiser with two shapes.
func wide(t testing.TB) map[string]contract.Estimator {
	all := crossed(t, 0.01) // many features need a small rate
	maps.DeleteFunc(all, func(name string, _ contract.Estimator) bool {
		return !strings.HasSuffix(name, "/kmeans") && !strings.HasPrefix(name, "gaussian/fused/") && !strings.HasPrefix(name, "dsigmoid/fused/")
	})
	return all
}

// recipes returns estimators with options other than shape, engine and initialiser.
func recipes() map[string]contract.Estimator {
	all := map[string]contract.Estimator{}
	for name, change := range map[string]func(o *tskgraph.Recipe){
		"race": func(o *tskgraph.Recipe) {
			o.Train.Race = []tskgraph.Setting{{"iterations": 10}, {"init": "one-feature", "iterations": 20}}
		},
		"committee":   func(o *tskgraph.Recipe) { o.Train.Members = 3 },
		"short rules": func(o *tskgraph.Recipe) { o.Model.Antecedents = 2 },
		"constants":   func(o *tskgraph.Recipe) { o.Model.Order = 0 },
		"components":  func(o *tskgraph.Recipe) { o.Model.PCA, o.Model.Transform = 2, "none" },
		"grid of components": func(o *tskgraph.Recipe) {
			o.Model.PCA, o.Model.Transform, o.Model.Init, o.Model.Rules = 2, "none", "grid", 0
		},
		"pruned": func(o *tskgraph.Recipe) {
			o.Train.Iterations, o.Prune = 100, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
		},
	} {
		o := quick(tskgraph.Robust())
		change(&o)
		all[name] = trained(o)
	}
	o := quick(tskgraph.Readable())
	o.Model.Round = 0 // decimal digits change with a scale that is a power of two
	all["readable"] = trained(o)
	o.Model.Membership, o.Prune = membership.Sigmoid{}, recipe.Prune{Rounds: 1, Gamma: 0.9, Theta: 0.3}
	all["readable, soft tree, pruned"] = trained(o)
	for _, consequents := range []string{"gradient", "least-squares"} {
		o := quick(tskgraph.Paper())
		o.Model.Init, o.Model.Consequents, o.Train.Optimizer = "genfis", consequents, "anfis"
		o.Train.Batch, o.Train.L2, o.Train.DropRule = 0, 0, 1
		all["ANFIS "+consequents] = trained(o)
	}
	return all
}
