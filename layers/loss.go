package layers

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"gorgonia.org/gorgonia"
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

// FusedLoss is [Loss] in one node, from predictions and target [B,C], weight and covered
// [B,1] and the penalty of [Head], a scalar: total is the sum of data and penalty, also
// scalars. It is differentiable by the predictions only.
func FusedLoss(b *Builder, l loss.Loss, prediction, target, weight, covered, penalty *gorgonia.Node) (total, data *gorgonia.Node) {
	if b.err != nil {
		return nil, nil
	}
	t, d := newOp("loss"), newOp("data")
	of := samplesLoss(l, prediction.Shape()[1])
	t.run = func(in [][]float64) {
		d.cells[0] = of.value(in[0], in[1], in[2], in[3])
		t.cells[0] = d.cells[0] + in[4][0]
	}
	t.wrt = []bool{true, false, false, false, false}
	t.diff = func(b *Builder, in gorgonia.Nodes, _, grad node) gorgonia.Nodes {
		g := newOp("gradient by prediction", in[0].Shape()...)
		g.run = func(in [][]float64) { of.gradient(g.cells, in[0], in[1], in[2], in[3], in[4][0]) }
		return gorgonia.Nodes{b.apply(g, in[0], in[1], in[2], in[3], grad), nil, nil, nil, nil}
	}
	total = b.apply(t, prediction, target, weight, covered, penalty)
	return total, b.part(d, total)
}

// ofSamples is a loss summed over the samples of a mini-batch: outputs y and targets t
// [B,C], weight and covered [B].
type ofSamples interface {
	value(y, t, weight, covered []float64) float64

	// gradient writes the derivatives by y, times by, to dst [B,C].
	gradient(dst, y, t, weight, covered []float64, by float64)
}

// samplesLoss returns a loss of C outputs summed over samples.
func samplesLoss(l loss.Loss, C int) ofSamples {
	if one, ok := l.(loss.OfOutput); ok && C == 1 {
		return single{one}
	}
	return joint{loss.Joint(l, nil), C}
}

// single is a loss of the only output.
type single struct{ loss.OfOutput }

func (l single) value(y, t, weight, covered []float64) float64 {
	sum := 0.0
	for n, target := range t {
		sum += float64(l.Value(y[n], target) * (weight[n] * covered[n]))
	}
	return sum
}

func (l single) gradient(dst, y, t, weight, covered []float64, by float64) {
	for n, target := range t {
		dst[n] = by * (weight[n] * covered[n]) * l.Gradient(y[n], target)
	}
}

// joint is a loss of all C outputs.
type joint struct {
	loss.OfOutputs
	C int
}

func (l joint) value(y, t, weight, covered []float64) float64 {
	sum := 0.0
	for n, w := range weight {
		sum += float64(l.Value(y[n*l.C:(n+1)*l.C], t[n*l.C:(n+1)*l.C]) * (w * covered[n]))
	}
	return sum
}

func (l joint) gradient(dst, y, t, weight, covered []float64, by float64) {
	for n, w := range weight {
		row := dst[n*l.C : (n+1)*l.C]
		l.Gradient(row, y[n*l.C:(n+1)*l.C], t[n*l.C:(n+1)*l.C])
		for c := range row {
			row[c] *= by * (w * covered[n])
		}
	}
}

// onSamples is a penalty of the samples of a mini-batch.
type onSamples struct {
	penalty.OfSamples
	kernel penalty.SamplesKernel // nil: the penalty has none

	memory    []float64   // of the kernel
	byLevels  []float64   // [B,R]; without a kernel
	byOutputs [][]float64 // [C], [B,R] each; without a kernel
}

// onSamplesBy returns the penalties of samples.
func onSamplesBy(all []penalty.Penalty, B, R, C int) []*onSamples {
	var ps []*onSamples
	for _, of := range penalty.OnSamples(all) {
		p := &onSamples{OfSamples: of}
		if p.kernel, _ = of.(penalty.SamplesKernel); p.kernel != nil {
			p.memory = make([]float64, p.kernel.Memory(B, R, C))
		} else {
			p.byLevels, p.byOutputs = make([]float64, B*R), make([][]float64, C)
			for c := range p.byOutputs {
				p.byOutputs[c] = make([]float64, B*R)
			}
		}
		ps = append(ps, p)
	}
	return ps
}

// forward returns the value.
func (p *onSamples) forward(s penalty.Samples) float64 {
	if p.kernel != nil {
		return p.kernel.Forward(p.memory, s)
	}
	return p.Value(s)
}

// backward adds the gradient, see [penalty.SamplesKernel].
func (p *onSamples) backward(byFiring []float64, byOutputs [][]float64, factor, scale []float64, s penalty.Samples) {
	if p.kernel != nil {
		p.kernel.Backward(byFiring, byOutputs, p.memory, factor, scale, s)
		return
	}
	p.Gradient(p.byLevels, p.byOutputs, s)
	kernel.LevelsBackward(byFiring, s.Levels, factor, p.byLevels, scale, 1, len(s.Weight), s.R)
	for c, by := range p.byOutputs {
		kernel.Add(byOutputs[c], by)
	}
}

// penalised is a penalty of a matrix [n,R] with the gradient of its last run.
type penalised struct {
	penalty.OfMatrix
	kernel penalty.Kernel // nil: the penalty has none
	memory []float64      // [n,R]

	// The gradient is factor direction; direction may be one row, see
	// [penalty.Kernel].
	factor    float64
	direction []float64
}

// penalisedBy returns the penalties of a part for a matrix of size = n R elements.
func penalisedBy(part penalty.Part, all []penalty.Penalty, size int) []*penalised {
	var ps []*penalised
	for _, p := range penalty.Of(part, all) {
		kernel, _ := p.(penalty.Kernel)
		ps = append(ps, &penalised{OfMatrix: p, kernel: kernel, memory: make([]float64, size)})
	}
	return ps
}

// run computes the gradient by v and returns the value.
func (p *penalised) run(v []float64, R int) (value float64) {
	if p.kernel != nil {
		value, p.factor, p.direction = p.kernel.Kernel(p.memory, v, R)
		return value
	}
	p.Gradient(p.memory, v, R)
	p.factor, p.direction = 1, p.memory
	return p.Value(v, R)
}
