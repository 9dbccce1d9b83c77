package rules

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// Project moves antecedent parameters into their domain in place: p[j][i] is
// parameter j of membership function i, whatever the order of the functions.
func Project(shape membership.Function, spreadFloor float64, p [][]float64) {
	Projection(shape, spreadFloor)(p)
}

// Projection returns [Project] for one shape and floor, as a function that
// allocates nothing.
func Projection(shape membership.Function, spreadFloor float64) func(p [][]float64) {
	var least []float64
	for _, param := range shape.Params() {
		least = append(least, param.Kind.Least(spreadFloor))
	}
	s, further := shape.(membership.Projector)
	return func(p [][]float64) {
		for j, bound := range least {
			if math.IsInf(bound, -1) {
				continue
			}
			for i, v := range p[j] {
				p[j][i] = max(v, bound)
			}
		}
		if further {
			s.Project(p)
		}
	}
}
