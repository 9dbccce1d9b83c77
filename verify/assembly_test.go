package verify

import (
	"fmt"
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

// assembly is the autodiff route, assembled from package layers so that one layer can be
// replaced by a wrong one, and run by Gorgonia's own machine.
type assembly struct {
	Autodiff
	replaced string // name of a layer, or empty
	by       func(*layers.Builder, *nodes)
}

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

// Run builds the graph and runs it once.
func (a assembly) Run(p *Problem) (result *Result, err error) {
	g := gorgonia.NewGraph()
	err = layers.Build(g, func(b *layers.Builder) error {
		result, err = a.run(g, b, p)
		return err
	})
	return result, err
}

// run builds the graph and runs it.
func (a assembly) run(g *gorgonia.ExprGraph, b *layers.Builder, p *Problem) (*Result, error) {
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
	result := &Result{Prediction: y.(*tensor.Dense).Float64s(), Loss: l.Data().(float64), Gradient: p.zeros()}
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
			ofOutputs(g, d, func(g rules.Parameters, d []float64) { rows(g.Consequents, 0, d) })
		case J + 1:
			ofOutputs(g, d, func(g rules.Parameters, d []float64) { rows(g.Consequents, 1, d) })
		case J + 2:
			ofOutputs(g, d, func(g rules.Parameters, d []float64) { rows(g.Curves, 0, d) })
		default:
			rows(g.Antecedents[i], 0, d)
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
func inputs(g *gorgonia.ExprGraph, p *Problem) *nodes {
	rb := p.RuleBase
	B, M, R, C := len(p.X), rb.Features(), rb.Rules(), rb.OutputCount()
	var biases []float64
	for _, one := range outputs(rb) {
		biases = append(biases, columns(one.Consequents, 0, 1)...)
	}
	matrix := func(name string, rows, cols int, v []float64) *gorgonia.Node { return matrix(g, name, rows, cols, v) }
	n := &nodes{
		rules: rb, loss: p.Loss, penalties: p.Penalties, C: C,
		x: matrix("x", B, M, parts(p.X, rb.IfPart)), z: matrix("z", B, M, parts(p.X, rb.ThenPart)),
		mask:   matrix("mask", B, R, slices.Concat(p.Mask...)),
		target: matrix("target", B, C, slices.Clone(p.Target)), weight: matrix("weight", B, 1, slices.Clone(p.Weight)),
		bias: matrix("bias", C, R, biases), slope: matrix("slope", C*M, R, slopes(rb)),
	}
	for j, param := range rb.Shape.Params() {
		n.antecedents = append(n.antecedents, matrix(param.Name, M, R, columns(rb.Antecedents[j], 0, M)))
	}
	if rb.Curves != nil {
		n.knots = rb.Knots
		values, width := knotMajor(rb)
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
