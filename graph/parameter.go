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
}

// Name returns the parameter's name.
func (p *parameter) Name() string { return p.name }

// Value returns the live tensor.
func (p *parameter) Value() gorgonia.Value { return p.value }

// Grad returns the gradient of the last run.
func (p *parameter) Grad() (gorgonia.Value, error) {
	if v := *p.gradient.value; v != nil {
		return v, nil
	}
	return nil, fmt.Errorf("%w: no gradient of %s: call Evaluate first", ErrGraph, p.name)
}
