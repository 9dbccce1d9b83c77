package graph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// logarithm is a positive parameter p trained as s = log p: its gradient is
//
//	dL/ds = p dL/dp
//
// Projections of the shapes change spreads only to the floor.
type logarithm struct {
	of       *parameter
	value    *tensor.Dense // s
	gradient *tensor.Dense

	floor, least float64 // of p and of s
}

func newLogarithm(of *parameter, floor float64) *logarithm {
	l := &logarithm{of, of.value.Clone().(*tensor.Dense), of.value.Clone().(*tensor.Dense), floor, math.Log(floor)}
	l.fromParameter()
	return l
}

// fromParameter computes the logarithm from the parameter.
func (l *logarithm) fromParameter() {
	for i, v := range l.of.value.Float64s() {
		l.value.Float64s()[i] = math.Log(v)
	}
}

// Name returns "log " and the parameter's name.
func (l *logarithm) Name() string { return "log " + l.of.name }

// Value returns the live tensor of logarithms.
func (l *logarithm) Value() gorgonia.Value { return l.value }

// Grad returns the gradient by the logarithm of the last run.
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

// toParameter computes the parameter from its logarithm, and raises both to the floor.
func (l *logarithm) toParameter() {
	p, s := l.of.value.Float64s(), l.value.Float64s()
	for i := range s {
		s[i] = max(s[i], l.least)
		p[i] = max(numeric.Exp(s[i]), l.floor)
	}
}

// setOthers sets tensors to finite values.
func setOthers(others []*tensor.Dense, values [][]float64) error {
	if len(values) != len(others) {
		return fmt.Errorf("%w: %d other parameters, want %d", ErrGraph, len(values), len(others))
	}
	for i, t := range others {
		if len(values[i]) != t.Size() {
			return fmt.Errorf("%w: other parameter %d: %d values, want %d", ErrGraph, i, len(values[i]), t.Size())
		}
		for j, v := range values[i] {
			if !numeric.Finite(v) {
				return fmt.Errorf("%w: other parameter %d: value %d is %v: must be finite", ErrGraph, i, j, v)
			}
		}
	}
	for i, t := range others {
		copy(t.Float64s(), values[i])
	}
	return nil
}
