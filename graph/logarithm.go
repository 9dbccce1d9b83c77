package graph

import (
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// logarithm is a positive parameter p trained as s = log p: its gradient is
//
//	dL/ds = p dL/dp
//
// The projections of the shapes leave spreads alone but for the floor.
type logarithm struct {
	of       *parameter
	value    *tensor.Dense // s
	gradient *tensor.Dense

	floor, least float64 // of p and of s
}

func newLogarithm(of *parameter, floor float64) *logarithm {
	l := &logarithm{of, of.value.Clone().(*tensor.Dense), of.value.Clone().(*tensor.Dense), floor, math.Log(floor)}
	l.put()
	return l
}

// put computes the logarithm from the parameter.
func (l *logarithm) put() {
	for i, v := range l.of.value.Float64s() {
		l.value.Float64s()[i] = math.Log(v)
	}
}

// Name returns the parameter's name.
func (l *logarithm) Name() string { return "log " + l.of.name }

// Value returns the live tensor of logarithms.
func (l *logarithm) Value() gorgonia.Value { return l.value }

// Grad returns the gradient that the last run has left.
func (l *logarithm) Grad() (gorgonia.Value, error) {
	g, err := l.of.Grad()
	if err != nil {
		return nil, err
	}
	by, p := g.(*tensor.Dense).Float64s(), l.of.value.Float64s()
	for i := range l.gradient.Float64s() {
		l.gradient.Float64s()[i] = p[i] * by[i]
	}
	return l.gradient, nil
}

// take computes the parameter from its logarithm, and moves both to the floor where
// they are below.
func (l *logarithm) take() {
	p, s := l.of.value.Float64s(), l.value.Float64s()
	for i := range s {
		s[i] = max(s[i], l.least)
		p[i] = max(math.Exp(s[i]), l.floor)
	}
}
