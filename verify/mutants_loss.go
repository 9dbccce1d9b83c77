package verify

import (
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// lossMutants have a wrong loss: mistakes that apply to every loss and penalty, then the
// mutants of the registered ones.
func lossMutants() []Mutant {
	mutant := func(wrong string, build func(*layers.Builder, *nodes)) Mutant {
		return inLayer(wrong, "loss", build)
	}
	mutants := []Mutant{
		mutant("mean, not sum, of the batch", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.data = times(b, 1/float64(n.x.Shape()[0]), n.data)
		}),
		mutant("sample weights ignored", func(b *layers.Builder, n *nodes) {
			n.weight = ones(b, n.weight)
			n.addLoss(b)
		}),
		mutant("target has the wrong sign", func(b *layers.Builder, n *nodes) {
			n.target = b.Neg(n.target).(*gorgonia.Node)
			n.addLoss(b)
		}),
		mutant("penalty missing", func(b *layers.Builder, n *nodes) {
			n.penalties = nil
			n.addLoss(b)
		}),
		mutant("penalty added twice", func(b *layers.Builder, n *nodes) {
			n.penalties = slices.Concat(n.penalties, n.penalties)
			n.addLoss(b)
		}),
		mutant("bias penalised", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			for _, p := range penalty.Of(penalty.OnSlopes, n.penalties) {
				n.penalty = b.Add(n.penalty, p.Expr(b, n.bias, n.bias.Shape()[1])).(*gorgonia.Node)
			}
		}),
		mutant("penalty of the levels before normalisation", func(b *layers.Builder, n *nodes) {
			n.level = n.kept
			n.addLoss(b)
		}),
		mutant("sample weights ignored in penalties", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.weight = ones(b, n.weight)
			n.addPenalty(b)
		}),
		mutant("bias missing in penalties", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.outputs = n.consequents(b, times(b, 0, n.bias))
			n.addPenalty(b)
		}),
	}
	return slices.Concat(mutants, mutantsOfLosses(), mutantsOfPenalties())
}

// mutantsOfLosses returns the mutants of every registered loss.
func mutantsOfLosses() []Mutant {
	var mutants []Mutant
	for _, right := range loss.All() {
		wrong, _ := right.Mutant()
		mutants = append(mutants, Mutant{wrong, "loss " + right.Name(), limited{
			altered{Autodiff{}, func(p *Problem) { _, p.Loss = p.Loss.Mutant() }},
			func(p *Problem) bool { return p.Loss.Name() == right.Name() },
		}})
	}
	return mutants
}

// mutantsOfPenalties returns the mutants of every registered penalty, and one without the
// penalty.
func mutantsOfPenalties() []Mutant {
	var mutants []Mutant
	for _, right := range penalty.All() {
		named := func(p penalty.Penalty) bool { return p.Name() == right.Name() }
		wrong, _ := right.Mutant()
		mutants = append(mutants,
			Mutant{wrong, "penalty " + right.Name(), altered{Autodiff{}, func(p *Problem) {
				p.Penalties = slices.Clone(p.Penalties)
				for i, of := range p.Penalties {
					if named(of) {
						_, p.Penalties[i] = of.Mutant()
					}
				}
			}}},
			Mutant{"missing", "penalty " + right.Name(), altered{Autodiff{}, func(p *Problem) {
				p.Penalties = slices.DeleteFunc(slices.Clone(p.Penalties), named)
			}}})
	}
	return mutants
}
