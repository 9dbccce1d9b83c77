package layers

import (
	"fmt"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"gorgonia.org/gorgonia"
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

// Join returns the firing levels f_r(x_n) as a node [B,R]: the grades [M,B,R] joined over
// the features by a t-norm, the paper's equation (2) for the product. With logs, an
// [inference.LogTNorm] joins logarithms of grades to logarithms of firing levels.
func Join(b *Builder, t inference.TNorm, grades *gorgonia.Node, logs bool) *gorgonia.Node {
	switch {
	case logs && t == (inference.Product{}):
		return b.reshape(b.sum(grades, 0), grades.Shape()[1], grades.Shape()[2])
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

// Weights returns the weights of the rules, a node [B,R], from their firing levels [B,R] over
// M features, or the logarithms of both if logs; see [inference.Weigh]. For
// [inference.TSK] it adds no node.
func Weights(b *Builder, d inference.Defuzzification, firing *gorgonia.Node, M int, logs bool) *gorgonia.Node {
	switch {
	case b.err != nil || d == (inference.TSK{}):
		return firing
	case logs:
		return d.Expr(b, firing, M).(node)
	}
	fires := b.above(firing, inference.LeastFiring)
	// The logarithm of one where a rule does not fire, to avoid that of zero.
	safe := b.binary(gorgonia.Add, firing, b.binary(gorgonia.Sub, b.constant(1), fires))
	z := b.unary(gorgonia.Log, safe)
	if b.err != nil {
		return nil
	}
	return b.binary(gorgonia.HadamardProd, b.unary(gorgonia.Exp, d.Expr(b, z, M)), fires)
}

// DropRule returns the firing levels [B,R] of the kept rules and zero for the
// others; mask [B,R] is one where a rule is kept. If the kept levels of a sample sum to
// at most least, it uses all rules.
func DropRule(b *Builder, firing, mask *gorgonia.Node, least float64) *gorgonia.Node {
	B := firing.Shape()[0]
	kept := b.binary(gorgonia.HadamardProd, firing, mask)
	// open is zero for samples that use all rules, and then disables the mask.
	open := b.stretch(b.above(b.reshape(b.sum(kept, 1), B, 1), least), firing, 1)
	one := b.constant(1)
	dropped := b.binary(gorgonia.Sub, one, mask)
	lifted := b.binary(gorgonia.Sub, one, b.binary(gorgonia.HadamardProd, open, dropped))
	return b.binary(gorgonia.HadamardProd, firing, lifted)
}

// LogDropRule returns firing levels [B,R] from their logarithms, relative to the largest
// kept one of each sample (a factor that normalisation cancels), and zero for dropped
// rules. The mask must keep at least one rule per sample.
func LogDropRule(b *Builder, logFiring, mask *gorgonia.Node) *gorgonia.Node {
	B := logFiring.Shape()[0]
	// The logarithm of a dropped rule is so negative that its exponential is zero.
	pushed := b.binary(gorgonia.Mul, b.binary(gorgonia.Sub, mask, b.constant(1)), b.constant(pushDown))
	kept := b.binary(gorgonia.Add, logFiring, pushed)
	top := b.reshape(b.do(func() (node, error) { return gorgonia.Max(kept, 1) }), B, 1)
	return b.unary(gorgonia.Exp, b.binary(gorgonia.Sub, kept, b.stretch(top, kept, 1)))
}

// pushDown is larger than the size of any relevant logarithm of a firing level.
const pushDown = 1e300

// RuleDropout returns the normalised firing levels [B,R] of the rules that the mask [B,R] keeps
// with probability keep, over keep, and zero for the others, without normalising again (A. B.
// Khalifa, H. Frigui, Multiple instance fuzzy inference neural networks, 2016). The mean over
// the masks is the levels themselves: to scale in training replaces to scale the predictions
// by keep afterwards.
func RuleDropout(b *Builder, levels, mask *gorgonia.Node, keep float64) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	return b.Mul(b.Const(1/keep), b.Mul(levels, mask)).(node)
}

// Normalise returns the normalised firing levels [B,R], the paper's equation (4), and
// covered [B,1]: one if the firing levels [B,R] of a sample sum to more than least, else
// zero. The normalised levels of an uncovered sample are zero.
func Normalise(b *Builder, firing *gorgonia.Node, least float64) (normalised, covered *gorgonia.Node) {
	B := firing.Shape()[0]
	sum := b.reshape(b.sum(firing, 1), B, 1)
	covered = b.above(sum, least)
	// Add one where the sum is (nearly) zero, to avoid division by zero.
	safe := b.binary(gorgonia.Add, sum, b.binary(gorgonia.Sub, b.constant(1), covered))
	level := b.binary(gorgonia.HadamardDiv, firing, b.stretch(safe, firing, 1))
	return b.binary(gorgonia.HadamardProd, level, b.stretch(covered, firing, 1)), covered
}

// Affine returns gamma x + beta, feature by feature, [B,M], from x [B,M] and gamma and beta
// [1,M].
func Affine(b *Builder, x, gamma, beta *gorgonia.Node) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	scaled := b.Mul(x, b.stretch(gamma, x, 0))
	return b.Add(scaled, b.stretch(beta, x, 0)).(node)
}

// Consequent returns the rule outputs y_r(x_n), the paper's equation (1), as a
// node [B,R], from x [B,M], slopes [M,R] and biases [1,R] of one output.
func Consequent(b *Builder, x, slopes, biases *gorgonia.Node) *gorgonia.Node {
	linear := b.binary(gorgonia.Mul, x, slopes)
	return b.binary(gorgonia.Add, linear, b.stretch(biases, linear, 0))
}

// OfOutput returns the part of output c of C in the rows of a parameter: of rows of all
// outputs, one output after the other.
func OfOutput(b *Builder, parameter *gorgonia.Node, c, C int) *gorgonia.Node {
	if C == 1 || b.err != nil {
		return parameter
	}
	rows, columns := parameter.Shape()[0]/C, parameter.Shape()[1]
	part := b.do(func() (node, error) { return gorgonia.Slice(parameter, gorgonia.S(c*rows, (c+1)*rows)) })
	return b.reshape(part, rows, columns) // a slice of one row is a vector
}

// Output returns the predictions y(x_n), the paper's equation (5), as a node
// [B,1]: the rule outputs [B,R] weighted by the normalised firing levels [B,R].
func Output(b *Builder, normalised, outputs *gorgonia.Node) *gorgonia.Node {
	B := outputs.Shape()[0]
	return b.reshape(b.sum(b.binary(gorgonia.HadamardProd, normalised, outputs), 1), B, 1)
}

// Columns returns the columns [B,1] as one matrix [B,C].
func Columns(b *Builder, columns []*gorgonia.Node) (all *gorgonia.Node) {
	if len(columns) == 1 {
		return columns[0]
	}
	for c, column := range columns {
		unit := make([]float64, len(columns))
		unit[c] = 1
		term := b.binary(gorgonia.Mul, column, constantMatrix(b, column, fmt.Sprintf("unit %d of %d", c+1, len(columns)), 1, unit))
		if all == nil {
			all = term
			continue
		}
		all = b.binary(gorgonia.Add, all, term)
	}
	return all
}
