package graph

import (
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
		return layers.Membership(b, rb.Shape, n.x.node, n.antecedents(), logSpace)
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
	bias, slope, curve := n.consequents()
	z := linear(n)
	n.outputs = make(gorgonia.Nodes, n.C)
	n.add("consequents", func(b *layers.Builder) *gorgonia.Node {
		for c := range n.outputs {
			n.outputs[c] = layers.Consequent(b, z, layers.OfOutput(b, slope, c, n.C), layers.OfOutput(b, bias, c, n.C))
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
}

// allRules returns a mask that keeps all rules.
func (n *net) allRules(R int) *gorgonia.Node {
	all := n.newInput("all rules", n.B, R)
	for i := range all.value.Float64s() {
		all.value.Float64s()[i] = 1
	}
	return all.node
}

// stockLoss builds the loss from Gorgonia's operations. Without penalties it adds no node
// for them.
func (n *net) stockLoss(b *layers.Builder, o Options) *gorgonia.Node {
	_, slope, curve := n.consequents()
	n.data.node = layers.Loss(b, o.Loss, n.prediction.node, n.target.node, n.weight.node, n.covered.node)
	n.penalty.node = layers.Penalties(b, o.Penalties, layers.Penalised{
		Slopes: slope, Curves: curve, Levels: n.normalised, Outputs: n.outputs, Target: n.target.node, Weight: n.weight.node, Covered: n.covered.node,
	})
	if n.penalty.node == nil {
		return n.data.node
	}
	return b.Add(n.data.node, n.penalty.node).(*gorgonia.Node)
}

// addFused adds the layers as fused operations, several layers each.
func (n *net) addFused(rb *rules.RuleBase, penalties []penalty.Penalty) {
	bias, slope, curve := n.consequents()
	name := "membership: " + rb.Shape.Name() + ", " + inference.OrProduct(rb.TNorm).Name()
	if rb.Defuzzification != nil {
		name += ", " + rb.Defuzzification.Name()
	}
	firing := n.add(name, func(b *layers.Builder) *gorgonia.Node {
		return layers.FiringLevels(b, rb, n.x.node, n.mask.node, n.antecedents(), rules.MinFiring)
	})
	n.prediction.node = n.add("DropRule, normalisation, consequents, weighted sum", func(b *layers.Builder) (prediction *gorgonia.Node) {
		prediction, n.covered.node, n.penalty.node = layers.Head(b, firing, n.mask.node, n.z.node, bias, slope, curve, n.weight.node, n.target.node, layers.HeadOptions{
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
