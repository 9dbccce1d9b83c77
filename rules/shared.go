package rules

import (
	"maps"

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
