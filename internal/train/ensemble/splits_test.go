package ensemble_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// fromTree are options of up to eight rules from a tree.
func fromTree(t testing.TB, shape string) recipe.Recipe {
	o := quick()
	o.Model.Init, o.Model.Rules, o.Model.Membership = recipe.Tree, 8, shapeNamed(t, shape)
	return o
}

// TestTreeKeepsItsBorders: after 50 updates by every optimizer, on both engines, of spreads
// and of their logarithms, rules on both sides of a split still have equal borders, to the
// bit, which have moved.
func TestTreeKeepsItsBorders(t *testing.T) {
	racedetector.Skip(t)
	d := table(t, 300)
	for _, engine := range []string{"fused", "autodiff"} {
		for _, logSpreads := range []bool{false, true} {
			for _, optimizer := range []string{"adabound", "adam", "anfis", "sgd"} {
				o := fromTree(t, "sigmoid")
				o.Model.Engine, o.Train.LogSpreads, o.Train.Optimizer, o.Train.Iterations = engine, logSpreads, optimizer, 50
				if optimizer == "anfis" {
					o.Train.Batch = 0
				}
				rb := train(t, d, nil, o).Model.RuleBase
				o.Train.Iterations = 1
				start := train(t, d, nil, o).Model.RuleBase
				if len(rb.Splits) < 2 || len(rb.Splits) != rb.Rules()-1 || len(rb.Shared()) != 2*len(rb.Splits) {
					t.Fatalf("splits %v, shared %v", rb.Splits, rb.Shared())
				}
				stillShared(t, engine+", "+optimizer, start, rb)
				stillFlat(t, engine+", "+optimizer, start, rb)
			}
		}
	}
}

// TestTreeRounds: rounding keeps borders equal and open.
func TestTreeRounds(t *testing.T) {
	d := table(t, 300)
	o := fromTree(t, "sigmoid")
	whole := train(t, d, nil, o).Model.RuleBase
	for digits := 1; digits <= 3; digits++ {
		o.Model.Round = digits
		rb := train(t, d, nil, o).Model.RuleBase
		stillShared(t, "rounded", whole, rb)
		stillFlat(t, "rounded", whole, rb)
	}
}

// stillFlat checks that the sides that were open are, and no others: of a flat function
// both.
func stillFlat(t *testing.T, name string, start, rb *rules.RuleBase) {
	t.Helper()
	open := func(rb *rules.RuleBase, r, m int) [2]bool {
		g := []float64{-1e6, 1e6}
		rb.Shape.Grades(g, g, rb.Function(make([]float64, len(rb.Antecedents)), r, m))
		return [2]bool{g[0] == 1, g[1] == 1}
	}
	for r := range rb.Rules() {
		for m := range rb.Features() {
			if got, want := open(rb, r, m), open(start, r, m); got != want {
				t.Errorf("%s: rule %d on feature %d: open below and above %t, %t before", name, r, m, got, want)
			}
		}
	}
}

// TestTreeStaysShort: training, pruning and continued training keep flat functions of every
// shape flat, and open sides open.
func TestTreeStaysShort(t *testing.T) {
	racedetector.Skip(t)
	d := table(t, 300)
	for _, name := range membership.Names() {
		o := fromTree(t, name)
		o.Train.LogSpreads = true
		o.Train.Iterations = 1
		start := train(t, d, nil, o).Model.RuleBase
		o.Train.Iterations = 60
		m := train(t, d, nil, o).Model
		rb := m.RuleBase
		if !(rb.Length(nil) < 3) {
			t.Errorf("%s: %v conditions per rule", name, rb.Length(nil))
		}
		stillFlat(t, name, start, rb)
		path := t.TempDir() + "/tree.json"
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		o.Model.Init, o.Model.Rules = path, 0
		again := train(t, d, nil, o).Model.RuleBase
		stillFlat(t, name+", continued", rb, again)
		if !reflect.DeepEqual(again.Splits, rb.Splits) {
			t.Errorf("%s: splits %v after continuing, %v before", name, again.Splits, rb.Splits)
		}
		refine, err := recipe.Of(m)
		if err != nil {
			t.Fatal(err)
		}
		refine.Train.Iterations, refine.Prune = 20, recipe.Prune{Rounds: 2, Gamma: 0.9, Theta: 0.3}
		p, err := runOf(refine).Prune(context.Background(), m, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if pruned := p.Model.RuleBase; pruned.Rules() >= rb.Rules() || pruned.Validate() != nil || pruned.Length(nil) > rb.Length(nil)+0.5 {
			t.Errorf("%s: %d rules, %v conditions per rule: %v", name, pruned.Rules(), pruned.Length(nil), pruned.Validate())
		}
	}
}
