package graph

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
)

const (
	autodiff = "autodiff" // stock nodes, one layer after the other; gradients by gorgonia.Grad
	fused    = "fused"    // our own nodes, several layers each; gradients in closed form
)

// Engines names the ways of computing gradients that can do a shape, the fastest
// first. "fused" needs the shape's closed form, which one written as an expression
// does not have; "autodiff" does every shape.
func Engines(shape membership.Function) []string {
	if layers.Fusable(shape) {
		return []string{fused, autodiff}
	}
	return []string{autodiff}
}

// Engine resolves "auto", to the fastest engine that can do the shape, and refuses
// names of none that can.
func Engine(name string, shape membership.Function) (string, error) {
	can := Engines(shape)
	switch {
	case name == "auto":
		return can[0], nil
	case slices.Contains(can, name):
		return name, nil
	case name == fused:
		return "", fmt.Errorf("%w: engine fused needs a closed form of the gradient, which %s does not have: choose auto or autodiff", ErrGraph, shape.Name())
	}
	return "", fmt.Errorf("%w: unknown engine %q: choose auto, %s or %s", ErrGraph, name, fused, autodiff)
}
