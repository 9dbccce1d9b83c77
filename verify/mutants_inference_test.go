package verify

import (
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// inferenceMutants have another t-norm or defuzzification, or a wrong derivative of the
// weights.
func inferenceMutants(shape membership.Function) []Mutant {
	var mutants []Mutant
	add := func(wrong, in string, alter func(rb *rules.RuleBase)) {
		mutants = append(mutants, Mutant{wrong, in, altered{Autodiff{}, func(p *Problem) {
			rb := *p.RuleBase
			alter(&rb)
			p.RuleBase = &rb
		}}})
	}
	norms := inference.TNorms()
	for i, t := range norms {
		other := norms[(i+1)%len(norms)]
		add(other.Name()+" instead of "+t.Name(), "t-norm", func(rb *rules.RuleBase) {
			if rb.TNorm == t {
				rb.TNorm = other
			}
		})
	}
	defuzzifications := inference.Defuzzifications()
	for i, d := range defuzzifications {
		other := defuzzifications[(i+1)%len(defuzzifications)]
		add(other.Name()+" instead of "+d.Name(), "defuzzification", func(rb *rules.RuleBase) {
			if rb.Defuzzification == d {
				rb.Defuzzification = other
			}
		})
	}
	add("one feature more", "defuzzification", func(rb *rules.RuleBase) {
		if rb.Defuzzification == (inference.HTSK{}) {
			rb.Defuzzification = oneMore{rb.Defuzzification}
		}
	})
	if _, ok := shape.(membership.Gradients); ok {
		mutants = append(mutants,
			Mutant{"the weight treated as the firing level", "closed form: dw/df", ClosedForm{func(s *steps) {
				s.weight = func(float64) float64 { return 1 }
			}}})
	}
	return mutants
}

// oneMore is a defuzzification of a feature more in its expression.
type oneMore struct{ inference.Defuzzification }

// Expr returns the expression for M+1 features.
func (d oneMore) Expr(b membership.Builder, z membership.Term, M int) membership.Term {
	return d.Defuzzification.Expr(b, z, M+1)
}
