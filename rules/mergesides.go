package rules

import (
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph/membership"
)

// ErrMergeSides is wrapped by every error of [MergeSides].
var ErrMergeSides = errors.New("rules: the sides of a split cannot be merged")

// MergeSides returns the rulebase with one rule in place of the two that a split divides,
// and without the split. The rule covers both sides: the border of the split opens to the
// next one around it, if any, and the excluded levels of a category are admitted. The other
// parameters are averaged by merge weights, as in [Prune], which leaves common borders as
// they are. The rule with the lower index is replaced, the other one deleted.
//
// The shape must be [membership.Bordered], and each side of the split a single rule that is
// on no later split. MergeSides does not change rb.
func MergeSides(rb *RuleBase, split int) (*RuleBase, error) {
	shape, ok := rb.Shape.(membership.Bordered)
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: the borders of %s have no parameters of their own", ErrMergeSides, rb.Shape.Name())
	case split < 0 || split >= len(rb.Splits):
		return nil, fmt.Errorf("%w: split %d; there are %d splits", ErrMergeSides, split, len(rb.Splits))
	}
	s := rb.Splits[split]
	if len(s.Below) != 1 || len(s.Above) != 1 {
		return nil, fmt.Errorf("%w: split %d has %d and %d rules, not one on each side", ErrMergeSides, split, len(s.Below), len(s.Above))
	}
	a, b := s.Below[0], s.Above[0]
	merged := rb.Clone()
	for later, t := range rb.Splits[split+1:] {
		if t.side(a) >= 0 || t.side(b) >= 0 {
			return nil, fmt.Errorf("%w: split %d divides the rules of split %d further", ErrMergeSides, split+1+later, split)
		}
	}
	unite(merged, shape, s)
	merged.Splits = append(merged.Splits[:split], merged.Splits[split+1:]...)
	mergeRules(merged, min(a, b), max(a, b))
	deleteRule(merged, max(a, b))
	return merged, nil
}

// unite moves the borders of the two rules of a split outwards: to those of the rule on
// the other side at the split, and open where those of either rule are open.
func unite(rb *RuleBase, shape membership.Bordered, s Split) {
	a, b := s.Below[0], s.Above[0]
	sides, flat := sidesOf(shape), flatParams(rb.Shape)
	assign := func(to, from, m, side int) {
		for _, j := range sides[side] {
			rb.Antecedents[j][to][m] = rb.Antecedents[j][from][m]
		}
	}
	if !s.category() {
		assign(a, b, s.Feature, 0)
		assign(b, a, s.Feature, 1)
	}
	for m := range rb.Features() {
		for side := range sides {
			switch ofA, ofB := open(rb, border{a, m, side}, sides, flat), open(rb, border{b, m, side}, sides, flat); {
			case ofA && !ofB:
				assign(b, a, m, side)
			case ofB && !ofA:
				assign(a, b, m, side)
			}
		}
	}
}
