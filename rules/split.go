package rules

import (
	"fmt"
	"math"
	"slices"
)

// Split is an inner node of the tree that a rulebase started from, a soft division of
// some rules into two sides:
//
//	x_m < t                   rules in Below
//	x_m >= t                  rules in Above
//
// or, for the levels of a category, of which each has an indicator column: the rules in
// Below require that the columns Not[0] are zero, those in Above that the columns Not[1] are.
//
// The rules of a [membership.Bordered] shape share the border of a split by a number: the
// upper border on m of the rules in Below and the lower one of the rules in Above have
// equal parameters, to the bit, and keep them in training, except where a later split by m
// has the rule on the same side, or the border is open.
type Split struct {
	Feature   int      `json:"feature"`             // m, from 0; of a category, its first indicator column
	Threshold float64  `json:"threshold,omitempty"` // t at the start, in scaled units; unused for a category
	Not       [2][]int `json:"not,omitzero"`        // indicator columns; of a number, none
	Below     []int    `json:"below"`               // rules, from 0, in increasing order
	Above     []int    `json:"above"`
}

// clone returns a deep copy.
func (s Split) clone() Split {
	s.Not = [2][]int{slices.Clone(s.Not[0]), slices.Clone(s.Not[1])}
	s.Below, s.Above = slices.Clone(s.Below), slices.Clone(s.Above)
	return s
}

// category reports whether the split is one by the levels of a category.
func (s Split) category() bool { return len(s.Not[0])+len(s.Not[1]) > 0 }

// sides returns the rules in Below and in Above.
func (s Split) sides() [2][]int { return [2][]int{s.Below, s.Above} }

// side returns 0 for a rule in Below, 1 for one in Above, else -1.
func (s Split) side(r int) int {
	for side, rules := range s.sides() {
		if _, on := slices.BinarySearch(rules, r); on {
			return side
		}
	}
	return -1
}

// check validates a split of R rules over M features.
func (s Split) check(R, M int) error {
	switch {
	case s.Feature < 0 || s.Feature >= M:
		return fmt.Errorf("feature %d; there are %d features", s.Feature, M)
	case math.IsNaN(s.Threshold) || math.IsInf(s.Threshold, 0):
		return fmt.Errorf("threshold %v: must be finite", s.Threshold)
	case len(s.Below)+len(s.Above) == 0:
		return fmt.Errorf("no rules")
	case (len(s.Not[0]) > 0) != (len(s.Not[1]) > 0):
		return fmt.Errorf("not: %d and %d columns: want some on each side, or none", len(s.Not[0]), len(s.Not[1]))
	}
	for _, sides := range []struct {
		name [2]string
		of   [2][]int
		n    int
	}{
		{[2]string{"below", "above"}, s.sides(), R},
		{[2]string{"not[0]", "not[1]"}, s.Not, M},
	} {
		for i, values := range sides.of {
			before := -1
			for _, v := range values {
				if v <= before || v >= sides.n {
					return fmt.Errorf("%s: %d: must be increasing, from 0 to %d", sides.name[i], v, sides.n-1)
				}
				before = v
			}
		}
		for _, v := range sides.of[0] {
			if _, both := slices.BinarySearch(sides.of[1], v); both {
				return fmt.Errorf("%d is in both %s and %s", v, sides.name[0], sides.name[1])
			}
		}
	}
	return nil
}

// checkSplits validates Splits: each is valid and, except the first, divides the rules of
// one side of a split before it.
func checkSplits(rb *RuleBase) error {
	if rb.Splits != nil && rb.Tie != nil {
		return fmt.Errorf("splits: rules that are tied have none")
	}
	type side struct{ split, side int }
	on := make([]side, rb.Rules()) // the last side of each rule; splits are numbered from 1
	size := map[side]int{}
	for i, s := range rb.Splits {
		if err := s.check(rb.Rules(), rb.Features()); err != nil {
			return fmt.Errorf("splits[%d]: %w", i, err)
		}
		rules := slices.Concat(s.Below, s.Above)
		parent := on[rules[0]]
		other := slices.ContainsFunc(rules, func(r int) bool { return on[r] != parent })
		if i > 0 && (other || size[parent] != len(rules)) {
			return fmt.Errorf("splits[%d]: rules %v are not those of one side of a split before it", i, rules)
		}
		for k, rules := range s.sides() {
			for _, r := range rules {
				on[r] = side{i + 1, k}
			}
			size[side{i + 1, k}] = len(rules)
		}
	}
	return nil
}

// leaveSplits removes rule r from all splits; those without rules go.
func leaveSplits(rb *RuleBase, r int) {
	without := func(rules []int) []int {
		return slices.DeleteFunc(rules, func(v int) bool { return v == r })
	}
	for i := range rb.Splits {
		s := &rb.Splits[i]
		s.Below, s.Above = without(s.Below), without(s.Above)
	}
	rb.Splits = slices.DeleteFunc(rb.Splits, func(s Split) bool { return len(s.Below)+len(s.Above) == 0 })
	if len(rb.Splits) == 0 {
		rb.Splits = nil
	}
}
