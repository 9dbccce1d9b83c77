package verify

import (
	"math"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// inLayer returns a mutant whose network has a wrong layer.
func inLayer(wrong, name string, build func(*layers.Builder, *nodes)) Mutant {
	return Mutant{wrong, "layer " + name, assembly{replaced: name, by: build}}
}

// layerMutants have a wrong layer before the loss.
func layerMutants(shape membership.Function) []Mutant {
	mutants := []Mutant{
		inLayer("last feature missing", "t-norm", func(b *layers.Builder, n *nodes) {
			shape := n.grades.Shape().Clone()
			shape[0]--
			fewer := gorgonia.Must(gorgonia.Slice(n.grades, gorgonia.S(0, shape[0])))
			fewer = gorgonia.Must(gorgonia.Reshape(fewer, shape)) // a slice of length one loses its axis
			n.join(b, fewer)
		}),
		inLayer("normalisation missing", "normalisation", func(b *layers.Builder, n *nodes) {
			_, n.covered = layers.Normalise(b, n.kept, rules.MinFiring)
			n.level = n.kept
		}),
		inLayer("bias missing", "consequents", func(b *layers.Builder, n *nodes) {
			n.outputs = n.consequents(b, times(b, 0, n.bias))
		}),
		inLayer("levels before normalisation", "weighted sum", func(b *layers.Builder, n *nodes) {
			n.prediction = n.weightedSum(b, n.kept)
		}),
	}
	if inLogarithms(shape) {
		return append(mutants, logMutants(shape)...)
	}
	mutants = append(mutants, inLayer("mask after normalisation", "weighted sum", func(b *layers.Builder, n *nodes) {
		n.level, _ = layers.Normalise(b, n.firing, rules.MinFiring)
		n.prediction = n.weightedSum(b, b.Mul(n.level, n.mask).(*gorgonia.Node))
	}))
	if vanishes(shape) {
		mutants = append(mutants,
			inLayer("no rule kept, none used", "DropRule", func(b *layers.Builder, n *nodes) {
				n.kept = b.Mul(n.firing, n.mask).(*gorgonia.Node)
			}),
			inLayer("uncovered samples count", "normalisation", func(b *layers.Builder, n *nodes) {
				n.level, n.covered = layers.Normalise(b, n.kept, rules.MinFiring)
				n.covered = ones(b, n.covered)
			}))
	}
	return mutants
}

// logMutants have a wrong layer in log space.
func logMutants(shape membership.Function) []Mutant {
	mutants := []Mutant{
		inLayer("mask after normalisation", "weighted sum", func(b *layers.Builder, n *nodes) {
			n.level, _ = layers.Normalise(b, layers.LogDropRule(b, n.firing, ones(b, n.mask)), rules.MinFiring)
			n.prediction = n.weightedSum(b, b.Mul(n.level, n.mask).(*gorgonia.Node))
		}),
		inLayer("maximum over samples, not rules", "DropRule", func(b *layers.Builder, n *nodes) {
			R := n.firing.Shape()[1]
			top := gorgonia.Must(gorgonia.Reshape(gorgonia.Must(gorgonia.Max(n.firing, 0)), []int{1, R}))
			level := gorgonia.Must(gorgonia.BroadcastSub(n.firing, top, nil, []byte{0}))
			n.kept = b.Mul(b.Exp(level), n.mask).(*gorgonia.Node)
		}),
	}
	if underflows(shape.(membership.LogFunction), shape.Place(0, 1)) {
		mutants = append(mutants, inLayer("maximum not subtracted", "DropRule", func(b *layers.Builder, n *nodes) {
			n.kept = b.Mul(b.Exp(n.firing), n.mask).(*gorgonia.Node)
		}))
	}
	return mutants
}

// underflows reports whether the product of 60 grades five spreads from the center
// underflows.
func underflows(shape membership.LogFunction, p []float64) bool {
	z := []float64{5}
	shape.LogGrades(z, z, p)
	return 60*z[0] < math.Log(math.SmallestNonzeroFloat64)
}

// ones returns a node like x, of ones.
func ones(b *layers.Builder, x *gorgonia.Node) *gorgonia.Node {
	return b.Add(times(b, 0, x), b.Const(1)).(*gorgonia.Node)
}

// times returns v x.
func times(b *layers.Builder, v float64, x *gorgonia.Node) *gorgonia.Node {
	return b.Mul(b.Const(v), x).(*gorgonia.Node)
}
