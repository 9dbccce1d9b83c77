package graph

import (
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// addStock adds the layers one by one, from Gorgonia's operations, as in the paper.
// dropout is P of Rule Dropout; 0: none.
func (n *net) addStock(rb *rules.RuleBase, dropout float64) {
	logSpace, weights, mask := rb.LogSpace(), n.stockWeights(rb), n.mask.node
	if dropout > 0 {
		mask = n.allRules(rb.Rules())
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

// allRules returns a mask that keeps all rules.
func (n *net) allRules(R int) *gorgonia.Node {
	return n.builder.Input("all rules", newTensor(slices.Repeat([]float64{1}, n.B*R), R))
}

// stockLoss builds the loss from Gorgonia's operations. Without penalties it adds no node
// for them.
func (n *net) stockLoss(b *layers.Builder, o Options) *gorgonia.Node {
	from := n.inputs()
	if n.data.node == nil {
		n.data.node = layers.Loss(b, o.Loss, n.prediction.node, from.Target, from.Weight, n.covered.node)
	}
	n.penalty.node = layers.Penalties(b, o.Penalties, layers.Penalised{
		Slopes: from.Slope, Curves: from.Curve, Levels: n.normalised, Outputs: n.outputs, Target: from.Target, Weight: from.Weight, Covered: n.covered.node,
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
