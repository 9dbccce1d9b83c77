package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/membership"
)

// Fused is the network of package graph as it is trained where it can: our own
// nodes, over kernels.
type Fused struct{}

// Name returns "fused".
func (Fused) Name() string { return "fused" }

// Applies is true for shapes that the fused engine can do.
func (Fused) Applies(shape membership.Function) bool {
	return slices.Contains(graph.Engines(shape), "fused")
}

// Run builds the network and evaluates it once.
func (Fused) Run(p *Problem) (*Result, error) { return evaluate("fused", p) }
