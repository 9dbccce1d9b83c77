package graph

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// parameter is a trainable tensor with its gradient.
type parameter struct {
	name     string
	value    *tensor.Dense
	gradient *output

	kept   []int         // elements that nothing changes
	values []float64     // of these
	held   []int         // elements that training does not change: their gradient is zero
	freed  *tensor.Dense // gradient with these zeros; nil: none is held
}

// keep keeps the elements whose mark is one.
func (p *parameter) keep(marks []float64) {
	for i, v := range p.value.Float64s() {
		if marks[i] == 1 {
			p.kept, p.values = append(p.kept, i), append(p.values, v)
		}
	}
	p.hold(p.kept)
}

// restore sets the elements that are kept to their values.
func (p *parameter) restore() {
	all := p.value.Float64s()
	for k, i := range p.kept {
		all[i] = p.values[k]
	}
}

// holdZeros holds the elements that are zero now, besides those that are kept.
func (p *parameter) holdZeros() {
	held := slices.Clone(p.kept)
	for i, v := range p.value.Float64s() {
		if v == 0 {
			held = append(held, i)
		}
	}
	p.hold(held)
}

// hold holds the given elements and no others.
func (p *parameter) hold(held []int) {
	if p.held, p.freed = held, nil; len(held) > 0 {
		p.freed = p.value.Clone().(*tensor.Dense)
	}
}

// Name returns the parameter's name.
func (p *parameter) Name() string { return p.name }

// Value returns the live tensor.
func (p *parameter) Value() gorgonia.Value { return p.value }

// Grad returns the gradient of the last run.
func (p *parameter) Grad() (gorgonia.Value, error) {
	v := *p.gradient.value
	if v == nil {
		return nil, fmt.Errorf("%w: no gradient of %s: call Evaluate first", ErrGraph, p.name)
	}
	if p.freed == nil {
		return v, nil
	}
	all := p.freed.Float64s()
	copy(all, v.(*tensor.Dense).Float64s())
	for _, i := range p.held {
		all[i] = 0
	}
	return p.freed, nil
}

// Rulebases hold parameters as [R,M]; the graph holds them rule-contiguous, [M,R]. Only
// this file converts between the two.

// toTensors returns antecedents [M,R], biases [C,R], slopes [C M,R] and, if there are any,
// the values of curves, [C Q,R] or [C Q,1]: rows of one output after the other.
func toTensors(rb *rules.RuleBase) []*tensor.Dense {
	M := rb.Features()
	var params []*tensor.Dense
	for _, rows := range rb.Antecedents {
		params = append(params, newTensor(rules.Columns(rows, 0, M), len(rows)))
	}
	params = append(params, consequents(rb.Parameters)...)
	if rb.Curves != nil {
		cells, columns := rb.KnotMajor()
		params = append(params, newTensor(cells, columns))
	}
	return params
}

// consequents returns the biases [C,R] and the slopes [C M,R].
func consequents(p rules.Parameters) []*tensor.Dense {
	var biases []float64
	for c, width := 0, p.Features()+1; c < p.OutputCount(); c++ {
		biases = append(biases, rules.Columns(p.Consequents, c*width, c*width+1)...)
	}
	return []*tensor.Dense{newTensor(biases, p.Rules()), newTensor(p.Slopes(), p.Rules())}
}

// newTensor returns cells as the rows of a tensor with the given number of columns.
func newTensor(cells []float64, columns int) *tensor.Dense {
	return tensor.New(tensor.WithShape(len(cells)/columns, columns), tensor.WithBacking(cells))
}

// fromTensors is the inverse of toTensors.
func fromTensors(params []*tensor.Dense, antecedents int) rules.Parameters {
	biases, slopes := params[antecedents], params[antecedents+1]
	C, R := biases.Shape()[0], biases.Shape()[1]
	M := slopes.Shape()[0] / C
	p := rules.RuleBase{Parameters: rules.NewParameters(antecedents, R, M)}
	for j, rows := range p.Antecedents {
		rules.SetColumns(rows, 0, params[j].Float64s())
	}
	p.SetOutputs(C)
	for c := range C {
		rules.SetColumns(p.Consequents, c*(M+1), biases.Float64s()[c*R:(c+1)*R])
		rules.SetColumns(p.Consequents, c*(M+1)+1, slopes.Float64s()[c*M*R:(c+1)*M*R])
	}
	if len(params) > antecedents+2 {
		curves := params[antecedents+2]
		Q, columns := curves.Shape()[0]/C, curves.Shape()[1]
		p.Curves = rules.NewCurves(C*columns, Q)
		for c := range C {
			rules.SetColumns(p.Output(c).Curves, 0, curves.Float64s()[c*Q*columns:(c+1)*Q*columns])
		}
	}
	return p.Parameters
}

// logarithm is a positive parameter p trained as s = log p: its gradient is
//
//	dL/ds = p dL/dp
//
// Projections of the shapes change spreads only to the floor.
type logarithm struct {
	of       *parameter
	value    *tensor.Dense // s
	gradient *tensor.Dense

	floor, least float64 // of p and of s
}

func newLogarithm(of *parameter, floor float64) *logarithm {
	l := &logarithm{of, of.value.Clone().(*tensor.Dense), of.value.Clone().(*tensor.Dense), floor, math.Log(floor)}
	l.fromParameter()
	return l
}

// fromParameter computes the logarithm from the parameter.
func (l *logarithm) fromParameter() {
	s := l.value.Float64s()
	for i, v := range l.of.value.Float64s() {
		s[i] = math.Log(v)
	}
}

// Name returns "log " and the parameter's name.
func (l *logarithm) Name() string { return "log " + l.of.name }

// Value returns the live tensor of logarithms.
func (l *logarithm) Value() gorgonia.Value { return l.value }

// Grad returns the gradient by the logarithm of the last run.
func (l *logarithm) Grad() (gorgonia.Value, error) {
	g, err := l.of.Grad()
	if err != nil {
		return nil, err
	}
	by, p, gradient := g.(*tensor.Dense).Float64s(), l.of.value.Float64s(), l.gradient.Float64s()
	for i := range gradient {
		gradient[i] = p[i] * by[i]
	}
	return l.gradient, nil
}

// toParameter computes the parameter from its logarithm, and raises both to the floor.
func (l *logarithm) toParameter() {
	p, s := l.of.value.Float64s(), l.value.Float64s()
	for i, v := range s {
		s[i] = max(v, l.least)
	}
	kernel.Exp(p, s)
	for i, v := range p {
		p[i] = max(v, l.floor)
	}
}

// setOthers sets tensors to finite values.
func setOthers(others []*tensor.Dense, values [][]float64) error {
	if len(values) != len(others) {
		return fmt.Errorf("%w: %d other parameters, want %d", ErrGraph, len(values), len(others))
	}
	for i, t := range others {
		if len(values[i]) != t.Size() {
			return fmt.Errorf("%w: other parameter %d: %d values, want %d", ErrGraph, i, len(values[i]), t.Size())
		}
		for j, v := range values[i] {
			if !numeric.Finite(v) {
				return fmt.Errorf("%w: other parameter %d: value %d is %v: must be finite", ErrGraph, i, j, v)
			}
		}
	}
	for i, t := range others {
		copy(t.Float64s(), values[i])
	}
	return nil
}
