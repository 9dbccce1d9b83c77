// Package layers provides the layers of a TSK network as Gorgonia nodes, one file
// each. In the order of the forward pass:
//
//	Membership   x [B,M] and antecedent parameters [M,R] -> grades [M,B,R]
//	Join         grades -> firing levels [B,R]
//	Weights      firing levels -> weights of the rules [B,R], for defuzzifications other than TSK
//	DropRule     firing levels and mask [B,R] -> firing levels of kept rules
//	Normalise    -> normalised firing levels [B,R]
//	Consequent   x, slopes [M,R] and biases [1,R] -> rule outputs [B,R]
//	Curves       rule outputs, x and values at knots [Q,R] or [Q,1] -> rule outputs with curves
//	Output       -> predictions [B,1]
//	Loss         -> the data part of the loss, a scalar
//	Penalties    slopes, values of curves, normalised firing levels, rule outputs -> the penalties, a scalar
//
// B is the batch size, M the number of features, R the number of rules.
// Parameters are rule-contiguous, [M,R]. These layers consist of Gorgonia's operations, so
// that gorgonia.Grad derives all gradients. The number of nodes does not depend on M (it
// grows with log M for shapes that can be zero).
package layers

import (
	"errors"
	"fmt"
	"sync"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
)

// Builder makes nodes and keeps the first error. After an error it makes no more nodes,
// and its results must not be used. [Build] provides one. It implements [penalty.Builder], and with it
// [membership.Builder] and [loss.Builder], which describe its methods, with terms of type *gorgonia.Node.
type Builder struct {
	graph *gorgonia.ExprGraph // of its inputs
	err   error
}

var (
	_ penalty.Builder = (*Builder)(nil)
	_ loss.Builder    = (*Builder)(nil)
)

// Err returns the first error, if any.
func (b *Builder) Err() error { return b.err }

// Input returns a matrix whose values are those of the tensor, live: what a graph starts from, and what it can be
// differentiated by. Names must differ, since Gorgonia merges nodes of one name and shape.
func (b *Builder) Input(name string, value *tensor.Dense) *gorgonia.Node {
	return b.do(func() (node, error) {
		if len(b.graph.ByName(name)) > 0 {
			return nil, fmt.Errorf("layers: two inputs are named %q", name)
		}
		return gorgonia.NewMatrix(b.graph, tensor.Float64, gorgonia.WithShape(value.Shape()...),
			gorgonia.WithName(name), gorgonia.WithValue(value)), nil
	})
}

type node = *gorgonia.Node

func (b *Builder) do(f func() (node, error)) node {
	if b.err != nil {
		return nil
	}
	n, err := f()
	b.err = err
	return n
}

func (b *Builder) unary(op func(node) (node, error), x membership.Term) node {
	return b.do(func() (node, error) { return op(x.(node)) })
}

func (b *Builder) binary(op func(x, y node) (node, error), x, y membership.Term) node {
	return b.do(func() (node, error) { return op(x.(node), y.(node)) })
}

// Const returns v as a scalar, which combines with terms of any shape.
func (b *Builder) Const(v float64) membership.Term { return b.constant(v) }

func (b *Builder) constant(v float64) node {
	return b.do(func() (node, error) { return gorgonia.NewConstant(v), nil })
}

func (b *Builder) Add(x, y membership.Term) membership.Term { return b.binary(gorgonia.Add, x, y) }
func (b *Builder) Sub(x, y membership.Term) membership.Term { return b.binary(gorgonia.Sub, x, y) }
func (b *Builder) Mul(x, y membership.Term) membership.Term {
	return b.binary(gorgonia.HadamardProd, x, y)
}
func (b *Builder) Div(x, y membership.Term) membership.Term {
	return b.binary(gorgonia.HadamardDiv, x, y)
}

// Min returns x where x < y, else y, bit for bit.
func (b *Builder) Min(x, y membership.Term) membership.Term {
	return b.choose(b.above(b.Sub(y, x), 0), x, y)
}

// Max returns x where x > y, else y, bit for bit.
func (b *Builder) Max(x, y membership.Term) membership.Term {
	return b.choose(b.above(b.Sub(x, y), 0), x, y)
}

// choose returns x where first is one and y where it is zero.
func (b *Builder) choose(first node, x, y membership.Term) membership.Term {
	second := b.Sub(b.Const(1), first)
	return b.Add(b.Mul(first, x), b.Mul(second, y))
}

func (b *Builder) Neg(x membership.Term) membership.Term    { return b.unary(gorgonia.Neg, x) }
func (b *Builder) Square(x membership.Term) membership.Term { return b.unary(gorgonia.Square, x) }
func (b *Builder) Exp(x membership.Term) membership.Term    { return b.unary(gorgonia.Exp, x) }
func (b *Builder) Log(x membership.Term) membership.Term    { return b.unary(gorgonia.Log, x) }
func (b *Builder) Sqrt(x membership.Term) membership.Term   { return b.unary(gorgonia.Sqrt, x) }
func (b *Builder) Abs(x membership.Term) membership.Term    { return b.unary(gorgonia.Abs, x) }
func (b *Builder) Tanh(x membership.Term) membership.Term   { return b.unary(gorgonia.Tanh, x) }
func (b *Builder) Cos(x membership.Term) membership.Term    { return b.unary(gorgonia.Cos, x) }

// Relu returns max(x, 0), with the derivative zero at zero as [membership.Builder]
// documents; that of Gorgonia's Rectify is one.
func (b *Builder) Relu(x membership.Term) membership.Term {
	return b.Mul(x, b.above(x, 0))
}

// above returns one where x > least and zero elsewhere. It has no derivative:
// gorgonia.Grad treats it as a constant.
func (b *Builder) above(x membership.Term, least float64) node {
	threshold := b.constant(least)
	return b.do(func() (node, error) { return gorgonia.Gt(x.(node), threshold, true) })
}

// Sigmoid returns 1/(1+e^-x), as e^-n / (1+e^-|x|) with n = relu(-x) and
// |x| = x+2n: accurate on both sides, without overflow, and with the right derivative
// at zero. Gorgonia's Sigmoid rounds to one above 19, where e^-x is still 6e-9.
func (b *Builder) Sigmoid(x membership.Term) membership.Term {
	n := b.Relu(b.Neg(x))
	far := b.Exp(b.Neg(b.Add(x, b.Mul(b.Const(2), n))))
	return b.Div(b.Exp(b.Neg(n)), b.Add(b.Const(1), far))
}

// Sum returns the sum of all elements, a scalar.
func (b *Builder) Sum(x membership.Term) membership.Term {
	return b.do(func() (node, error) { return gorgonia.Sum(x.(node)) })
}

// RowMeans returns the mean of every row of x [n,R], repeated along the row: [n,R].
func (b *Builder) RowMeans(x membership.Term) membership.Term {
	return b.do(func() (node, error) {
		n, R := x.(node).Shape()[0], x.(node).Shape()[1]
		mean := b.times(b.reshape(b.sum(x.(node), 1), n, 1), 1/float64(R))
		return b.stretch(mean, x.(node), 1), b.err
	})
}

// RowMax returns the largest element of every row of x [n,C], repeated along the row: [n,C].
func (b *Builder) RowMax(x membership.Term) membership.Term {
	top := b.do(func() (node, error) { return gorgonia.Max(x.(node), 1) })
	return b.do(func() (node, error) {
		n := x.(node).Shape()[0]
		return b.stretch(b.reshape(top, n, 1), x.(node), 1), b.err
	})
}

// Row returns a constant row [C], repeated to the shape of like [n,C].
func (b *Builder) Row(row []float64, like membership.Term) membership.Term {
	return b.do(func() (node, error) {
		constant := constantMatrix(b, like.(node), fmt.Sprintf("row %v", row), 1, row)
		return b.stretch(constant, like.(node), 0), b.err
	})
}

// ColumnMeans returns the mean of every column of x [n,R]: [1,R].
func (b *Builder) ColumnMeans(x membership.Term) membership.Term {
	return b.do(func() (node, error) {
		n, R := x.(node).Shape()[0], x.(node).Shape()[1]
		return b.times(b.reshape(b.sum(x.(node), 0), 1, R), 1/float64(n)), b.err
	})
}

// Columns returns the elements of each of C terms [n,R] as a column: [n R,C].
func (b *Builder) Columns(of []penalty.Term) penalty.Term {
	return b.do(func() (node, error) {
		columns := make([]*gorgonia.Node, len(of))
		for c, v := range of {
			columns[c] = b.reshape(v.(node), v.(node).Shape().TotalSize(), 1)
		}
		return Columns(b, columns), b.err
	})
}

// Rows returns the sums of the rows of x [n R,C] as rows of length R: [n,R].
func (b *Builder) Rows(x penalty.Term, R int) penalty.Term {
	return b.do(func() (node, error) {
		v, n := x.(node), x.(node).Shape()[0]/R
		if x.(node).Shape()[1] > 1 {
			v = b.sum(v, 1)
		}
		return b.reshape(v, n, R), b.err
	})
}

// times returns v x.
func (b *Builder) times(x node, v float64) node { return b.binary(gorgonia.Mul, x, b.constant(v)) }

// reshape returns x with another shape of the same size.
func (b *Builder) reshape(x node, shape ...int) node {
	return b.do(func() (node, error) { return gorgonia.Reshape(x, tensor.Shape(shape)) })
}

// stretch repeats x, of length one along axis, to the length of like.
func (b *Builder) stretch(x, like node, axis byte) node {
	return b.do(func() (node, error) {
		_, wide, err := gorgonia.Broadcast(like, x, gorgonia.NewBroadcastPattern(nil, []byte{axis}))
		return wide, err
	})
}

// sum sums along axis, which it removes from the shape.
func (b *Builder) sum(x node, axis ...int) node {
	return b.do(func() (node, error) { return gorgonia.Sum(x, axis...) })
}

// building is locked while a graph is built and differentiated: all graphs of a program copy
// Gorgonia's constant nodes (such as the gradient 1 of the loss), and the first copy of one
// writes its hash. Graphs may run concurrently once they are built.
var building sync.Mutex

// Build calls build with a Builder of nodes in g, and returns the error of build, or else the first of the Builder; a
// panic, such as one of Gorgonia's, is an error, too. Only one build of a program runs at a time, since Gorgonia's graphs
// share nodes while they are built: differentiate within it, too ([gorgonia.Grad]), and do not call Build from it. Graphs
// that are built may run concurrently.
func Build(g *gorgonia.ExprGraph, build func(*Builder) error) (err error) {
	if g == nil {
		return errors.New("layers: the graph is nil")
	}
	building.Lock()
	defer building.Unlock()
	b := &Builder{graph: g}
	defer func() {
		switch r := recover(); {
		case r != nil && b.err != nil: // the nodes after the first error are nil
			err = b.err
		case r != nil:
			err = fmt.Errorf("layers: %v", r)
		case err == nil:
			err = b.err
		}
	}()
	return build(b)
}

// Inputs are the nodes that a network of a rulebase starts from: a mini-batch of B samples, and the parameters. Those that a
// layer does not use may be nil.
type Inputs struct {
	X              *gorgonia.Node   // features of the antecedents, [B,M]
	Z              *gorgonia.Node   // features of the consequents, [B,M]; X itself if they are the same
	Mask           *gorgonia.Node   // of DropRule, [B,R]
	Target, Weight *gorgonia.Node   // [B,C] and [B,1]
	Antecedents    []*gorgonia.Node // by parameter of the shape, [M,R] each
	Bias, Slope    *gorgonia.Node   // [C,R] and [C M,R], output by output
	Curve          *gorgonia.Node   // values of curves at the knots, [C Q,R] or [C Q,1], output by output; nil: no curves
}
