package layers

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// Loss returns the data part of the loss, a scalar: the weighted sum of l over the
// covered samples. prediction and target are [B,C], weight and covered [B,1].
func Loss(b *Builder, l loss.Loss, prediction, target, weight, covered *gorgonia.Node) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	C := prediction.Shape()[1]
	if one, ok := l.(loss.OfOutput); ok && C == 1 {
		return weightedSum(b, one.Expr(b, prediction, target).(node), weight, covered)
	}
	each := loss.Joint(l, nil).Expr(b, prediction, target, C).(node)
	return weightedSum(b, b.reshape(b.sum(each, 1), each.Shape()[0], 1), weight, covered)
}

// weightedSum returns the weighted sum of each over the covered samples, a scalar; all are
// [B,1].
func weightedSum(b *Builder, each, weight, covered node) node {
	return b.sum(b.binary(gorgonia.HadamardProd, each, b.binary(gorgonia.HadamardProd, weight, covered)))
}

// Penalised are the nodes that penalties are functions of.
type Penalised struct {
	Slopes, Levels  *gorgonia.Node   // [C M,R] and [B,R] (normalised)
	Outputs         []*gorgonia.Node // [C], [B,R] each
	Curves          *gorgonia.Node   // [C Q,R] or [C Q,1]; nil: none
	Target          *gorgonia.Node   // [B,C]
	Weight, Covered *gorgonia.Node   // [B,1]
}

// Penalties returns the sum of the penalties, a scalar, or nil if there are none.
func Penalties(b *Builder, penalties []penalty.Penalty, of Penalised) (sum *gorgonia.Node) {
	add := func(term node) {
		if sum != nil {
			term = b.binary(gorgonia.Add, sum, term)
		}
		sum = term
	}
	for _, part := range []struct {
		penalty.Part
		v node
	}{{penalty.OnSlopes, of.Slopes}, {penalty.OnCurves, of.Curves}, {penalty.OnLevels, of.Levels}} {
		if part.v == nil {
			continue
		}
		for _, p := range penalty.Of(part.Part, penalties) {
			if b.err != nil {
				return nil
			}
			add(p.Expr(b, part.v, part.v.Shape()[1]).(node))
		}
	}
	for _, p := range penalty.OnSamples(penalties) {
		if b.err != nil {
			return nil
		}
		B := of.Levels.Shape()[0]
		each := b.reshape(b.sum(p.Expr(b, of.samples(b)).(node), 1), B, 1)
		add(weightedSum(b, each, of.Weight, of.Covered))
	}
	return sum
}

// samples returns what penalties of the samples are functions of.
func (of Penalised) samples(b *Builder) penalty.SampleTerms {
	s := penalty.SampleTerms{R: of.Levels.Shape()[1], Levels: of.Levels}
	for c, outputs := range of.Outputs {
		s.Outputs = append(s.Outputs, outputs)
		s.Targets = append(s.Targets, b.stretch(column(b, of.Target, c), outputs, 1))
	}
	return s
}

// column returns column c of x [n,C] as [n,1].
func column(b *Builder, x node, c int) node {
	n, C := x.Shape()[0], x.Shape()[1]
	if C == 1 {
		return x
	}
	unit := make([]float64, C)
	unit[c] = 1
	return b.reshape(b.binary(gorgonia.Mul, x, constantMatrix(b, x, fmt.Sprintf("column %d of %d", c+1, C), C, unit)), n, 1)
}
