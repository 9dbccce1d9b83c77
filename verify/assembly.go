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
// replaced by a wrong one. It replaces package graph, whose networks have fixed layers.
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

	x, z                 *gorgonia.Node // [B,M], the features of antecedents and of consequents
	mask, target, weight *gorgonia.Node // [B,R], [B,1], [B,1]
	antecedents          gorgonia.Nodes // [M,R] each
	bias, slope          *gorgonia.Node // [1,R], [M,R]
	curve                *gorgonia.Node // [Q,R] or [Q,1]; nil: no curves
	knots                [][]float64    // [M]

	grades              *gorgonia.Node // [M,B,R]; or logarithms
	firing, kept, level *gorgonia.Node // [B,R]; firing levels, then weights
	covered             *gorgonia.Node // [B,1]
	outputs             *gorgonia.Node // [B,R]
	prediction          *gorgonia.Node // [B,1]
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
		{"consequents", func(b *layers.Builder, n *nodes) { n.outputs = layers.Consequent(b, n.z, n.slope, n.bias) }},
		{"curves", func(b *layers.Builder, n *nodes) { n.outputs = n.withCurves(b, n.curve) }},
		{"weighted sum", func(b *layers.Builder, n *nodes) { n.prediction = layers.Output(b, n.level, n.outputs) }},
		{"loss", func(b *layers.Builder, n *nodes) { n.addLoss(b) }},
	}
}

// join is the t-norm layer.
func (n *nodes) join(b *layers.Builder, grades *gorgonia.Node) {
	n.firing = layers.Join(b, inference.OrProduct(n.rules.TNorm), grades, n.rules.LogSpace())
}

// withCurves returns the rule outputs with curves of the given values; without, if the
// rules have none.
func (n *nodes) withCurves(b *layers.Builder, values *gorgonia.Node) *gorgonia.Node {
	if n.curve == nil {
		return n.outputs
	}
	return layers.Curves(b, n.outputs, n.z, values, n.knots)
}

// addLoss is the loss layer.
func (n *nodes) addLoss(b *layers.Builder) {
	n.data = layers.Loss(b, n.loss, n.prediction, n.target, n.weight, n.covered)
	n.addPenalty(b)
}

// addPenalty is the penalty of the loss layer.
func (n *nodes) addPenalty(b *layers.Builder) {
	n.penalty = layers.Penalties(b, n.penalties, layers.Penalised{
		Slopes: n.slope, Curves: n.curve, Levels: n.level, Outputs: []*gorgonia.Node{n.outputs}, Weight: n.weight, Covered: n.covered,
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
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("gorgonia: %v", r)
		}
	}()
	layers.Building.Lock()
	defer layers.Building.Unlock()
	g := gorgonia.NewGraph()
	n := inputs(g, p)
	b := &layers.Builder{}
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
	result = &Result{Prediction: y.(*tensor.Dense).Float64s(), Loss: l.Data().(float64), Gradient: p.zeros()}
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
			rows(g.Consequents, 0, d)
		case J + 1:
			rows(g.Consequents, 1, d)
		case J + 2:
			rows(g.Curves, 0, d)
		default:
			rows(g.Antecedents[i], 0, d)
		}
	}
	return nil
}

// inputs makes the input nodes with the values of the problem.
func inputs(g *gorgonia.ExprGraph, p *Problem) *nodes {
	rb := p.RuleBase
	B, M, R := len(p.X), rb.Features(), rb.Rules()
	matrix := func(name string, rows, cols int, v []float64) *gorgonia.Node { return matrix(g, name, rows, cols, v) }
	n := &nodes{
		rules: rb, loss: p.Loss, penalties: p.Penalties,
		x: matrix("x", B, M, parts(p.X, rb.IfPart)), z: matrix("z", B, M, parts(p.X, rb.ThenPart)),
		mask:   matrix("mask", B, R, slices.Concat(p.Mask...)),
		target: matrix("target", B, 1, slices.Clone(p.Target)), weight: matrix("weight", B, 1, slices.Clone(p.Weight)),
		bias: matrix("bias", 1, R, columns(rb.Consequents, 0, 1)), slope: matrix("slope", M, R, columns(rb.Consequents, 1, M+1)),
	}
	for j, param := range rb.Shape.Params() {
		n.antecedents = append(n.antecedents, matrix(param.Name, M, R, columns(rb.Antecedents[j], 0, M)))
	}
	if rb.Curves != nil {
		n.knots = rb.Knots
		n.curve = matrix("curve", len(rb.Curves[0]), len(rb.Curves), rules.KnotMajor(rb.Curves))
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

// columns returns the columns [from, to) of a, concatenated.
func columns(a [][]float64, from, to int) []float64 {
	var v []float64
	for m := from; m < to; m++ {
		for _, row := range a {
			v = append(v, row[m])
		}
	}
	return v
}

// rows is the inverse of columns.
func rows(a [][]float64, from int, v []float64) {
	for i, x := range v {
		a[i%len(a)][from+i/len(a)] = x
	}
}
