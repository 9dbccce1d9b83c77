package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/membership"
)

// Fused is the network of package graph from fused operations, the engine of training if
// it supports the shape.
type Fused struct{}

// Name returns "fused".
func (Fused) Name() string { return "fused" }

// Applies reports whether the fused engine supports the shape.
func (Fused) Applies(shape membership.Function) bool {
	return slices.Contains(graph.Engines(shape), "fused")
}

// Run builds the network and evaluates it once.
func (Fused) Run(p *Problem) (*Result, error) { return evaluate("fused", p) }
