package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// TestConstraints: every engine of every shape passes, and every mistake is caught, of some shapes by default.
func TestConstraints(t *testing.T) {
	testenv.SkipRace(t)
	for i, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		for _, engine := range graph.Engines(shape, inference.Product{}) {
			c, err := constraints(shape, engine, networkUpdate(engine), rand.New(rand.NewPCG(1, 3)))
			if err != nil || !c.Passed {
				t.Errorf("%s, %s: %s, %v", name, engine, c.Mismatch, err)
			}
		}
		if i%testenv.CaseNumber(7, 2, 1) > 0 {
			continue
		}
		trials, err := tryConstraints(shape, rand.New(rand.NewPCG(1, 4)))
		if err != nil || len(trials) < len(wrongUpdates)-1 || len(trials) < len(wrongUpdates) && movesFlat(shape) {
			t.Errorf("%s: %d trials, %v", name, len(trials), err)
		}
		for _, trial := range trials {
			if !trial.Caught {
				t.Errorf("%s: not caught: %s", name, trial.Wrong)
			}
		}
	}
}

// TestFlat checks that all routes agree on rules with flat antecedents, and that their
// parameters have negligible gradients.
func TestFlat(t *testing.T) {
	for _, shape := range registered(t) {
		p, _, err := drawProblem(shape, Case{R: 4, M: 3, B: 12}.withAll(), seeded(5))
		testenv.OK(t, err)
		for r := range 3 {
			p.RuleBase.Flatten(r, r)
		}
		checks := testenv.Must(compareAll(p, applicable(p.RuleBase)))
		for _, c := range checks {
			if !c.Passed {
				t.Errorf("%s, %s, %s: %s", shape.Name(), c.Parameter, c.Pair, c.Mismatch)
			}
		}
		for _, route := range []route{autodiff, fused, closedForm{}} {
			result := testenv.Must(route.run(p))
			for j, g := range result.Gradient.Antecedents {
				for r := range 3 {
					if math.Abs(g[r][r]) > 1e-190 {
						t.Errorf("%s, %s: gradient %v by parameter %d of a flat function", shape.Name(), route.name(), g[r][r], j)
					}
				}
			}
		}
	}
}
