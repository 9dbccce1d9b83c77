package graph

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// parameter is a trainable tensor with its gradient.
type parameter struct {
	name     string
	value    *tensor.Dense
	gradient *output

	kept   []int         // elements that nothing changes
	values []float64     // of these
	held   []int         // elements that training does not change: their gradient is zero
	freed  *tensor.Dense // gradient with these zeros; nil: none is held
}

// keep keeps the elements whose mark is one.
func (p *parameter) keep(marks []float64) {
	for i, v := range p.value.Float64s() {
		if marks[i] == 1 {
			p.kept, p.values = append(p.kept, i), append(p.values, v)
		}
	}
	p.hold(p.kept)
}

// restore sets the elements that are kept to their values.
func (p *parameter) restore() {
	all := p.value.Float64s()
	for k, i := range p.kept {
		all[i] = p.values[k]
	}
}

// holdZeros holds the elements that are zero now, besides those that are kept.
func (p *parameter) holdZeros() {
	held := slices.Clone(p.kept)
	for i, v := range p.value.Float64s() {
		if v == 0 {
			held = append(held, i)
		}
	}
	p.hold(held)
}

// hold holds the given elements and no others.
func (p *parameter) hold(held []int) {
	if p.held, p.freed = held, nil; len(held) > 0 {
		p.freed = p.value.Clone().(*tensor.Dense)
	}
}

// Name returns the parameter's name.
func (p *parameter) Name() string { return p.name }

// Value returns the live tensor.
func (p *parameter) Value() gorgonia.Value { return p.value }

// Grad returns the gradient of the last run.
func (p *parameter) Grad() (gorgonia.Value, error) {
	v := *p.gradient.value
	if v == nil {
		return nil, fmt.Errorf("%w: no gradient of %s: call Evaluate first", ErrGraph, p.name)
	}
	if p.freed == nil {
		return v, nil
	}
	all := p.freed.Float64s()
	copy(all, v.(*tensor.Dense).Float64s())
	for _, i := range p.held {
		all[i] = 0
	}
	return p.freed, nil
}
