package rules

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// Element identifies an antecedent parameter: parameter j of X_{r,m}, all from 0.
type Element struct{ Parameter, Rule, Feature int }

// tied returns the groups of Tie, feature by feature, in the order of their first rules.
func tied(rb *RuleBase) [][]Element {
	if rb.Tie == nil {
		return nil
	}
	var groups [][]Element
	for m := range rb.Features() {
		sharing := map[int][]int{} // rules by label
		for r, labels := range rb.Tie {
			sharing[labels[m]] = append(sharing[labels[m]], r)
		}
		for r, labels := range rb.Tie {
			if rules := sharing[labels[m]]; rules[0] == r && len(rules) > 1 {
				for j := range rb.Antecedents {
					groups = append(groups, elements(nil, j, rules, m))
				}
			}
		}
	}
	return groups
}

// elements appends parameter j of each rule on feature m to a group.
func elements(group []Element, j int, rules []int, m int) []Element {
	for _, r := range rules {
		group = append(group, Element{j, r, m})
	}
	return group
}

// border is a border of X_{r,m}: the upper one of a rule below a split, side 0, or the
// lower one of a rule above it, side 1.
type border struct{ rule, feature, side int }

// bordered returns the groups of Splits, split by split.
func bordered(rb *RuleBase) [][]Element {
	shape, ok := rb.Shape.(membership.Bordered)
	if !ok || rb.Splits == nil {
		return nil
	}
	sides, governed := sidesOf(shape), governing(rb, shape)
	var groups [][]Element
	for s, split := range rb.Splits {
		for i := range sides[0] {
			var group []Element
			for side, rules := range split.sides() {
				for _, r := range rules {
					if by, ok := governed[border{r, split.Feature, side}]; ok && by == s {
						group = append(group, Element{sides[side][i], r, split.Feature})
					}
				}
			}
			if len(group) > 1 {
				groups = append(groups, group)
			}
		}
	}
	return groups
}

// governing returns the split that governs each border, by index: the deepest split by
// the feature that has the rule on this side. None governs an open border.
func governing(rb *RuleBase, shape membership.Bordered) map[border]int {
	governed := map[border]int{}
	for s, split := range rb.Splits { // the deepest is the last
		if split.category() {
			continue
		}
		for side, rules := range split.sides() {
			for _, r := range rules {
				governed[border{r, split.Feature, side}] = s
			}
		}
	}
	sides, flat := sidesOf(shape), flatParams(rb.Shape)
	maps.DeleteFunc(governed, func(b border, _ int) bool { return open(rb, b, sides, flat) })
	return governed
}

// sidesOf returns the parameters of a border of side 0 and of side 1, in corresponding
// order.
func sidesOf(shape membership.Bordered) [2][]int {
	lower, upper := shape.Borders()
	return [2][]int{upper, lower}
}

// open reports whether a border is open: with its parameters, a function that is flat
// otherwise is flat.
func open(rb *RuleBase, b border, sides [2][]int, flatParams []float64) bool {
	p := append(make([]float64, 0, 8), flatParams...)
	for _, j := range sides[b.side] {
		p[j] = rb.Antecedents[j][b.rule][b.feature]
	}
	return flat(rb.Shape, p)
}

// checkTie validates Tie.
func checkTie(rb *RuleBase) error {
	if rb.Tie == nil {
		return nil
	}
	if len(rb.Tie) != rb.Rules() {
		return fmt.Errorf("tie: %d rows; there are %d rules", len(rb.Tie), rb.Rules())
	}
	for r, labels := range rb.Tie {
		if len(labels) != rb.Features() {
			return fmt.Errorf("tie[r=%d]: %d labels; there are %d features", r, len(labels), rb.Features())
		}
		if m := slices.IndexFunc(labels, func(v int) bool { return v < 0 || v > math.MaxInt32 }); m >= 0 {
			return fmt.Errorf("tie[r=%d,m=%d] = %d: must lie between 0 and %d", r, m, labels[m], math.MaxInt32)
		}
	}
	return nil
}

// checkShared checks that shared parameters are equal.
func checkShared(rb *RuleBase) error {
	params := rb.Shape.Params()
	for _, group := range rb.Shared() {
		first, v := group[0], *rb.At(group[0])
		for _, e := range group[1:] {
			if w := *rb.At(e); w != v {
				return fmt.Errorf("%s[r=%d,m=%d] = %v, but it is tied to %s = %v of rule %d",
					params[e.Parameter].Name, e.Rule, e.Feature, w, params[first.Parameter].Name, v, first.Rule)
			}
		}
	}
	return nil
}

// untie gives rule i, the average of rules i and j, its own label for every feature on
// which the two had different labels.
func untie(rb *RuleBase, i, j int) {
	if rb.Tie == nil {
		return
	}
	for m, label := range rb.Tie[i] {
		if label == rb.Tie[j][m] {
			continue
		}
		for _, labels := range rb.Tie {
			rb.Tie[i][m] = max(rb.Tie[i][m], labels[m]+1)
		}
	}
}

// sharesFunction reports whether another rule has the label of rule r on feature m.
func sharesFunction(rb *RuleBase, r, m int) bool {
	for i, labels := range rb.Tie {
		if i != r && labels[m] == rb.Tie[r][m] {
			return true
		}
	}
	return false
}

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
