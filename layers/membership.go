package layers

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/membership"
)

// Membership returns the grades mu_{X_{r,m}}(x_{n,m}) as a node [M,B,R], one
// slab per feature; or their logarithms if logs, of a [membership.LogFunction].
//
// x is [B,M]; params has one node [M,R] per parameter of the shape, in the order of its
// Params. The shape's expression is applied once, elementwise, to terms [M,B,R].
func Membership(b *Builder, shape membership.Function, x *gorgonia.Node, params []*gorgonia.Node, logs bool) *gorgonia.Node {
	B, M, R := x.Shape()[0], x.Shape()[1], params[0].Shape()[1]
	columns := b.do(func() (node, error) { return gorgonia.Transpose(x, 1, 0) })
	columns = b.reshape(columns, M, B, 1)
	terms := make([]membership.Term, len(params))
	var xs node
	for j, p := range params {
		slab := b.reshape(p, M, 1, R)
		if j == 0 {
			xs = b.stretch(columns, slab, 2)
		}
		terms[j] = b.stretch(slab, columns, 1)
	}
	if logs {
		return shape.(membership.LogFunction).LogExpr(b, xs, terms).(node)
	}
	return shape.Expr(b, xs, terms).(node)
}
