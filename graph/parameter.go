package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// parameter is a trainable tensor with its gradient.
type parameter struct {
	name     string
	value    *tensor.Dense
	gradient *output

	held  []int         // elements that training does not change; their gradient is zero
	freed *tensor.Dense // gradient with these zeros; nil: none is held
}

// holdZeros holds the elements that are zero now.
func (p *parameter) holdZeros() {
	p.held, p.freed = nil, nil
	for i, v := range p.value.Float64s() {
		if v == 0 {
			p.held = append(p.held, i)
		}
	}
	if p.held != nil {
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
