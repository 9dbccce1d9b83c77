package graph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// net is a graph under construction and, once built, its inputs and outputs.
type net struct {
	graph   *gorgonia.ExprGraph
	builder *layers.Builder
	layers  []layer
	params  gorgonia.Nodes // in the order of Network.params
	knots   [][]float64    // of the curves; nil: none

	B, M, C                    int
	x, z, mask, target, weight input        // z is x without TwoParts
	normal                     *normalInput // nil: no batch normalisation

	normalised          *gorgonia.Node // firing levels [B,R]; of the stock engine, as the next
	outputs             gorgonia.Nodes // rule outputs [C], [B,R] each
	prediction, covered output         // [B,C] and [B,1]
	data, penalty       output         // scalars; penalty has no node if there are no penalties
	gradients           []*output      // by params, in their order, then by the scale and the shift of batch normalisation
}

// layer is a layer's name and its nodes in the graph.
type layer struct {
	name  string
	nodes gorgonia.Nodes
}

// input is a node whose value is set before a run.
type input struct {
	node  *gorgonia.Node
	value *tensor.Dense
}

// output is a node whose value is read after a run.
type output struct {
	node  *gorgonia.Node
	value *gorgonia.Value // where the machine stores it
}

// newNet builds the layers of an engine, or those of own, from the inputs x [B,M], z [B,M] and mask
// [B,R] to the predictions [B,C], over the parameter tensors of a rulebase, and then what follows.
func newNet(o Options, rb *rules.RuleBase, params []*tensor.Dense, norm *batchNorm, own Layers, then func(*net) error) (*net, error) {
	n := &net{graph: gorgonia.NewGraph(), B: o.Batch, M: rb.Features(), C: rb.OutputCount(), knots: rb.Knots}
	err := layers.Build(n.graph, func(b *layers.Builder) error {
		n.builder = b
		if err := n.addLayers(o, rb, params, norm, own); err != nil {
			return err
		}
		return then(n)
	})
	if err != nil && !errors.Is(err, ErrGraph) {
		err = fmt.Errorf("%w: %w", ErrGraph, err)
	}
	return n, err
}

// addLayers adds the inputs and the layers up to the predictions.
func (n *net) addLayers(o Options, rb *rules.RuleBase, params []*tensor.Dense, norm *batchNorm, own Layers) error {
	M, R := rb.Features(), rb.Rules()
	n.x = n.newInput("x", o.Batch, M)
	if n.z = n.x; o.TwoParts {
		n.z = n.newInput("z", o.Batch, M)
	}
	n.mask = n.newInput("mask", o.Batch, R)
	if own != nil || len(penalty.OnSamples(o.Penalties)) > 0 {
		n.weight, n.target = n.newInput("weight", o.Batch, 1), n.newInput("target", o.Batch, n.C)
	}
	for i, name := range paramNames(rb) {
		n.params = append(n.params, n.builder.Input(name, params[i]))
	}
	addNormal(n, norm)
	switch {
	case own != nil:
		return addOwn(n, own, o.Penalties)
	case o.Engine == fused:
		n.addFused(rb, o.Penalties)
	default:
		n.addStock(rb, o.RuleDropout)
	}
	return nil
}

// inputs returns the inputs and parameters.
func (n *net) inputs() layers.Inputs {
	in := layers.Inputs{X: n.x.node, Z: n.z.node, Mask: n.mask.node, Target: n.target.node, Weight: n.weight.node}
	k := len(n.params) - 2
	if n.knots != nil {
		k--
		in.Curve = n.params[k+2]
	}
	in.Antecedents, in.Bias, in.Slope = n.params[:k], n.params[k], n.params[k+1]
	return in
}

// addLoss adds the inputs target [B,C] and weight [B,1], the loss, and the gradients.
func (n *net) addLoss(o Options) error {
	if n.weight.node == nil {
		n.weight, n.target = n.newInput("weight", n.B, 1), n.newInput("target", n.B, n.C)
	}
	loss := n.add("loss", func(b *layers.Builder) *gorgonia.Node {
		if o.Engine == fused {
			return n.fusedLoss(b, o)
		}
		return n.stockLoss(b, o)
	})
	if err := n.builder.Err(); err != nil {
		return n.failed(err)
	}
	params := n.params
	if n.normal != nil {
		params = append(slices.Clone(params), n.normal.scaling...)
	}
	grads, err := gorgonia.Grad(loss, params...)
	if err != nil {
		return fmt.Errorf("%w: gradients: %w", ErrGraph, err)
	}
	for _, g := range grads {
		n.gradients = append(n.gradients, &output{node: g})
	}
	return nil
}

// setX sets the features of all samples, row by row.
func (n *net) setX(x []float64) error {
	width := n.width()
	if len(x) != n.B*width {
		return fmt.Errorf("%w: x has %d values, want %d", ErrGraph, len(x), n.B*width)
	}
	antecedents, consequents := n.x.value.Float64s(), n.z.value.Float64s()
	if width == n.M {
		copy(antecedents, x)
		return nil
	}
	for b := range n.B {
		row := x[b*width : (b+1)*width]
		copy(antecedents[b*n.M:(b+1)*n.M], row)
		copy(consequents[b*n.M:(b+1)*n.M], row[n.M:])
	}
	return nil
}

// width returns the length of a sample's row.
func (n *net) width() int {
	if n.z.node != n.x.node {
		return 2 * n.M
	}
	return n.M
}

// failed wraps the first error of building.
func (n *net) failed(err error) error {
	return fmt.Errorf("%w: layer %s: %w", ErrGraph, n.layers[len(n.layers)-1].name, err)
}

// start compiles the graph for a machine and connects the outputs to its values.
func (n *net) start() (*machine, error) {
	if err := n.builder.Err(); err != nil {
		return nil, n.failed(err)
	}
	vm, err := newMachine(n.graph)
	if err != nil {
		return nil, err
	}
	for _, o := range append(n.gradients, &n.prediction, &n.covered, &n.data, &n.penalty) {
		if o.node != nil {
			o.value = vm.value(o.node)
		}
	}
	return vm, nil
}

// add builds a layer and records its nodes. After an error it does nothing, so that the
// last layer is the one that failed.
func (n *net) add(name string, build func(*layers.Builder) *gorgonia.Node) *gorgonia.Node {
	if n.builder.Err() != nil {
		return nil
	}
	before := len(n.graph.AllNodes())
	out := build(n.builder)
	n.layers = append(n.layers, layer{name, n.graph.AllNodes()[before:]})
	return out
}

func (n *net) newInput(name string, shape ...int) input {
	value := tensor.New(tensor.WithShape(shape...), tensor.Of(tensor.Float64))
	return input{n.builder.Input(name, value), value}
}

// paramNames returns the names of the parameters in the order of Network.Params.
func paramNames(rb *rules.RuleBase) []string {
	var names []string
	for _, p := range rb.Shape.Params() {
		names = append(names, p.Name)
	}
	if names = append(names, "bias", "slope"); rb.Knots != nil {
		names = append(names, "curve")
	}
	return names
}

// addStock adds the layers one by one, from Gorgonia's operations, as in the paper.
// dropout is P of Rule Dropout; 0: none.
func (n *net) addStock(rb *rules.RuleBase, dropout float64) {
	logSpace, weights, mask := rb.LogSpace(), n.stockWeights(rb), n.mask.node
	if dropout > 0 {
		mask = n.builder.Input("all rules", newTensor(slices.Repeat([]float64{1}, n.B*rb.Rules()), rb.Rules()))
	}
	kept := n.add("DropRule", func(b *layers.Builder) *gorgonia.Node {
		if logSpace {
			return layers.LogDropRule(b, weights, mask)
		}
		return layers.DropRule(b, weights, mask, rules.MinFiring)
	})
	n.normalised = n.add("normalisation", func(b *layers.Builder) (level *gorgonia.Node) {
		level, n.covered.node = layers.Normalise(b, kept, rules.MinFiring)
		return level
	})
	levels := n.normalised
	if dropout > 0 {
		levels = n.add("Rule Dropout", func(b *layers.Builder) *gorgonia.Node {
			return layers.RuleDropout(b, n.normalised, n.mask.node, dropout)
		})
	}
	n.stockOutputs()
	n.prediction.node = n.add("weighted sum", func(b *layers.Builder) *gorgonia.Node {
		predictions := make([]*gorgonia.Node, n.C)
		for c, outputs := range n.outputs {
			predictions[c] = layers.Output(b, levels, outputs)
		}
		return layers.Columns(b, predictions)
	})
}

// stockWeights adds the layers up to the weights of the rules [B,R], or their logarithms.
func (n *net) stockWeights(rb *rules.RuleBase) *gorgonia.Node {
	logSpace := rb.LogSpace()

	grades := n.add("membership: "+rb.Shape.Name(), func(b *layers.Builder) *gorgonia.Node {
		return layers.Membership(b, rb.Shape, n.x.node, n.inputs().Antecedents, logSpace)
	})
	norm, defuzzification := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	firing := n.add(norm.Name(), func(b *layers.Builder) *gorgonia.Node {
		return layers.Join(b, norm, grades, logSpace)
	})
	if rb.Defuzzification == nil {
		return firing
	}
	return n.add("defuzzification: "+defuzzification.Name(), func(b *layers.Builder) *gorgonia.Node {
		return layers.Weights(b, defuzzification, firing, n.M, logSpace)
	})
}

// stockOutputs adds the layers of the rule outputs.
func (n *net) stockOutputs() {
	from, z := n.inputs(), linear(n)
	n.outputs = make(gorgonia.Nodes, n.C)
	n.add("consequents", func(b *layers.Builder) *gorgonia.Node {
		for c := range n.outputs {
			n.outputs[c] = layers.Consequent(b, z, layers.OfOutput(b, from.Slope, c, n.C), layers.OfOutput(b, from.Bias, c, n.C))
		}
		return nil
	})
	if from.Curve != nil {
		n.add("curves", func(b *layers.Builder) *gorgonia.Node {
			for c, outputs := range n.outputs {
				n.outputs[c] = layers.Curves(b, outputs, from.Z, layers.OfOutput(b, from.Curve, c, n.C), n.knots)
			}
			return nil
		})
	}
}

// stockLoss builds the loss from Gorgonia's operations. Without penalties it adds no node
// for them.
func (n *net) stockLoss(b *layers.Builder, o Options) *gorgonia.Node {
	from := n.inputs()
	if n.data.node == nil {
		n.data.node = layers.Loss(b, o.Loss, n.prediction.node, from.Target, from.Weight, n.covered.node)
	}
	n.penalty.node = layers.Penalties(b, o.Penalties, layers.Penalised{
		Slopes: from.Slope, Curves: from.Curve, Levels: n.normalised, Outputs: n.outputs, Target: from.Target, Weight: from.Weight,
		Covered: n.covered.node,
	})
	if n.penalty.node == nil {
		return n.data.node
	}
	return b.Add(n.data.node, n.penalty.node).(*gorgonia.Node)
}

// addFused adds the layers as fused operations, several layers each.
func (n *net) addFused(rb *rules.RuleBase, penalties []penalty.Penalty) {
	from := n.inputs()
	name := "membership: " + rb.Shape.Name() + ", " + inference.OrProduct(rb.TNorm).Name()
	if rb.Defuzzification != nil {
		name += ", " + rb.Defuzzification.Name()
	}
	firing := n.add(name, func(b *layers.Builder) *gorgonia.Node {
		return layers.FiringLevels(b, rb, from.X, from.Mask, from.Antecedents, rules.MinFiring)
	})
	n.prediction.node = n.add("DropRule, normalisation, consequents, weighted sum", func(b *layers.Builder) (prediction *gorgonia.Node) {
		prediction, n.covered.node, n.penalty.node = layers.Head(b, firing, from, layers.HeadOptions{
			LogSpace: rb.LogSpace(), Least: rules.MinFiring, Penalties: penalties, Knots: n.knots,
		})
		return prediction
	})
}

// fusedLoss builds the loss as one node.
func (n *net) fusedLoss(b *layers.Builder, o Options) (total *gorgonia.Node) {
	total, n.data.node = layers.FusedLoss(b, o.Loss, n.prediction.node, n.target.node, n.weight.node, n.covered.node, n.penalty.node)
	return total
}
