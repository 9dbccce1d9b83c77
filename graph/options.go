package graph

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Options are the options of a network.
type Options struct {
	Engine string // one of Engines, or auto; empty: auto
	Batch  int    // B, the number of samples of a mini-batch; 0: 64

	Loss      loss.Loss         // nil: squared
	Penalties []penalty.Penalty // added to the loss

	// TwoParts reports whether rows of x are [2M]: the features of the antecedents, then
	// those of the consequents.
	TwoParts bool

	// LogSpreads trains spreads (parameters of kind membership.Spread) as their
	// logarithms, so that a step changes them by a factor.
	LogSpreads bool

	// Constant excludes the slopes from training: with slopes of zero, the model is a
	// zero-order TSK system.
	Constant bool

	// RuleDropout is P of Rule Dropout; 0: none. The mask then discards rules after the
	// normalisation, see [layers.RuleDropout], not before it as DropRule does. BatchNorm, if
	// not nil, has the moments of the features of the consequents for batch normalisation.
	// Both need the engine autodiff.
	RuleDropout float64
	BatchNorm   *Moments
}

// complete returns the options with their defaults, or an error if a network of rb cannot have them.
func (o Options) complete(rb *rules.RuleBase, own Layers) (_ Options, err error) {
	if own != nil {
		o, err = forOwn(o)
	} else {
		o.Engine, err = Engine(o.Engine, rb.Shape, inference.OrProduct(rb.TNorm))
	}
	if err != nil {
		return o, err
	}
	if o.Loss = loss.OrSquared(o.Loss); o.Batch == 0 {
		o.Batch = 64
	}
	return o, o.check(rb)
}

// check returns an error if a network of rb cannot have the options.
func (o Options) check(rb *rules.RuleBase) error {
	if o.Batch < 1 {
		return fmt.Errorf("%w: batch size %d: must be at least 1", ErrGraph, o.Batch)
	}
	if err := o.checkLoss(); err != nil {
		return err
	}
	if err := o.checkStock(rb.Features()); err != nil {
		return err
	}
	return checkConstraints(o, rb)
}

// checkLoss returns an error if the network cannot minimise the loss or a penalty.
func (o Options) checkLoss() error {
	if _, one := o.Loss.(loss.OfOutput); !one {
		if _, all := o.Loss.(loss.OfOutputs); !all {
			return fmt.Errorf("%w: loss %s: implement loss.OfOutput or loss.OfOutputs", ErrGraph, o.Loss.Name())
		}
	}
	for i, p := range o.Penalties {
		if p == nil {
			return fmt.Errorf("%w: penalty %d is nil", ErrGraph, i)
		}
		if _, matrix := p.(penalty.OfMatrix); !matrix {
			if _, samples := p.(penalty.OfSamples); !samples {
				return fmt.Errorf("%w: penalty %s: implement penalty.OfMatrix or penalty.OfSamples", ErrGraph, p.Name())
			}
		}
		if w := p.Weight(); !(w >= 0) {
			return fmt.Errorf("%w: penalty %s: weight %v: must not be negative", ErrGraph, p.Name(), w)
		}
	}
	return nil
}

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
		return "", fmt.Errorf("%w: engine fused needs a closed form of the gradient, which %s does not have: choose auto or autodiff",
			ErrGraph, shape.Name())
	}
	return "", fmt.Errorf("%w: unknown engine %q: choose auto, %s or %s", ErrGraph, name, fused, autodiff)
}

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
