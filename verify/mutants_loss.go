package verify

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/rules"
)

// lossMutants have a wrong loss.
func lossMutants() []Mutant {
	mutant := func(wrong string, build func(*layers.Builder, *nodes)) Mutant {
		return inLayer(wrong, "loss", build)
	}
	// scaled multiplies the data part.
	scaled := func(by func(B int) float64) func(*layers.Builder, *nodes) {
		return func(b *layers.Builder, n *nodes) {
			n.loss(b, n.penalty)
			n.data = times(b, by(n.x.Shape()[0]), n.data)
		}
	}
	return []Mutant{
		mutant("1/2 missing", scaled(func(int) float64 { return 2 })),
		mutant("mean, not sum, of the batch", scaled(func(B int) float64 { return 1 / float64(B) })),
		mutant("sample weights ignored", func(b *layers.Builder, n *nodes) {
			n.weight = ones(b, n.weight)
			n.loss(b, n.penalty)
		}),
		mutant("target has the wrong sign", func(b *layers.Builder, n *nodes) {
			n.target = b.Neg(n.target).(*gorgonia.Node)
			n.loss(b, n.penalty)
		}),
		mutant("penalty missing", func(b *layers.Builder, n *nodes) { n.loss(b, rules.Penalty{}) }),
		mutant("penalty added twice", func(b *layers.Builder, n *nodes) {
			n.penalty.Lambda, n.penalty.Uniform = 2*n.penalty.Lambda, 2*n.penalty.Uniform
			n.loss(b, n.penalty)
		}),
		mutant("bias penalised", func(b *layers.Builder, n *nodes) {
			n.loss(b, n.penalty)
			biases := gorgonia.Must(gorgonia.Sum(gorgonia.Must(gorgonia.Square(n.bias))))
			n.penalties = b.Add(n.penalties, times(b, n.penalty.Lambda/2, biases)).(*gorgonia.Node)
		}),
		mutant("slopes pulled to zero, not to their mean", func(b *layers.Builder, n *nodes) {
			n.penalty.ToMean = false
			n.loss(b, n.penalty)
		}),
		mutant("uniform firing missing", func(b *layers.Builder, n *nodes) {
			n.penalty.Uniform = 0
			n.loss(b, n.penalty)
		}),
		mutant("uniform firing of the levels before normalisation", func(b *layers.Builder, n *nodes) {
			n.level = n.kept
			n.loss(b, n.penalty)
		}),
		mutant("firing pulled to zero, not to 1/R", func(b *layers.Builder, n *nodes) {
			uniform := n.penalty.Uniform
			n.penalty.Uniform = 0
			n.loss(b, n.penalty)
			B, R := n.level.Shape()[0], n.level.Shape()[1]
			mean := times(b, 1/float64(B), gorgonia.Must(gorgonia.Sum(n.level, 0)))
			sum := gorgonia.Must(gorgonia.Sum(gorgonia.Must(gorgonia.Square(mean))))
			n.penalties = b.Add(n.penalties, times(b, uniform*float64(R), sum)).(*gorgonia.Node)
		}),
	}
}
