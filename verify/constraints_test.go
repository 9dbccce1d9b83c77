package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// wrongUpdates are updates with one mistake.
var wrongUpdates = map[string]func(u Update) Update{
	"a kept rule moves":         before(func(rb *rules.RuleBase) { rb.Keep[2] = 0 }),
	"a kept THEN part moves":    before(func(rb *rules.RuleBase) { rb.Keep[1] = 0 }),
	"a kept IF part moves":      before(func(rb *rules.RuleBase) { rb.Keep[0] = 0 }),
	"copies of kept terms move": before(func(rb *rules.RuleBase) { rb.Tie, rb.Splits = nil, nil }),
	"no signs":                  before(func(rb *rules.RuleBase) { rb.Signs = nil }),
	"no signs of an output":     before(func(rb *rules.RuleBase) { rb.Signs[7] = 0 }),
	"projected to the wrong side": after(func(free, got *rules.RuleBase) {
		for r, w := range got.Consequents {
			w[3] = min(free.Consequents[r][3], 0)
		}
	}),
	"no projection of one rule": after(func(free, got *rules.RuleBase) { copy(got.Consequents[4], free.Consequents[4]) }),
	"biases are projected": after(func(free, got *rules.RuleBase) {
		for r, w := range got.Consequents {
			w[0], w[4] = max(free.Consequents[r][0], 0), min(free.Consequents[r][4], 0)
		}
	}),
	"free slopes are projected": after(func(_, got *rules.RuleBase) {
		for _, w := range got.Consequents {
			w[1] = max(w[1], 0)
		}
	}),
}

// before returns an update of rules with constraints that are changed.
func before(change func(rb *rules.RuleBase)) func(u Update) Update {
	return func(u Update) Update {
		return func(rb *rules.RuleBase, step func() float64) (*rules.RuleBase, error) {
			if rb.Keep != nil {
				rb = rb.Clone()
				change(rb)
			}
			return u(rb, step)
		}
	}
}

// after returns an update whose result is changed, given that without constraints.
func after(change func(free, got *rules.RuleBase)) func(u Update) Update {
	var free *rules.RuleBase
	return func(u Update) Update {
		return func(rb *rules.RuleBase, step func() float64) (*rules.RuleBase, error) {
			got, err := u(rb, step)
			if err != nil {
				return nil, err
			}
			if rb.Keep == nil {
				free = got
			} else {
				change(free, got)
			}
			return got, nil
		}
	}
}

// TestConstraints: both engines pass, and every mistake is caught, for shapes with ties and with
// splits.
func TestConstraints(t *testing.T) {
	for _, shape := range []membership.Function{membership.Gaussian{}, membership.Trapezoid{}, membership.Sigmoid{}} {
		for _, engine := range []string{"fused", "autodiff"} {
			u := NetworkUpdate(engine)
			for seed := range uint64(5) {
				c, err := Constraints(shape, u, rand.New(rand.NewPCG(seed, 3)))
				if err != nil {
					t.Fatal(err)
				}
				if !c.Passed {
					t.Errorf("%s, %s: %s", shape.Name(), engine, c.Mismatch)
				}
			}
			for name, wrong := range wrongUpdates {
				caught := false
				for seed := range uint64(5) {
					c, err := Constraints(shape, wrong(u), rand.New(rand.NewPCG(seed, 3)))
					if err != nil {
						t.Fatal(err)
					}
					caught = caught || !c.Passed
				}
				if !caught {
					t.Errorf("%s, %s: not caught: %s", shape.Name(), engine, name)
				}
			}
		}
	}
}
