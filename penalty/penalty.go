// Package penalty provides the penalties that training adds to the loss, one file each.
//
// Most penalties are functions of a matrix with a column for every rule ([OfMatrix]): of
// the slopes of the consequents, of the values of their curves, or of the normalised firing levels of the samples of a
// mini-batch. Others are functions of the levels and the outputs of the rules on each
// sample ([OfSamples]), and weighted as the loss is. A penalty is a type with value,
// gradient, and the value as an expression on terms, from which the autodiff engine builds
// its graph. Matrices are row-major in one slice. Biases are not penalised.
//
// To add a penalty, write one file like uniform.go or agreement.go: a type with its
// methods, and a call of [Register] in an init function. The conformance test of this
// package and package verify test all registered penalties. The fused engine is faster
// with a penalty that implements [Kernel] or [SamplesKernel].
//
// Methods do not check their arguments: slices of lengths that do not match and nil penalties panic, as an index of a slice out of range
// does.
package penalty

import (
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// Penalty is a penalty function: an [OfMatrix] or an [OfSamples]. Implementations must be
// safe for concurrent use.
type Penalty interface {
	// Name is the name of the penalty, such as "uniform".
	Name() string

	// Weight returns the factor of the penalty, at least 0. A penalty of weight 0 is not
	// part of the loss.
	Weight() float64
}

// OfMatrix is a penalty P(v) of a matrix v [n,R].
type OfMatrix interface {
	Penalty

	// Of returns the part of the model that v is.
	Of() Part

	// Value returns P(v), at least 0, of v [n,R]. On levels it is smooth inside their
	// domain.
	Value(v []float64, R int) float64

	// Gradient writes dP/dv [n,R] to dst, at a kink zero or one of the one-sided
	// derivatives.
	Gradient(dst, v []float64, R int)

	// Expr returns P(v), a scalar, as an expression on the term v [n,R].
	Expr(b Builder, v Term, R int) Term
}

// Part is a part of a model that can be penalised.
type Part int

const (
	// OnSlopes is for the slopes of the consequents, [M,R].
	OnSlopes Part = iota
	// OnLevels is for the normalised firing levels with DropRule's masks, [B,R]. The row
	// of a sample that no rule covers is zero. Sample weights have no effect.
	OnLevels
	// OnCurves is for the values of the curves at their knots, [Q,R], or [Q,1] if all rules
	// share them.
	OnCurves
)

// Kernel is implemented by penalties of a matrix that compute value and gradient in one pass.
type Kernel interface {
	// Kernel returns P(v) and the gradient as a product, dP/dv = factor direction.
	// memory has the length of v; direction is a part of it, or v itself. On levels,
	// direction may be a single row, [R], if all rows are equal. Kernel does not allocate.
	Kernel(memory, v []float64, R int) (value, factor float64, direction []float64)
}

// Kinked is implemented by penalties of the slopes that are not smooth.
type Kinked interface {
	// Kinks returns the values of an element of v at which a derivative of any order
	// jumps.
	Kinks() []float64
}

// Term is a value in an expression, see [membership.Term].
type Term = membership.Term

// Builder builds expressions on terms.
type Builder interface {
	loss.Builder

	// Sum returns the sum of all elements, a scalar.
	Sum(v Term) Term

	// ColumnMeans returns the mean of every column of v [n,R]: [1,R].
	ColumnMeans(v Term) Term

	// Columns returns the elements of each of C terms [n,R] as a column: [n R,C].
	Columns(of []Term) Term

	// Rows returns the sums of the rows of v [n R,C] as rows of length R: [n,R].
	Rows(v Term, R int) Term
}

var known = registry.New[Penalty]("penalty", "penalty")

// Register registers a penalty, with a typical weight, by its name, in the init function
// of the penalty's file. It panics if the name is registered already.
func Register(p Penalty) { known.Register(p) }

// All returns all registered penalties, sorted by name.
func All() []Penalty { return known.All() }

// Of returns the penalties of a part with nonzero weights.
func Of(part Part, all []Penalty) []OfMatrix {
	return nonzero(all, func(p OfMatrix) bool { return p.Of() == part })
}

// nonzero returns the penalties of type P with nonzero weights for which is holds.
func nonzero[P Penalty](all []Penalty, is func(P) bool) []P {
	var ps []P
	for _, p := range all {
		if p, ok := p.(P); ok && p.Weight() != 0 && is(p) {
			ps = append(ps, p)
		}
	}
	return ps
}
