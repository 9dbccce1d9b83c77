package verify

import (
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
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
func logMutants(shape membership.Function) []mutant {
	mutants := []mutant{
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

// assembly is the autodiff route, assembled from package layers so that one layer can be
// replaced by a wrong one, and run by Gorgonia's own machine.
type assembly struct {
	replaced string // name of a layer, or empty
	by       func(*layers.Builder, *nodes)
}

func (assembly) name() string                 { return autodiff.name() }
func (assembly) applies(*rules.RuleBase) bool { return true }

// nodes are the nodes between the layers, set layer by layer.
type nodes struct {
	rules     *rules.RuleBase
	loss      loss.Loss
	penalties []penalty.Penalty

	C int // outputs

	x, z                 *gorgonia.Node // [B,M], the features of antecedents and of consequents
	mask, target, weight *gorgonia.Node // [B,R], [B,C], [B,1]
	antecedents          gorgonia.Nodes // [M,R] each
	bias, slope          *gorgonia.Node // [C,R], [C M,R]
	curve                *gorgonia.Node // [C Q,R] or [C Q,1]; nil: no curves
	knots                [][]float64    // [M]

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
	drop := func(b *layers.Builder, n *nodes) { n.kept = layers.DropRule(b, n.firing, n.mask, rules.MinFiring) }
	if rb.LogSpace() {
		drop = func(b *layers.Builder, n *nodes) { n.kept = layers.LogDropRule(b, n.firing, n.mask) }
	}
	return []layer{
		{"membership", func(b *layers.Builder, n *nodes) {
			n.grades = layers.Membership(b, n.rules.Shape, n.x, n.antecedents, n.rules.LogSpace())
		}},
		{"t-norm", func(b *layers.Builder, n *nodes) { n.join(b, n.grades) }},
		{"defuzzification", func(b *layers.Builder, n *nodes) {
			n.firing = layers.Weights(b, inference.OrTSK(n.rules.Defuzzification), n.firing, n.rules.Features(), n.rules.LogSpace())
		}},
		{"DropRule", drop},
		{"normalisation", func(b *layers.Builder, n *nodes) {
			n.level, n.covered = layers.Normalise(b, n.kept, rules.MinFiring)
		}},
		{"consequents", func(b *layers.Builder, n *nodes) { n.outputs = n.consequents(b, n.bias) }},
		{"curves", func(b *layers.Builder, n *nodes) { n.outputs = n.withCurves(b, n.curve) }},
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
		return layers.Consequent(b, n.z, layers.OfOutput(b, n.slope, c, n.C), layers.OfOutput(b, bias, c, n.C))
	})
}

// withCurves returns the rule outputs with curves of the given values; without, if the
// rules have none.
func (n *nodes) withCurves(b *layers.Builder, values *gorgonia.Node) gorgonia.Nodes {
	if n.curve == nil {
		return n.outputs
	}
	return n.each(func(c int) *gorgonia.Node {
		return layers.Curves(b, n.outputs[c], n.z, layers.OfOutput(b, values, c, n.C), n.knots)
	})
}

// weightedSum returns the predictions [B,C] with the given levels.
func (n *nodes) weightedSum(b *layers.Builder, level *gorgonia.Node) *gorgonia.Node {
	return layers.Columns(b, n.each(func(c int) *gorgonia.Node { return layers.Output(b, level, n.outputs[c]) }))
}

// addLoss is the loss layer.
func (n *nodes) addLoss(b *layers.Builder) {
	n.data = layers.Loss(b, n.loss, n.prediction, n.target, n.weight, n.covered)
	n.addPenalty(b)
}

// addPenalty is the penalty of the loss layer.
func (n *nodes) addPenalty(b *layers.Builder) {
	n.penalty = layers.Penalties(b, n.penalties, layers.Penalised{
		Slopes: n.slope, Curves: n.curve, Levels: n.level, Outputs: n.outputs, Target: n.target, Weight: n.weight, Covered: n.covered,
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

// run builds the graph and runs it once.
func (a assembly) run(p *problem) (result *solution, err error) {
	g := gorgonia.NewGraph()
	err = layers.Build(g, func(b *layers.Builder) error {
		result, err = a.runIn(g, b, p)
		return err
	})
	return result, err
}

// runIn is run in a graph.
func (a assembly) runIn(g *gorgonia.ExprGraph, b *layers.Builder, p *problem) (*solution, error) {
	n := inputs(g, p)
	for _, l := range stockLayers(n.rules) {
		if l.name == a.replaced {
			l.build = a.by
		}
		if l.build(b, n); b.Err() != nil {
			return nil, fmt.Errorf("layer %s: %w", l.name, b.Err())
		}
	}
	params, loss := n.params(), n.total(b)
	if _, err := gorgonia.Grad(loss, params...); err != nil {
		return nil, err
	}
	var y, l gorgonia.Value
	gorgonia.Read(n.prediction, &y)
	gorgonia.Read(loss, &l)
	vm := gorgonia.NewTapeMachine(g, gorgonia.BindDualValues(params...))
	defer vm.Close()
	if err := vm.RunAll(); err != nil {
		return nil, err
	}
	result := &solution{Prediction: y.(*tensor.Dense).Float64s(), Loss: l.Data().(float64), Gradient: p.zeros()}
	if err := readGradients(result.Gradient, params); err != nil {
		return nil, err
	}
	addTied(result.Gradient, p.RuleBase)
	return result, nil
}

// params returns the parameters.
func (n *nodes) params() gorgonia.Nodes {
	all := append(slices.Clone(n.antecedents), n.bias, n.slope)
	if n.curve != nil {
		all = append(all, n.curve)
	}
	return all
}

// readGradients reads the gradients of nodes.params.
func readGradients(g rules.Parameters, params gorgonia.Nodes) error {
	J := len(g.Antecedents)
	for i, node := range params {
		v, err := node.Grad()
		if err != nil {
			return err
		}
		d := v.(*tensor.Dense).Float64s()
		switch i {
		case J:
			ofOutputs(g, d, func(g rules.Parameters, d []float64) { rules.SetColumns(g.Consequents, 0, d) })
		case J + 1:
			ofOutputs(g, d, func(g rules.Parameters, d []float64) { rules.SetColumns(g.Consequents, 1, d) })
		case J + 2:
			ofOutputs(g, d, func(g rules.Parameters, d []float64) { rules.SetColumns(g.Curves, 0, d) })
		default:
			rules.SetColumns(g.Antecedents[i], 0, d)
		}
	}
	return nil
}

// ofOutputs sets the part of every output in v, one output after the other.
func ofOutputs(g rules.Parameters, v []float64, set func(g rules.Parameters, v []float64)) {
	C := g.OutputCount()
	for c := range C {
		set(g.Output(c), v[c*len(v)/C:(c+1)*len(v)/C])
	}
}

// inputs makes the input nodes with the values of the problem.
func inputs(g *gorgonia.ExprGraph, p *problem) *nodes {
	rb := p.RuleBase
	B, M, R, C := len(p.X), rb.Features(), rb.Rules(), rb.OutputCount()
	var biases []float64
	for _, one := range outputs(rb) {
		biases = append(biases, rules.Columns(one.Consequents, 0, 1)...)
	}
	matrix := func(name string, rows, cols int, v []float64) *gorgonia.Node { return matrix(g, name, rows, cols, v) }
	n := &nodes{
		rules: rb, loss: p.Loss, penalties: p.Penalties, C: C,
		x: matrix("x", B, M, parts(p.X, rb.IfPart)), z: matrix("z", B, M, parts(p.X, rb.ThenPart)),
		mask:   matrix("mask", B, R, slices.Concat(p.Mask...)),
		target: matrix("target", B, C, slices.Clone(p.Target)), weight: matrix("weight", B, 1, slices.Clone(p.Weight)),
		bias: matrix("bias", C, R, biases), slope: matrix("slope", C*M, R, rb.Slopes()),
	}
	for j, param := range rb.Shape.Params() {
		n.antecedents = append(n.antecedents, matrix(param.Name, M, R, rules.Columns(rb.Antecedents[j], 0, M)))
	}
	if rb.Curves != nil {
		n.knots = rb.Knots
		values, width := rb.KnotMajor()
		n.curve = matrix("curve", len(values)/width, width, values)
	}
	return n
}

// matrix makes an input node [rows,cols] with a value.
func matrix(g *gorgonia.ExprGraph, name string, rows, cols int, v []float64) *gorgonia.Node {
	return gorgonia.NewMatrix(g, tensor.Float64, gorgonia.WithShape(rows, cols), gorgonia.WithName(name),
		gorgonia.WithValue(tensor.New(tensor.WithShape(rows, cols), tensor.WithBacking(v))))
}

// parts returns the parts of all samples, concatenated.
func parts(x [][]float64, part func([]float64) []float64) []float64 {
	var v []float64
	for _, row := range x {
		v = append(v, part(row)...)
	}
	return v
}
