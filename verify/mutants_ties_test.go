package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// withTie returns the route with a change of the ties or splits of a rulebase that has some.
func withTie(r Route, change func(rb *rules.RuleBase)) Route {
	return altered{r, func(p *Problem) {
		if p.RuleBase = p.RuleBase.Clone(); p.RuleBase.Tie != nil || p.RuleBase.Splits != nil {
			change(p.RuleBase)
		}
	}}
}

// tieMutants have wrong ties.
func tieMutants(shape membership.Function) []Mutant {
	routes := applicable(&rules.RuleBase{Shape: shape})
	ignored := func(rb *rules.RuleBase) { rb.Tie, rb.Splits = nil, nil }
	var mutants []Mutant
	for _, r := range routes {
		mutants = append(mutants, Mutant{"ties ignored", "ties", withTie(r, ignored)})
	}
	_, bordered := shape.(membership.Bordered)
	if bordered {
		mutants = append(mutants, splitMutants()...)
	} else {
		mutants = append(mutants, labelMutants()...)
	}
	if slices.ContainsFunc(routes, func(r Route) bool { return r.Name() == "closed form" }) {
		add := func(wrong string, groups func(rb *rules.RuleBase) [][]rules.Element, of func(copies []float64) float64) {
			mutants = append(mutants, Mutant{wrong, "closed form: ties", ClosedForm{func(s *steps) {
				s.ties = func(g rules.Parameters, rb *rules.RuleBase) { eachTied(g, groups(rb), of) }
			}}})
		}
		add("the mean over tied copies", (*rules.RuleBase).Shared, func(copies []float64) float64 { return sum(copies) / float64(len(copies)) })
		add("the gradient of the first tied copy", (*rules.RuleBase).Shared, func(copies []float64) float64 { return copies[0] })
		if bordered {
			add("the sides of a split summed apart", sidesApart, sum)
		}
	}
	return mutants
}

// labelMutants have wrong labels of membership functions.
func labelMutants() []Mutant {
	return []Mutant{
		{"a rule left out of its ties", "ties", withTie(Autodiff{}, func(rb *rules.RuleBase) {
			for m := range rb.Tie[0] {
				rb.Tie[0][m] = 2
			}
		})},
		{"ties of the first feature only", "ties", withTie(Autodiff{}, func(rb *rules.RuleBase) {
			for r, labels := range rb.Tie {
				for m := range labels[1:] {
					labels[m+1] = r
				}
			}
		})},
	}
}

// splitMutants have wrong splits.
func splitMutants() []Mutant {
	return []Mutant{{"a rule left out of its splits", "ties", withTie(Autodiff{}, func(rb *rules.RuleBase) {
		for i := range rb.Splits {
			s := &rb.Splits[i]
			s.Below = slices.DeleteFunc(s.Below, func(r int) bool { return r == 0 }) // never empty on both sides
		}
	})}}
}

// sidesApart returns the groups of shared parameters, divided into those of one parameter.
func sidesApart(rb *rules.RuleBase) [][]rules.Element {
	var apart [][]rules.Element
	for _, group := range rb.Shared() {
		by := map[int][]rules.Element{}
		for _, e := range group {
			by[e.Parameter] = append(by[e.Parameter], e)
		}
		for _, elements := range by {
			apart = append(apart, elements)
		}
	}
	return apart
}
