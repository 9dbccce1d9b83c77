package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/rules"
)

// Fused is the network of package graph from fused operations, the engine of training if
// it supports the shape.
type Fused struct{}

// Name returns "fused".
func (Fused) Name() string { return "fused" }

// Applies reports whether the fused engine supports the shape with the t-norm.
func (Fused) Applies(rb *rules.RuleBase) bool {
	return slices.Contains(graph.Engines(rb.Shape, inference.OrProduct(rb.TNorm)), "fused")
}

// Run builds the network and evaluates it once.
func (Fused) Run(p *Problem) (*Result, error) { return evaluate("fused", p) }
