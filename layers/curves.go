package layers

import (
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/penalty"
)

// Curves adds curves to the rule outputs [B,R], from the inputs of the consequents z [B,M]
// and the values at the knots [Q,R], or [Q,1] for curves that all rules share; see
// [rules.RuleBase]. Between two knots a curve is a weighted sum of tents, one per knot:
//
//	b_q(z) = max(0, min(1, (z - k_{q-1}) / (k_q - k_{q-1}), (k_{q+1} - z) / (k_{q+1} - k_q)))
//
// without the second term at the first knot of a feature and the third at the last.
func Curves(b *Builder, outputs, z, values *gorgonia.Node, knots [][]float64) *gorgonia.Node {
	sum := b.binary(gorgonia.Mul, tents(b, z, knots), values)
	if b.err == nil && sum.Shape()[1] != outputs.Shape()[1] {
		sum = b.stretch(sum, outputs, 1)
	}
	return b.binary(gorgonia.Add, outputs, sum)
}

// tents returns the tents b_q(z) [B,Q].
func tents(b *Builder, z node, knots [][]float64) node {
	if b.err != nil {
		return nil
	}
	Q := len(slices.Concat(knots...))
	column := make([]float64, len(knots)*Q) // [M,Q]: one where knot q is one of feature m
	before, rise, first := make([]float64, Q), make([]float64, Q), make([]float64, Q)
	after, fall, last := make([]float64, Q), make([]float64, Q), make([]float64, Q)
	q := 0
	for m, of := range knots {
		for i, k := range of {
			column[m*Q+q] = 1
			if first[q] = 1; i > 0 {
				before[q], rise[q], first[q] = of[i-1], 1/(k-of[i-1]), 0
			}
			if last[q] = 1; i < len(of)-1 {
				after[q], fall[q], last[q] = of[i+1], 1/(of[i+1]-k), 0
			}
			q++
		}
	}
	all := b.binary(gorgonia.Mul, z, constantMatrix(b, z, "features of knots", len(knots), column))
	row := func(name string, cells []float64) node {
		return b.stretch(constantMatrix(b, z, name, 1, cells), all, 0)
	}
	left := b.Add(b.Mul(b.Sub(all, row("knots before", before)), row("rises", rise)), row("first knots", first))
	right := b.Add(b.Mul(b.Sub(row("knots after", after), all), row("falls", fall)), row("last knots", last))
	return b.Relu(b.Min(b.Min(left, right), row("tops", slices.Repeat([]float64{1}, Q)))).(node)
}

// constantMatrix returns a constant matrix of the given number of rows in the graph of a node.
func constantMatrix(b *Builder, in node, name string, rows int, cells []float64) node {
	return b.do(func() (node, error) {
		value := tensor.New(tensor.WithShape(rows, len(cells)/rows), tensor.WithBacking(cells))
		return gorgonia.NewMatrix(in.Graph(), tensor.Float64, gorgonia.WithShape(value.Shape()...), gorgonia.WithName(name),
			gorgonia.WithValue(value)), nil
	})
}

// curves is the part of [Head] that adds curves to the rule outputs.
type curves struct {
	B, M, R, Q int
	columns    int // of the values: R, or 1 for curves that all rules share
	sums       *kernel.Curves
	features   []int     // that have curves, [P]
	z          []float64 // their values, [B,P]; nil if all features have curves
	onCurves   []*penalised
	byValue    *op // [C Q,columns]
}

// newCurves returns the curves of a head with C outputs; nil without any.
func newCurves(o HeadOptions, B, M, R, C int, values node) *curves {
	if values == nil {
		return nil
	}
	c := &curves{B: B, M: M, R: R, columns: values.Shape()[1], Q: values.Shape()[0] / C}
	var knots [][]float64
	for m, k := range o.Knots {
		if len(k) > 0 {
			c.features, knots = append(c.features, m), append(knots, k)
		}
	}
	if c.sums = kernel.NewCurves(knots, B); len(knots) < M {
		c.z = make([]float64, B*len(knots))
	}
	c.onCurves = penalisedBy(penalty.OnCurves, o.Penalties, values.Shape().TotalSize())
	return c
}

// locate finds the places of the samples on the curves and returns the penalties.
func (c *curves) locate(z, values []float64) (penalty float64) {
	if P := len(c.features); c.z != nil {
		for b := range c.B {
			row, of := c.z[b*P:][:P], z[b*c.M:][:c.M]
			for p, m := range c.features {
				row[p] = of[m]
			}
		}
		z = c.z
	}
	c.sums.Locate(z)
	for _, p := range c.onCurves {
		penalty += p.run(values, c.columns)
	}
	return penalty
}

// add adds the curves of an output to the outputs of the rules.
func (c *curves) add(rules, values []float64, output int) {
	c.sums.Add(rules, values[output*c.Q*c.columns:], c.R, c.columns)
}

// penaltiesBackward sets the gradient by the values to that of the penalties.
func (c *curves) penaltiesBackward() {
	g, more := c.byValue.cells, c.onCurves
	if len(more) > 0 && more[0].factor == 1 {
		copy(g, more[0].direction)
		more = more[1:]
	} else {
		clear(g)
	}
	for _, p := range more {
		for i, d := range p.direction {
			g[i] += float64(p.factor * d)
		}
	}
}

// backward adds the gradient by the values of an output from that by the outputs of the
// rules.
func (c *curves) backward(byRules []float64, output int) {
	c.sums.Backward(c.byValue.cells[output*c.Q*c.columns:], byRules, c.R, c.columns)
}
