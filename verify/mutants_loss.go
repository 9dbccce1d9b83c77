package verify

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
)

// lossMutants have a wrong loss.
func lossMutants() []Mutant {
	mutant := func(wrong string, build func(*layers.Builder, *nodes)) Mutant {
		return inLayer(wrong, "loss", build)
	}
	// scaled multiplies the data part.
	scaled := func(by func(B int) float64) func(*layers.Builder, *nodes) {
		return func(b *layers.Builder, n *nodes) {
			n.loss(b, n.lambda)
			n.data = times(b, by(n.x.Shape()[0]), n.data)
		}
	}
	return []Mutant{
		mutant("1/2 missing", scaled(func(int) float64 { return 2 })),
		mutant("mean, not sum, of the batch", scaled(func(B int) float64 { return 1 / float64(B) })),
		mutant("sample weights ignored", func(b *layers.Builder, n *nodes) {
			n.weight = ones(b, n.weight)
			n.loss(b, n.lambda)
		}),
		mutant("target has the wrong sign", func(b *layers.Builder, n *nodes) {
			n.target = b.Neg(n.target).(*gorgonia.Node)
			n.loss(b, n.lambda)
		}),
		mutant("penalty missing", func(b *layers.Builder, n *nodes) { n.loss(b, 0) }),
		mutant("penalty added twice", func(b *layers.Builder, n *nodes) { n.loss(b, 2*n.lambda) }),
		mutant("bias penalised", func(b *layers.Builder, n *nodes) {
			n.loss(b, n.lambda)
			biases := gorgonia.Must(gorgonia.Sum(gorgonia.Must(gorgonia.Square(n.bias))))
			n.penalty = b.Add(n.penalty, times(b, n.lambda/2, biases)).(*gorgonia.Node)
		}),
	}
}
