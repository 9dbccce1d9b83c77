package graph

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// addStock adds the layers one by one, from Gorgonia's operations, as in the paper.
func (n *net) addStock(shape membership.Function) {
	bias, slope, curve := n.consequents()
	_, logSpace := shape.(membership.LogFunction)

	grades := n.add("membership: "+shape.Name(), func(b *layers.Builder) *gorgonia.Node {
		return layers.Membership(b, shape, n.x.node, n.antecedents())
	})
	firing := n.add("product", func(b *layers.Builder) *gorgonia.Node {
		if logSpace {
			return layers.LogProduct(b, grades)
		}
		return layers.Product(b, grades)
	})
	kept := n.add("DropRule", func(b *layers.Builder) *gorgonia.Node {
		if logSpace {
			return layers.LogDropRule(b, firing, n.mask.node)
		}
		return layers.DropRule(b, firing, n.mask.node, rules.MinFiring)
	})
	n.normalised = n.add("normalisation", func(b *layers.Builder) (level *gorgonia.Node) {
		level, n.covered.node = layers.Normalise(b, kept, rules.MinFiring)
		return level
	})
	n.outputs = make(gorgonia.Nodes, n.C)
	n.add("consequents", func(b *layers.Builder) *gorgonia.Node {
		for c := range n.outputs {
			n.outputs[c] = layers.Consequent(b, n.z.node, layers.OfOutput(b, slope, c, n.C), layers.OfOutput(b, bias, c, n.C))
		}
		return nil
	})
	if curve != nil {
		n.add("curves", func(b *layers.Builder) *gorgonia.Node {
			for c, outputs := range n.outputs {
				n.outputs[c] = layers.Curves(b, outputs, n.z.node, layers.OfOutput(b, curve, c, n.C), n.knots)
			}
			return nil
		})
	}
	n.prediction.node = n.add("weighted sum", func(b *layers.Builder) *gorgonia.Node {
		predictions := make([]*gorgonia.Node, n.C)
		for c, outputs := range n.outputs {
			predictions[c] = layers.Output(b, n.normalised, outputs)
		}
		return layers.Columns(b, predictions)
	})
}

// stockLoss builds the loss from Gorgonia's operations. Without penalties it adds no node
// for them.
func (n *net) stockLoss(b *layers.Builder, o Options) *gorgonia.Node {
	_, slope, curve := n.consequents()
	n.data.node = layers.Loss(b, o.Loss, n.prediction.node, n.target.node, n.weight.node, n.covered.node)
	n.penalty.node = layers.Penalties(b, o.Penalties, layers.Penalised{
		Slopes: slope, Curves: curve, Levels: n.normalised, Outputs: n.outputs, Weight: n.weight.node, Covered: n.covered.node,
	})
	if n.penalty.node == nil {
		return n.data.node
	}
	return b.Add(n.data.node, n.penalty.node).(*gorgonia.Node)
}

// addFused adds the layers as fused operations, several layers each.
func (n *net) addFused(shape membership.Function, penalties []penalty.Penalty) {
	bias, slope, curve := n.consequents()
	_, logSpace := shape.(membership.LogFunction)

	firing := n.add("membership: "+shape.Name()+", product", func(b *layers.Builder) *gorgonia.Node {
		return layers.FiringLevels(b, shape, n.x.node, n.mask.node, n.antecedents(), rules.MinFiring)
	})
	n.prediction.node = n.add("DropRule, normalisation, consequents, weighted sum", func(b *layers.Builder) (prediction *gorgonia.Node) {
		prediction, n.covered.node, n.penalty.node = layers.Head(b, firing, n.mask.node, n.z.node, bias, slope, curve, n.weight.node, layers.HeadOptions{
			LogSpace: logSpace, Least: rules.MinFiring, Penalties: penalties, Knots: n.knots,
		})
		return prediction
	})
}

// fusedLoss builds the loss as one node.
func (n *net) fusedLoss(b *layers.Builder, o Options) (total *gorgonia.Node) {
	total, n.data.node = layers.FusedLoss(b, o.Loss, n.prediction.node, n.target.node, n.weight.node, n.covered.node, n.penalty.node)
	return total
}
