package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/membership"
)

// altered is a route that runs on an altered problem.
type altered struct {
	Route
	alter func(p *Problem) // of a shallow copy
}

// Run runs the route on the altered problem.
func (a altered) Run(p *Problem) (*Result, error) {
	other := *p
	a.alter(&other)
	return a.Route.Run(&other)
}

// limited is a wrong route whose mistake has an effect on some problems only.
type limited struct {
	Route
	to func(p *Problem) bool
}

// withShape is the route with another shape in the rulebase.
func withShape(r Route, shape membership.Function) Route {
	return altered{r, func(p *Problem) {
		rb := *p.RuleBase
		rb.Shape = shape
		p.RuleBase = &rb
	}}
}

// inputMutants have wrong inputs of a route.
func inputMutants() []Mutant {
	masked := func(wrong string, change func(n, r int, mask [][]float64) float64) Mutant {
		return Mutant{wrong, "mask", altered{Autodiff{}, func(p *Problem) {
			changed := make([][]float64, len(p.Mask))
			for n, row := range p.Mask {
				changed[n] = make([]float64, len(row))
				for r := range row {
					changed[n][r] = change(n, r, p.Mask)
				}
				changed[n][0] = max(changed[n][0], 1-slices.Max(changed[n])) // keeps at least one
			}
			p.Mask = changed
		}}}
	}
	return []Mutant{
		masked("mask dropped", func(int, int, [][]float64) float64 { return 1 }),
		masked("mask inverted", func(n, r int, mask [][]float64) float64 { return 1 - mask[n][r] }),
		masked("mask of the next sample", func(n, r int, mask [][]float64) float64 { return mask[(n+1)%len(mask)][r] }),
		masked("mask of the next rule", func(n, r int, mask [][]float64) float64 { return mask[n][(r+1)%len(mask[n])] }),
		{"features one column off", "batch", altered{Autodiff{}, func(p *Problem) {
			shifted := make([][]float64, len(p.X))
			for n, x := range p.X {
				shifted[n] = slices.Concat(x[1:], x[:1])
			}
			p.X = shifted
		}}},
		{"consequents use the antecedents' features", "batch", altered{Autodiff{}, func(p *Problem) {
			same := make([][]float64, len(p.X))
			for n, x := range p.X {
				same[n] = p.RuleBase.IfPart(x)
			}
			p.X = same
		}}},
	}
}
