package verify

import (
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/rules"
)

// addTied replaces the gradient of every copy of a tied parameter by the sum over all
// copies, for routes that ignore ties.
func addTied(g rules.Parameters, rb *rules.RuleBase) {
	eachTied(g, rb, func(copies []float64) float64 { return sum(copies) })
}

// eachTied replaces the gradients of tied copies by a function of them.
func eachTied(g rules.Parameters, rb *rules.RuleBase, of func(copies []float64) float64) {
	for _, tied := range rb.TiedGroups() {
		for _, a := range g.Antecedents {
			copies := make([]float64, len(tied.Rules))
			for i, r := range tied.Rules {
				copies[i] = a[r][tied.Feature]
			}
			for _, r := range tied.Rules {
				a[r][tied.Feature] = of(copies)
			}
		}
	}
}

// tie ties the rules to two membership functions per feature, at random.
func tie(rb *rules.RuleBase, rng *rand.Rand) {
	rb.Tie = make([][]int, rb.Rules())
	for r := range rb.Tie {
		for range rb.Features() {
			rb.Tie[r] = append(rb.Tie[r], rng.IntN(2))
		}
	}
	for _, tied := range rb.TiedGroups() {
		for _, a := range rb.Antecedents {
			for _, r := range tied.Rules {
				a[r][tied.Feature] = a[tied.Rules[0]][tied.Feature]
			}
		}
	}
}

// withTie returns the route with a change of the ties of a rulebase that has some.
func withTie(r Route, change func(rb *rules.RuleBase)) Route {
	return altered{r, func(p *Problem) {
		if p.RuleBase = p.RuleBase.Clone(); p.RuleBase.Tie != nil {
			change(p.RuleBase)
		}
	}}
}

// tieMutants have wrong ties.
func tieMutants(routes []Route) []Mutant {
	ignored := func(rb *rules.RuleBase) { rb.Tie = nil }
	mutants := []Mutant{
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
	for _, r := range routes {
		mutants = append(mutants, Mutant{"ties ignored", "ties", withTie(r, ignored)})
	}
	if slices.ContainsFunc(routes, func(r Route) bool { return r.Name() == "closed form" }) {
		add := func(wrong string, of func(copies []float64) float64) {
			mutants = append(mutants, Mutant{wrong, "closed form: ties", ClosedForm{func(s *steps) {
				s.ties = func(g rules.Parameters, rb *rules.RuleBase) { eachTied(g, rb, of) }
			}}})
		}
		add("the mean over tied copies", func(copies []float64) float64 { return sum(copies) / float64(len(copies)) })
		add("the gradient of the first tied copy", func(copies []float64) float64 { return copies[0] })
	}
	return mutants
}
