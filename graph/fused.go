package graph

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// addFused adds the layers several to a node, of our own operations.
func (n *net) addFused(shape membership.Function, penalties []penalty.Penalty) {
	bias, slope := n.consequents()
	_, logSpace := shape.(membership.LogFunction)

	firing := n.add("membership: "+shape.Name()+", product", func(b *layers.Builder) *gorgonia.Node {
		return layers.FiringLevels(b, shape, n.x.node, n.mask.node, n.antecedents(), rules.MinFiring)
	})
	n.prediction.node = n.add("DropRule, normalisation, consequents, weighted sum", func(b *layers.Builder) (prediction *gorgonia.Node) {
		prediction, n.covered.node, n.penalty.node = layers.Head(b, firing, n.mask.node, n.z.node, bias, slope, layers.HeadOptions{
			LogSpace: logSpace, Least: rules.MinFiring, Penalties: penalties,
		})
		return prediction
	})
}

// fusedLoss builds the loss as one node.
func (n *net) fusedLoss(b *layers.Builder, o Options) (total *gorgonia.Node) {
	total, n.data.node = layers.FusedLoss(b, o.Loss, n.prediction.node, n.target.node, n.weight.node, n.covered.node, n.penalty.node)
	return total
}
