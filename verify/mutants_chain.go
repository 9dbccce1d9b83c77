package verify

import (
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// chainMutants have a wrong step of the closed form: their values are correct and only
// their gradient is wrong.
func chainMutants(shape membership.Function) []Mutant {
	if _, ok := shape.(membership.Gradients); !ok {
		return nil
	}
	var mutants []Mutant
	add := func(wrong, step string, change func(*steps)) {
		mutants = append(mutants, Mutant{wrong, "closed form: " + step, ClosedForm{change}})
	}
	add("the 1/2 of the paper's first lines", "dL/dy", func(s *steps) {
		s.byOutput = func(p *Problem, n int, y float64) float64 { return p.byPrediction(n, y) / 2 }
	})
	add("sample weights ignored", "dL/dy", func(s *steps) {
		s.byOutput = func(p *Problem, n int, y float64) float64 { return p.gradient(n, y) }
	})
	add("normalisation treated as constant", "dy/df", func(s *steps) {
		s.byLevel = func(yr, _, sumF float64) float64 { return yr / sumF }
	})
	add("penalty missing", "dL/dw", func(s *steps) {
		s.penalty = func(float64, bool) float64 { return 0 }
	})
	add("penalty added twice, as Algorithm 1 is printed", "dL/dw", func(s *steps) {
		right := s.penalty
		s.penalty = func(d float64, bias bool) float64 { return 2 * right(d, bias) }
	})
	add("bias penalised", "dL/dw", func(s *steps) {
		s.penalty = func(d float64, _ bool) float64 { return d }
	})
	add("normalisation treated as constant in penalties", "dP/df", func(s *steps) {
		s.level = func(u, _, sumF float64) float64 { return u / sumF }
	})
	for i, wrong := range []string{"firing levels treated as constant in penalties", "rule outputs treated as constant in penalties"} {
		add(wrong, []string{"dP/dfbar", "dP/dy"}[i], func(s *steps) {
			s.rules = func(byLevels, byOutputs [][]float64) {
				for _, row := range [][][]float64{byLevels, byOutputs}[i] {
					clear(row)
				}
			}
		})
	}
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
