package verify

import (
	"math"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// inLayer returns a mutant whose network has a wrong layer.
func inLayer(wrong, name string, build func(*layers.Builder, *nodes)) mutant {
	return mutant{wrong, "layer " + name, assembly{replaced: name, by: build}}
}

// layerMutants have a wrong layer before the loss.
func layerMutants(shape membership.Function) []mutant {
	mutants := []mutant{
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
			n.outputs = n.consequents(b, times(b, 0, n.Bias))
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
		n.prediction = n.weightedSum(b, b.Mul(n.level, n.Mask).(*gorgonia.Node))
	}))
	if vanishes(shape) {
		mutants = append(mutants,
			inLayer("no rule kept, none used", "DropRule", func(b *layers.Builder, n *nodes) {
				n.kept = b.Mul(n.firing, n.Mask).(*gorgonia.Node)
			}),
			inLayer("uncovered samples count", "normalisation", func(b *layers.Builder, n *nodes) {
				n.level, n.covered = layers.Normalise(b, n.kept, rules.MinFiring)
				n.covered = ones(b, n.covered)
			}))
	}
	return mutants
}

// logMutants have a wrong layer in log space.
func logMutants(shape membership.Function) []mutant {
	mutants := []mutant{
		inLayer("mask after normalisation", "weighted sum", func(b *layers.Builder, n *nodes) {
			n.level, _ = layers.Normalise(b, layers.LogDropRule(b, n.firing, ones(b, n.Mask)), rules.MinFiring)
			n.prediction = n.weightedSum(b, b.Mul(n.level, n.Mask).(*gorgonia.Node))
		}),
		inLayer("maximum over samples, not rules", "DropRule", func(b *layers.Builder, n *nodes) {
			R := n.firing.Shape()[1]
			top := gorgonia.Must(gorgonia.Reshape(gorgonia.Must(gorgonia.Max(n.firing, 0)), []int{1, R}))
			level := gorgonia.Must(gorgonia.BroadcastSub(n.firing, top, nil, []byte{0}))
			n.kept = b.Mul(b.Exp(level), n.Mask).(*gorgonia.Node)
		}),
	}
	if underflows(shape.(membership.LogFunction), shape.Place(0, 1)) {
		mutants = append(mutants, inLayer("maximum not subtracted", "DropRule", func(b *layers.Builder, n *nodes) {
			n.kept = b.Mul(b.Exp(n.firing), n.Mask).(*gorgonia.Node)
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

// assembly is the autodiff route, assembled from package layers so that one layer can be
// replaced by a wrong one.
type assembly struct {
	replaced string // name of a layer, or empty
	by       func(*layers.Builder, *nodes)
}

func (assembly) name() string                 { return autodiff.name() }
func (assembly) applies(*rules.RuleBase) bool { return true }

// nodes are the nodes between the layers, set layer by layer.
type nodes struct {
	layers.Inputs
	problem   *problem
	rules     *rules.RuleBase
	penalties []penalty.Penalty
	C         int         // outputs
	knots     [][]float64 // [M]

	grades              *gorgonia.Node // [M,B,R]; or logarithms
	firing, kept, level *gorgonia.Node // [B,R]; firing levels, then weights
	covered             *gorgonia.Node // [B,1]
	outputs             gorgonia.Nodes // [C], [B,R] each
	prediction          *gorgonia.Node // [B,C]
	data, penalty       *gorgonia.Node // scalars; penalty is nil if there are none
}

// layer is a layer of the network and its name.
type layer struct {
	name  string
	build func(*layers.Builder, *nodes)
}

// stockLayers returns the layers of package layers, assembled as in package graph.
func stockLayers(rb *rules.RuleBase) []layer {
	drop := func(b *layers.Builder, n *nodes) { n.kept = layers.DropRule(b, n.firing, n.Mask, rules.MinFiring) }
	if rb.LogSpace() {
		drop = func(b *layers.Builder, n *nodes) { n.kept = layers.LogDropRule(b, n.firing, n.Mask) }
	}
	return []layer{
		{"membership", func(b *layers.Builder, n *nodes) {
			n.grades = layers.Membership(b, n.rules.Shape, n.X, n.Antecedents, n.rules.LogSpace())
		}},
		{"t-norm", func(b *layers.Builder, n *nodes) { n.join(b, n.grades) }},
		{"defuzzification", func(b *layers.Builder, n *nodes) {
			n.firing = layers.Weights(b, inference.OrTSK(n.rules.Defuzzification), n.firing, n.rules.Features(), n.rules.LogSpace())
		}},
		{"DropRule", drop},
		{"normalisation", func(b *layers.Builder, n *nodes) {
			n.level, n.covered = layers.Normalise(b, n.kept, rules.MinFiring)
		}},
		{"consequents", func(b *layers.Builder, n *nodes) { n.outputs = n.consequents(b, n.Bias) }},
		{"curves", func(b *layers.Builder, n *nodes) { n.outputs = n.withCurves(b, n.Curve) }},
		{"weighted sum", func(b *layers.Builder, n *nodes) { n.prediction = n.weightedSum(b, n.level) }},
		{"loss", func(b *layers.Builder, n *nodes) { n.addLoss(b) }},
	}
}

// join is the t-norm layer.
func (n *nodes) join(b *layers.Builder, grades *gorgonia.Node) {
	n.firing = layers.Join(b, inference.OrProduct(n.rules.TNorm), grades, n.rules.LogSpace())
}

// each returns a node of every output.
func (n *nodes) each(of func(c int) *gorgonia.Node) gorgonia.Nodes {
	all := make(gorgonia.Nodes, n.C)
	for c := range all {
		all[c] = of(c)
	}
	return all
}

// consequents returns the rule outputs without curves, with the given biases [C,R].
func (n *nodes) consequents(b *layers.Builder, bias *gorgonia.Node) gorgonia.Nodes {
	return n.each(func(c int) *gorgonia.Node {
		return layers.Consequent(b, n.Z, layers.OfOutput(b, n.Slope, c, n.C), layers.OfOutput(b, bias, c, n.C))
	})
}

// withCurves returns the rule outputs with curves of the given values; without, if the
// rules have none.
func (n *nodes) withCurves(b *layers.Builder, values *gorgonia.Node) gorgonia.Nodes {
	if n.Curve == nil {
		return n.outputs
	}
	return n.each(func(c int) *gorgonia.Node {
		return layers.Curves(b, n.outputs[c], n.Z, layers.OfOutput(b, values, c, n.C), n.knots)
	})
}

// weightedSum returns the predictions [B,C] with the given levels.
func (n *nodes) weightedSum(b *layers.Builder, level *gorgonia.Node) *gorgonia.Node {
	return layers.Columns(b, n.each(func(c int) *gorgonia.Node { return layers.Output(b, level, n.outputs[c]) }))
}

// addLoss is the loss layer.
func (n *nodes) addLoss(b *layers.Builder) {
	n.data = layers.Loss(b, n.problem.Loss, n.prediction, n.Target, n.Weight, n.covered)
	n.addPenalty(b)
}

// addPenalty is the penalty of the loss layer.
func (n *nodes) addPenalty(b *layers.Builder) {
	n.penalty = layers.Penalties(b, n.penalties, layers.Penalised{
		Slopes: n.Slope, Curves: n.Curve, Levels: n.level, Outputs: n.outputs, Target: n.Target, Weight: n.Weight, Covered: n.covered,
	})
}

// total returns the whole loss.
func (n *nodes) total(b *layers.Builder) *gorgonia.Node {
	if n.penalty == nil {
		return n.data
	}
	return b.Add(n.data, n.penalty).(*gorgonia.Node)
}

func inLogarithms(shape membership.Function) bool {
	_, ok := shape.(membership.LogFunction)
	return ok
}

// run builds the network and evaluates it once.
func (a assembly) run(p *problem) (*solution, error) {
	rb, o := p.RuleBase, p.options("")
	o.Penalties = nil // part of the loss
	n, err := graph.FromNodes(rb, o, func(b *layers.Builder, in layers.Inputs) graph.Nodes {
		n := &nodes{Inputs: in, problem: p, rules: rb, penalties: p.Penalties, C: rb.OutputCount(), knots: rb.Knots}
		for _, l := range stockLayers(rb) {
			if l.name == a.replaced {
				l.build = a.by
			}
			l.build(b, n)
		}
		return graph.Nodes{Prediction: n.prediction, Covered: n.covered, Loss: n.total(b)}
	})
	return evaluate(n, err, p)
}
