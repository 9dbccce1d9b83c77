package layers

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// Join returns the firing levels f_r(x_n) as a node [B,R]: the grades [M,B,R] joined over
// the features by a t-norm, the paper's equation (2) for the product. With logs, an
// [inference.LogTNorm] joins logarithms of grades to logarithms of firing levels.
func Join(b *Builder, t inference.TNorm, grades *gorgonia.Node, logs bool) *gorgonia.Node {
	switch {
	case logs && t == (inference.Product{}):
		return logProduct(b, grades)
	case logs:
		return joined(b, t.(inference.LogTNorm).LogExpr, grades)
	}
	return joined(b, t.Expr, grades)
}

// joined joins the first half of the slabs with the second until one is left, so
// that M features need about log2(M) nodes. The gradient of a product is a product of the
// other factors, without division by a grade that may be zero.
func joined(b *Builder, join func(b membership.Builder, x, y membership.Term) membership.Term, grades node) node {
	if b.err != nil {
		return nil
	}
	M, B, R := grades.Shape()[0], grades.Shape()[1], grades.Shape()[2]
	if M == 1 {
		// A reshaped node is a view: without a copy, Gorgonia would overwrite the
		// grades downstream, which the backward pass needs.
		grades = b.binary(gorgonia.Mul, grades, b.constant(1))
	}
	for M > 1 {
		half := M / 2
		first, second := slabs(b, grades, 0, half, B, R), slabs(b, grades, half, 2*half, B, R)
		if b.err != nil {
			return nil
		}
		pairs := join(b, first, second).(node)
		if M%2 == 1 {
			odd := slabs(b, grades, M-1, M, B, R)
			even := pairs
			pairs = b.do(func() (node, error) { return gorgonia.Concat(0, even, odd) })
		}
		grades, M = pairs, half+M%2
	}
	return b.reshape(grades, B, R)
}

// slabs returns grades[from:to] as a node [to-from,B,R].
func slabs(b *Builder, grades node, from, to, B, R int) node {
	part := b.do(func() (node, error) { return gorgonia.Slice(grades, gorgonia.S(from, to)) })
	return b.reshape(part, to-from, B, R)
}

// logProduct returns the logarithms of the firing levels, [B,R], from those of
// the grades, [M,B,R]: a sum over the features.
func logProduct(b *Builder, logGrades node) node {
	B, R := logGrades.Shape()[1], logGrades.Shape()[2]
	return b.reshape(b.sum(logGrades, 0), B, R)
}
