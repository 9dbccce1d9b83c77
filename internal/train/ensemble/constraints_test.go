package ensemble_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// risingFalling are directions for the table: of b against its slope in the data, where the data has
// one, and of c.
var risingFalling = recipe.Monotone{"b": {recipe.AllTargets: -1}, "c": {"y": 1}}

// constrained returns a recipe of a preset that ends soon, with pruning that removes and merges.
func constrained(preset recipe.Recipe, rounds int) recipe.Recipe {
	o := preset
	o.Train.Race, o.Train.Iterations, o.Train.Members = nil, 40, 1
	if o.Model.Rules > 8 || o.Model.Rules == 0 {
		o.Model.Rules = 8
	}
	o.Prune = recipe.Prune{Rounds: rounds, Gamma: 0.9, Theta: 0.2, Idle: o.Prune.Idle}
	return o
}

// checkKept checks that each kept part of before is in after, to the bit, in the same order.
func checkKept(t *testing.T, before, after *rules.RuleBase) {
	t.Helper()
	at := 0
	for r, keep := range before.Keep {
		if keep == 0 {
			continue
		}
		for at < after.Rules() && !after.Keeps(at, rules.KeepAll) {
			at++
		}
		if at == after.Rules() || after.Keep[at] != keep {
			t.Errorf("rule %d, kept: %v, is gone", r+1, keep)
			return
		}
		for j, a := range before.Antecedents {
			if keep&rules.KeepIf != 0 && !reflect.DeepEqual(a[r], after.Antecedents[j][at]) {
				t.Errorf("IF part of rule %d: parameter %d: %v became %v", r+1, j, a[r], after.Antecedents[j][at])
			}
		}
		if keep&rules.KeepThen != 0 && !reflect.DeepEqual(before.Consequents[r], after.Consequents[at]) {
			t.Errorf("THEN part of rule %d: %v became %v", r+1, before.Consequents[r], after.Consequents[at])
		}
		at++
	}
}

// checkSigned checks the signs of a model's slopes, and that predictions do not rise with b, nor fall with c, near rows and far away.
func checkSigned(t *testing.T, m *model.Model) {
	t.Helper()
	for _, one := range append([]*model.Model{m}, m.Members...) {
		if one.Committee() {
			continue
		}
		if err := one.RuleBase.Validate(); err != nil {
			t.Error(err)
		}
		for r, w := range one.RuleBase.Consequents {
			_, slopes := one.Formula(w)
			for i, f := range one.Inputs() {
				if f.Name == "b" && slopes[i] > 0 || f.Name == "c" && slopes[i] < 0 {
					t.Errorf("rule %d: slope %v of %s", r+1, slopes[i], f.Name)
				}
			}
		}
	}
	checkMonotone(t, m)
}

// checkMonotone checks the directions of b and c in a model's predictions.
func checkMonotone(t *testing.T, m *model.Model) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 5))
	features := m.Schema.Features()
	for range 300 {
		row := make([]float64, len(features))
		for i := range row {
			row[i] = 2 * rng.NormFloat64()
		}
		for name, sign := range map[string]float64{"b": -1, "c": 1} {
			next := slices.Clone(row)
			next[slices.Index(features, name)] += math.Abs(rng.NormFloat64())
			p, err := m.Predict([][]float64{row, next})
			if err != nil {
				t.Fatal(err)
			}
			if rise := sign * (p.Values[1] - p.Values[0]); rise < -1e-12*(1+math.Abs(p.Values[0])) {
				t.Errorf("%s from %v to %v: %v becomes %v", name, row, next, p.Values[0], p.Values[1])
				return
			}
		}
	}
}

// TestConstraintsHold: with every preset, engine, shape, with pruning and without, from a new start
// and from a saved model, kept rules do not change in any bit and slopes have their signs.
func TestConstraintsHold(t *testing.T) {
	testenv.SkipRace(t)
	d := table(120)
	for i, preset := range []recipe.Recipe{recipe.Paper(), recipe.Robust(), recipe.Readable().WithoutPage()} {
		for _, name := range testenv.Draw([]string{"gaussian", "trapezoid", "sigmoid", "gauss2"}, 4, 2, i) {
			for _, engine := range []string{"fused", "autodiff"} {
				for _, rounds := range []int{0, 2} {
					t.Run(fmt.Sprintf("%s/%s/%s/%d", preset.Preset, name, engine, rounds), func(t *testing.T) {
						o := constrained(preset, rounds)
						o.Model.Membership, o.Model.Engine = shape(name), engine
						if engine == "autodiff" {
							o.Train.Iterations = 10
						}
						checkConstraints(t, d, o)
					})
				}
			}
		}
	}
}

// TestConstraintsHoldOtherwise: as TestConstraintsHold, with curves, least squares, rounding,
// sparse rules and a committee.
func TestConstraintsHoldOtherwise(t *testing.T) {
	d := table(120)
	for name, change := range map[string]func(o *recipe.Recipe){
		"own curves":    func(o *recipe.Recipe) { o.Model.Curves, o.Model.Knots = recipe.OwnCurves, 4 },
		"shared curves": func(o *recipe.Recipe) { o.Model.Curves, o.Model.Knots = recipe.SharedCurves, 4 },
		"rounded":       func(o *recipe.Recipe) { o.Model.Round, o.Model.Antecedents, o.Model.Terms = 2, 1.5, 1 },
		"least squares": func(o *recipe.Recipe) {
			o.Model.Consequents, o.Train.Batch, o.Train.DropRule = recipe.LeastSquares, 0, 1
		},
		"anfis": func(o *recipe.Recipe) {
			o.Train.Optimizer, o.Train.Solver, o.Train.Batch, o.Train.DropRule = "anfis", nil, 0, 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := constrained(recipe.Paper(), 1)
			change(&o)
			checkConstraints(t, d, o)
		})
	}
	o := constrained(recipe.Paper(), 1)
	o.Train.Members, o.Model.Monotone = 2, risingFalling
	checkSigned(t, train(t, d, nil, o).Model)
}

// checkConstraints trains with signs, then continues with kept rules, and prunes.
func checkConstraints(t *testing.T, d *data.Dataset, o recipe.Recipe) {
	t.Helper()
	o.Model.Monotone = risingFalling
	start := o
	start.Prune = recipe.Prune{Gamma: 0.5, Theta: 0.5}
	first := train(t, d, nil, start).Model
	checkSigned(t, first)
	first.RuleBase.Keep = make([]rules.Keep, first.RuleBase.Rules())
	if copy(first.RuleBase.Keep, []rules.Keep{rules.KeepIf, rules.KeepThen, rules.KeepAll, 0}) < 4 {
		t.Fatalf("only %d rules", first.RuleBase.Rules())
	}
	o.Model.Monotone, o.Model.Rules, o.Model.Init, o.Train.Seed = nil, 0, saved(t, first), 7
	then := train(t, d, nil, o).Model
	checkSigned(t, then)
	checkKept(t, first.RuleBase, then.RuleBase)
	if before, after := first.RuleBase, then.RuleBase; reflect.DeepEqual(before.Consequents, after.Consequents) || o.Prune.Rounds > 0 &&
		before.Rules() == after.Rules() {
		t.Errorf("%d rules became %d: nothing was trained or pruned", before.Rules(), after.Rules())
	}
	pruned := prune(t, then, d, 5, recipe.Prune{Rounds: 1, Gamma: 5, Theta: 0}).Model
	checkSigned(t, pruned)
	checkKept(t, first.RuleBase, pruned.RuleBase)
}

// TestRolesHold: from every start, in both engines and pruned, rules have a column only in the parts of its role, and only columns that
// meet; a page, too.
func TestRolesHold(t *testing.T) {
	d := table(150)
	for i, init := range []string{"kmeans", "fcm", "one-feature", recipe.Tree, recipe.PageInit} {
		for name, of := range map[string]recipe.Model{
			"roles":        {Roles: recipe.Roles{"a": recipe.Role(rules.KeepIf), "b": recipe.Role(rules.KeepThen)}},
			"interactions": {Interactions: recipe.Interactions{{"b", "c"}}},
			"both":         {Roles: recipe.Roles{"b": recipe.Role(rules.KeepIf)}, Interactions: recipe.Interactions{{"b", "a"}}},
		} {
			t.Run(init+"/"+name, func(t *testing.T) {
				o := constrained(recipe.Robust(), 1)
				o.Model.Curves, o.Model.Knots, o.Model.Engine = recipe.SharedCurves, 4, []string{"fused", "autodiff"}[i%2]
				if init == recipe.PageInit {
					o = recipe.Readable()
				}
				o.Model.Init, o.Model.Roles, o.Model.Interactions = init, of.Roles, of.Interactions
				checkRoles(t, train(t, d, nil, o).Model, of)
			})
		}
	}
}

// checkRoles checks the roles and interactions of a model's rules.
func checkRoles(t *testing.T, m *model.Model, of recipe.Model) {
	t.Helper()
	if m.Pages != nil {
		for _, r := range m.Pages[0].Rules {
			var names []string
			for _, c := range r.Conditions {
				if names = append(names, c.Column); of.Lacks(c.Column)&rules.KeepIf != 0 {
					t.Errorf("a condition on %s", c.Column)
				}
			}
			for _, one := range r.Terms {
				if names = append(names, one.Column); of.Lacks(one.Column)&rules.KeepThen != 0 {
					t.Errorf("a term of %s", one.Column)
				}
			}
			if !of.Interactions.Meet(names...) {
				t.Errorf("%v meet in a rule", names)
			}
		}
		for _, one := range m.Pages[0].Tables {
			if of.Lacks(one.Column)&rules.KeepThen != 0 {
				t.Errorf("a table of %s", one.Column)
			}
		}
		return
	}
	testenv.OK(t, m.RuleBase.Validate())
	used := 0
	for r, w := range m.RuleBase.Consequents {
		var names []string
		for i, f := range m.Inputs() {
			inIf, inThen := !m.RuleBase.IsFlat(r, i), w[1+i] != 0
			if inIf && of.Lacks(f.Name)&rules.KeepIf != 0 || inThen && of.Lacks(f.Name)&rules.KeepThen != 0 {
				t.Errorf("rule %d has %s: in IF %t, in THEN %t", r+1, f.Name, inIf, inThen)
			}
			if len(m.RuleBase.Knots[i]) > 0 && of.Lacks(f.Name)&rules.KeepThen != 0 {
				t.Errorf("a curve of %s", f.Name)
			}
			if inIf || inThen {
				names = append(names, f.Name)
				used++
			}
		}
		if !of.Interactions.Meet(names...) {
			t.Errorf("rule %d: %v meet", r+1, names)
		}
	}
	if used == 0 {
		t.Error("no rule mentions a column")
	}
}
