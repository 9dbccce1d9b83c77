package verify

import (
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// inStep returns a mutant of the closed form with a wrong step.
func inStep(wrong, step string, change func(*steps)) Mutant {
	return Mutant{wrong, "closed form: " + step, ClosedForm{change}}
}

// chainMutants have a wrong step of the closed form: their values are correct and only
// their gradient is wrong.
func chainMutants(shape membership.Function) []Mutant {
	if _, ok := shape.(membership.Gradients); !ok {
		return nil
	}
	mutants := penaltySteps()
	add := func(wrong, step string, change func(*steps)) { mutants = append(mutants, inStep(wrong, step, change)) }
	add("the 1/2 of the paper's first lines", "dL/dy", func(s *steps) {
		s.byOutput = func(p *Problem, n int, y []float64) []float64 {
			d := p.byPrediction(n, y)
			for c := range d {
				d[c] /= 2
			}
			return d
		}
	})
	add("sample weights ignored", "dL/dy", func(s *steps) {
		s.byOutput = (*Problem).gradient
	})
	add("normalisation treated as constant", "dy/df", func(s *steps) {
		s.byLevel = func(yr, _, sumF float64) float64 { return yr / sumF }
	})
	add("firing levels trained by the first output only", "dL/df", func(s *steps) {
		s.across = func(byPrediction []float64) []float64 {
			first := make([]float64, len(byPrediction))
			first[0] = byPrediction[0]
			return first
		}
	})
	if vanishes(shape) {
		add("f/mu where mu is zero", "df/dmu", func(s *steps) {
			s.others = func(_ inference.TNorm, mu []float64) []float64 {
				f, others := 1.0, make([]float64, len(mu))
				for _, v := range mu {
					f *= v
				}
				for m, v := range mu {
					others[m] = f / v
				}
				return others
			}
		})
	}
	return mutants
}

// penaltySteps have a wrong derivative of a penalty.
func penaltySteps() []Mutant {
	zero := func(rows [][]float64) {
		for _, row := range rows {
			clear(row)
		}
	}
	return []Mutant{
		inStep("penalty missing", "dL/dw", func(s *steps) {
			s.penalty = func(float64, bool) float64 { return 0 }
		}),
		inStep("penalty added twice, as Algorithm 1 is printed", "dL/dw", func(s *steps) {
			right := s.penalty
			s.penalty = func(d float64, bias bool) float64 { return 2 * right(d, bias) }
		}),
		inStep("bias penalised", "dL/dw", func(s *steps) {
			s.penalty = func(d float64, _ bool) float64 { return d }
		}),
		inStep("normalisation treated as constant in penalties", "dP/df", func(s *steps) {
			s.level = func(u, _, sumF float64) float64 { return u / sumF }
		}),
		inStep("firing levels treated as constant in penalties", "dP/dfbar", func(s *steps) {
			s.rules = func(byLevels [][]float64, _ [][][]float64) { zero(byLevels) }
		}),
		inStep("rule outputs treated as constant in penalties", "dP/dy", func(s *steps) {
			s.rules = func(_ [][]float64, byOutputs [][][]float64) {
				for _, rows := range byOutputs {
					zero(rows)
				}
			}
		}),
	}
}
