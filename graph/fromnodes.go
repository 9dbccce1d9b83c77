package graph

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// Layers builds the layers of a network from its inputs: those of package layers, Gorgonia's, or others of package layers'
// Builder. It is called for batches of several sizes B, with all inputs but Curve.
type Layers func(b *layers.Builder, in layers.Inputs) Nodes

// Nodes are the results of layers.
type Nodes struct {
	Prediction *gorgonia.Node // [B,C]

	// Covered is one for samples that a rule covers and zero for the others, which the loss leaves out, [B,1]; nil: all are
	// covered.
	Covered *gorgonia.Node

	// Loss is the data part of the loss, a scalar: a sum over the samples times their weights. Nil: that of Options.Loss.
	Loss *gorgonia.Node

	// Levels are the normalised firing levels [B,R] and Outputs the rule outputs, [C] of [B,R] each, for penalties that are
	// functions of these.
	Levels  *gorgonia.Node
	Outputs []*gorgonia.Node
}

// FromNodes is New with layers of the caller, such as another normalisation, from the inputs and parameters of a copy of the
// rulebase. Gorgonia derives the gradients: the engine is autodiff, without RuleDropout and BatchNorm. The network trains as
// any other; [Network.RuleBase] returns its parameters, and predictions with these layers are those of [Network.Predict].
func FromNodes(rb *rules.RuleBase, o Options, own Layers) (*Network, error) {
	if own == nil {
		return nil, fmt.Errorf("%w: the layers are nil", ErrGraph)
	}
	return newNetwork(rb, o, own)
}

// forOwn returns the options with the engine of FromNodes, or an error for those that it does not have.
func forOwn(o Options) (Options, error) {
	if !slices.Contains([]string{"", "auto", autodiff}, o.Engine) {
		return o, fmt.Errorf("%w: own layers need the engine %s, not %q", ErrGraph, autodiff, o.Engine)
	}
	if o.RuleDropout != 0 || o.BatchNorm != nil {
		return o, fmt.Errorf("%w: own layers have no Rule Dropout and no batch normalisation", ErrGraph)
	}
	o.Engine = autodiff
	return o, nil
}

// addOwn adds the layers of the caller.
func addOwn(n *net, build Layers, penalties []penalty.Penalty) error {
	var out Nodes
	n.add("own layers", func(b *layers.Builder) *gorgonia.Node {
		out = build(b, n.inputs())
		return out.Prediction
	})
	if err := n.builder.Err(); err != nil {
		return n.failed(err)
	}
	if out.Covered == nil {
		out.Covered = n.builder.Input("covered", newTensor(slices.Repeat([]float64{1}, n.B), 1))
	}
	if err := out.check(n.B, n.mask.value.Shape()[1], n.C, penalties); err != nil {
		return err
	}
	n.prediction.node, n.covered.node, n.data.node, n.normalised, n.outputs = out.Prediction, out.Covered, out.Loss, out.Levels, out.Outputs
	return nil
}

// check returns an error for a node of a wrong shape, or one that the penalties lack.
func (out Nodes) check(B, R, C int, penalties []penalty.Penalty) error {
	for _, n := range []struct {
		name  string
		node  *gorgonia.Node
		shape tensor.Shape
	}{
		{"Prediction", out.Prediction, tensor.Shape{B, C}}, {"Covered", out.Covered, tensor.Shape{B, 1}},
		{"Loss", out.Loss, tensor.ScalarShape()}, {"Levels", out.Levels, tensor.Shape{B, R}},
	} {
		switch {
		case n.node == nil && n.name == "Prediction":
			return fmt.Errorf("%w: own layers return no Prediction", ErrGraph)
		case n.node != nil && !n.node.Shape().Eq(n.shape):
			return fmt.Errorf("%w: own layers return %s of the shape %v, want %v", ErrGraph, n.name, n.node.Shape(), n.shape)
		}
	}
	samples := len(penalty.OnSamples(penalties)) > 0
	if out.Levels == nil && (samples || len(penalty.Of(penalty.OnLevels, penalties)) > 0) {
		return fmt.Errorf("%w: own layers return no Levels, which a penalty needs", ErrGraph)
	}
	if samples && len(out.Outputs) != C {
		return fmt.Errorf("%w: own layers return %d Outputs, of which a penalty needs %d", ErrGraph, len(out.Outputs), C)
	}
	return nil
}
