package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/rules"
)

// Autodiff is the network of package graph from Gorgonia's operations, with Gorgonia's
// gradients.
type Autodiff struct{}

// Name returns "autodiff".
func (Autodiff) Name() string { return "autodiff" }

// Applies returns true: every shape has an expression.
func (Autodiff) Applies(*rules.RuleBase) bool { return true }

// Run builds the network and evaluates it once.
func (Autodiff) Run(p *Problem) (*Result, error) { return evaluate("autodiff", p) }

// evaluate runs an engine of package graph.
func evaluate(engine string, p *Problem) (*Result, error) {
	n, err := graph.New(p.RuleBase, graph.Options{
		Engine: engine, Batch: len(p.X), Loss: p.Loss, Penalties: p.Penalties, TwoParts: len(p.X[0]) > p.RuleBase.Features(),
	})
	if err != nil {
		return nil, err
	}
	defer n.Close()
	data, penalty, _, err := n.Evaluate(slices.Concat(p.X...), p.Target, slices.Concat(p.Mask...), p.Weight)
	if err != nil {
		return nil, err
	}
	g, err := n.Gradients()
	if err != nil {
		return nil, err
	}
	return &Result{Prediction: n.Predictions(), Loss: data + penalty, Gradient: g}, nil
}
