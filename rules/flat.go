package rules

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// flatSpread is the spread of a flat membership function: so wide that its grade is one
// to the bit for all samples, and that no gradient moves it.
const flatSpread = 1e200

// farthest is the distance from zero, in scaled units, up to which a flat function must
// be one.
const farthest = 1e6

// flatParams returns the parameters of a flat function of the shape. Slopes are plus or
// minus one instead of nearly zero, so that the edges are far away and steep. If the
// borders have parameters of their own, both are open.
func flatParams(shape membership.Function) []float64 {
	if s, ok := shape.(membership.Bordered); ok {
		return s.Between(math.Inf(-1), math.Inf(1), 1)
	}
	p := shape.Place(0, flatSpread)
	for j, param := range shape.Params() {
		if param.Kind == membership.Slope {
			p[j] = math.Copysign(1, p[j])
		}
	}
	return p
}

// CanBeFlat reports whether a function of the shape is one everywhere if it is wide
// enough, as for all built-in shapes.
func CanBeFlat(shape membership.Function) bool { return flat(shape, flatParams(shape)) }

func flat(shape membership.Function, p []float64) bool {
	g := []float64{-farthest, 0, farthest}
	shape.Grades(g, g, p)
	return g[0] == 1 && g[1] == 1 && g[2] == 1
}
