package rules

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
)

// flatSpread is the spread at which a membership function is placed to be flat: wide
// enough that its grade is one to the bit wherever samples lie, and that no gradient
// moves it.
const flatSpread = 1e200

// farthest is how far from zero, in scaled units, samples may lie and a flat function
// be one.
const farthest = 1e6

// flatParams returns the parameters of a shape placed so wide that it is flat. Slopes
// are one, either way, and not nearly zero: the edges are far away, and sharp.
func flatParams(shape membership.Function) []float64 {
	p := shape.Place(0, flatSpread)
	for j, param := range shape.Params() {
		if param.Kind == membership.Slope {
			p[j] = math.Copysign(1, p[j])
		}
	}
	return p
}

// CanBeFlat reports whether a shape placed wide enough is one everywhere: all shapes
// that are built in are.
func CanBeFlat(shape membership.Function) bool { return flat(shape, flatParams(shape)) }

func flat(shape membership.Function, p []float64) bool {
	g := []float64{-farthest, 0, farthest}
	shape.Grades(g, g, p)
	return g[0] == 1 && g[1] == 1 && g[2] == 1
}
