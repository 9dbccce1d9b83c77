package verify

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// wrongUpdate is an update with one mistake: rules with constraints are changed before it, or after
// it, given those without constraints.
type wrongUpdate struct {
	wrong  string
	before func(rb *rules.RuleBase)
	after  func(free, got *rules.RuleBase)
}

var wrongUpdates = []wrongUpdate{
	{wrong: "a kept rule moves", before: func(rb *rules.RuleBase) { rb.Keep[2] = 0 }},
	{wrong: "a kept THEN part moves", before: func(rb *rules.RuleBase) { rb.Keep[1] = 0 }},
	{wrong: "a kept IF part moves", before: func(rb *rules.RuleBase) { rb.Keep[0] = 0 }},
	{wrong: "copies of kept functions move", before: func(rb *rules.RuleBase) { rb.Tie, rb.Splits = nil, nil }},
	{wrong: "signs ignored", before: func(rb *rules.RuleBase) { rb.Signs = nil }},
	{wrong: "signs of the second output ignored", before: func(rb *rules.RuleBase) { rb.Signs[7] = 0 }},
	{wrong: "slopes projected to the wrong side", after: func(free, got *rules.RuleBase) {
		for r, w := range got.Consequents {
			w[3] = min(free.Consequents[r][3], 0)
		}
	}},
	{wrong: "one rule not projected", after: func(free, got *rules.RuleBase) { copy(got.Consequents[4], free.Consequents[4]) }},
	{wrong: "biases projected", after: func(_, got *rules.RuleBase) {
		for _, w := range got.Consequents {
			w[0], w[4] = max(w[0], 0), min(w[4], 0)
		}
	}},
	{wrong: "free slopes projected", after: func(_, got *rules.RuleBase) {
		for _, w := range got.Consequents {
			w[1] = max(w[1], 0)
		}
	}},
}

// of returns an update with the mistake.
func (w wrongUpdate) of(u Update) Update {
	var free *rules.RuleBase
	return func(rb *rules.RuleBase, step func() float64) (*rules.RuleBase, error) {
		if rb.Keep == nil {
			var err error
			free, err = u(rb, step)
			return free, err
		}
		if w.before != nil {
			rb = rb.Clone()
			w.before(rb)
		}
		got, err := u(rb, step)
		if err == nil && w.after != nil {
			w.after(free, got)
		}
		return got, err
	}
}

// tryConstraints tries every wrong update of the fastest engine of a shape.
func tryConstraints(shape membership.Function, rng *rand.Rand) ([]Trial, error) {
	var trials []Trial
	engine := graph.Engines(shape, inference.Product{})[0]
	for _, w := range wrongUpdates {
		c, err := Constraints(shape, engine, w.of(NetworkUpdate(engine)), rng)
		if err != nil {
			return nil, err
		}
		t := Trial{Membership: shape.Name(), Wrong: w.wrong, In: "constraints", Route: engine, Caught: !c.Passed}
		if t.Caught {
			t.By, t.Mismatch = c.Parameter+", "+c.Pair, c.Mismatch
		}
		trials = append(trials, t)
	}
	return trials, nil
}
