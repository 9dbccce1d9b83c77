package graph

import (
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/numeric"
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

// Logarithms returns a copy of the spreads' logarithms, one slice for each parameter
// that LogSpreads trains so; nil without. With [Network.Parameters] they are all that
// training changes.
func (n *Network) Logarithms() [][]float64 {
	var values [][]float64
	for _, l := range n.logs {
		values = append(values, slices.Clone(l.value.Float64s()))
	}
	return values
}

// SetLogarithms puts back what Logarithms returned, in a network that was built with
// the parameters of that moment.
func (n *Network) SetLogarithms(values [][]float64) error {
	if len(values) != len(n.logs) {
		return fmt.Errorf("%w: logarithms of %d parameters; the network has %d", ErrGraph, len(values), len(n.logs))
	}
	for i, l := range n.logs {
		if len(values[i]) != l.value.Size() {
			return fmt.Errorf("%w: %d logarithms of %s; the network has %d", ErrGraph, len(values[i]), l.of.name, l.value.Size())
		}
		for j, v := range values[i] {
			if !numeric.Finite(v) {
				return fmt.Errorf("%w: logarithm %d of %s is %v", ErrGraph, j, l.of.name, v)
			}
		}
	}
	for i, l := range n.logs {
		copy(l.value.Float64s(), values[i])
	}
	return nil
}
