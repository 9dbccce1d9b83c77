package verify

import (
	"math"
	"testing"
)

// TestFlat checks that all routes agree on rules with flat antecedents, and that their
// parameters have negligible gradients.
func TestFlat(t *testing.T) {
	for _, shape := range registered(t) {
		p, _, err := Draw(shape, Case{R: 4, M: 3, B: 12}.withAll(), seeded(5))
		if err != nil {
			t.Fatal(err)
		}
		for r := range 3 {
			p.RuleBase.Flatten(r, r)
		}
		checks, err := Compare(p, applicable(p.RuleBase))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if !c.Passed {
				t.Errorf("%s, %s, %s: %s", shape.Name(), c.Parameter, c.Pair, c.Mismatch)
			}
		}
		for _, route := range []Route{Autodiff{}, Fused{}, ClosedForm{}} {
			result, err := route.Run(p)
			if err != nil {
				t.Fatal(err)
			}
			for j, g := range result.Gradient.Antecedents {
				for r := range 3 {
					if math.Abs(g[r][r]) > 1e-190 {
						t.Errorf("%s, %s: gradient %v by parameter %d of a flat function", shape.Name(), route.Name(), g[r][r], j)
					}
				}
			}
		}
	}
}
