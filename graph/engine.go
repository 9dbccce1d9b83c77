package graph

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
)

const (
	autodiff = "autodiff" // Gorgonia's operations, layer by layer; gradients by gorgonia.Grad
	fused    = "fused"    // own operations, several layers each; gradients in closed form
)

// Engines returns the names of the gradient engines that support a shape with a t-norm, the
// fastest first. "fused" needs the shape's closed form, of its logarithm where firing levels are
// logarithms, which shapes from an expression do not have; "autodiff" supports all.
func Engines(shape membership.Function, t inference.TNorm) []string {
	if layers.Fusable(shape, t) {
		return []string{fused, autodiff}
	}
	return []string{autodiff}
}

// Engine returns the engine of that name, or for "auto" and the empty name the fastest that supports the
// shape with the t-norm. Any other name, or an engine that does not support them, is an error.
func Engine(name string, shape membership.Function, t inference.TNorm) (string, error) {
	can := Engines(shape, t)
	switch {
	case name == "auto" || name == "":
		return can[0], nil
	case slices.Contains(can, name):
		return name, nil
	case name == fused:
		return "", fmt.Errorf("%w: engine fused needs a closed form of the gradient, which %s does not have: choose auto or autodiff", ErrGraph, shape.Name())
	}
	return "", fmt.Errorf("%w: unknown engine %q: choose auto, %s or %s", ErrGraph, name, fused, autodiff)
}
