package verify

import (
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// outputMutants have mistakes that only several outputs show.
func outputMutants() []Mutant {
	several := func(wrong, in string, r Route) Mutant {
		return Mutant{wrong, in, limited{r, func(p *Problem) bool { return p.RuleBase.OutputCount() > 1 }}}
	}
	return []Mutant{
		several("outputs in the wrong order", "layer weighted sum", assembly{replaced: "weighted sum", by: func(b *layers.Builder, n *nodes) {
			slices.Reverse(n.outputs)
			n.prediction = n.weightedSum(b, n.level)
			slices.Reverse(n.outputs)
		}}),
		several("curves of the first output in all", "layer curves", assembly{replaced: "curves", by: func(b *layers.Builder, n *nodes) {
			if n.curve != nil {
				first := layers.OfOutput(b, n.curve, 0, n.C)
				n.outputs = n.each(func(c int) *gorgonia.Node { return layers.Curves(b, n.outputs[c], n.z, first, n.knots) })
			}
		}}),
		several("weights of the targets ignored", "loss", altered{Autodiff{}, func(p *Problem) {
			if l, err := loss.Lookup(p.Loss.Name()); err == nil {
				p.Loss = l
			}
		}}),
		{"agreement of the squared loss", "penalty agreement", limited{altered{Autodiff{}, func(p *Problem) {
			p.Penalties = slices.Clone(p.Penalties)
			for i, of := range p.Penalties {
				if a, ok := of.(penalty.LossAgreement); ok {
					p.Penalties[i] = penalty.Agreement{Alpha: a.Alpha}
				}
			}
		}}, func(p *Problem) bool { return p.Loss.Name() != loss.Squared{}.Name() }}},
	}
}
