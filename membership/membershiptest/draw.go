package membershiptest

import (
	"math"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/membership"
)

// draw is a membership function, the center and spread of its placement, and points
// around it.
type draw struct {
	p, x           []float64
	center, spread float64
}

// drawn returns a function by Place or from anywhere in the domain, and points around it:
// at random, at its positions, and at its kinks.
func drawn(t *rapid.T, f membership.Function) draw {
	d := draw{
		center: rapid.Float64Range(-5, 5).Draw(t, "center"),
		spread: rapid.Float64Range(0.05, 5).Draw(t, "spread"),
	}
	d.p = f.Place(d.center, d.spread)
	if rapid.Bool().Draw(t, "anywhere") {
		for j, param := range f.Params() {
			d.p[j] = d.anywhere(t, param)
		}
		if s, ok := f.(membership.Projector); ok {
			s.Project(columns(d.p))
		}
	}
	for range 8 {
		d.x = append(d.x, d.center+d.spread*rapid.Float64Range(-12, 12).Draw(t, "x"))
	}
	for j, param := range f.Params() {
		if param.Kind == membership.Position {
			d.x = append(d.x, d.p[j])
		}
	}
	if k, ok := f.(membership.Kinked); ok {
		d.x = append(d.x, k.Kinks(d.p)...)
	}
	return d
}

// anywhere draws a value of the parameter's kind.
func (d draw) anywhere(t *rapid.T, param membership.Param) float64 {
	from := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, param.Name) }
	switch param.Kind {
	case membership.Position:
		return d.center + d.spread*from(-5, 5)
	case membership.Spread:
		return d.spread * math.Exp(from(-2, 2))
	case membership.Slope:
		return from(-10, 10) / d.spread
	case membership.Exponent:
		return from(membership.MinExponent, 10)
	}
	return from(-10, 10)
}

// unit returns the unit of a kind of parameter for a function with this spread.
func (d draw) unit(k membership.Kind) float64 {
	switch k {
	case membership.Slope:
		return 1 / d.spread
	case membership.Exponent, membership.Number:
		return 1
	}
	return d.spread
}

// closeTo reports whether x is within a step of a position, but not on it: a leg or a
// flank may then be shorter than a step.
func (d draw) closeTo(f membership.Function, x float64) bool {
	for j, param := range f.Params() {
		if param.Kind == membership.Position && x != d.p[j] && math.Abs(x-d.p[j]) < 3e-4*d.spread {
			return true
		}
	}
	return false
}

// columns returns p as the parameters [P][1] of one function, sharing its memory.
func columns(p []float64) [][]float64 {
	c := make([][]float64, len(p))
	for j := range p {
		c[j] = p[j : j+1]
	}
	return c
}
