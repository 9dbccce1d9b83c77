// Package penalty holds the penalties that the loss may have besides the errors, one
// file each.
//
// A penalty P(v) is a function of a matrix v [n,R] with a column for every rule: of the
// slopes of the consequents [M,R] ([OnSlopes]), or of the normalised firing levels of
// the samples of a mini-batch [B,R] ([OnLevels]). It is a type that implements
// [Penalty]: value, gradient, and the value once more as an expression on terms, from
// which the autodiff engine makes its graph. Matrices lie row by row in one slice.
// Biases are free of penalties.
//
// To add a penalty, write one file as uniform.go is written: a type with its methods,
// and a call of [Register] in the file's init. The conformance test of this package and
// package verify find it there. A penalty that implements [Kernel] is faster in the
// fused engine.
package penalty

import (
	"github.com/tskgraph/tskgraph/internal/registry"
	"github.com/tskgraph/tskgraph/membership"
)

// Penalty is a penalty. Implementations hold no state that changes and may be used by
// several goroutines.
type Penalty interface {
	// Name is the name of the penalty, such as "uniform".
	Name() string

	// Of says which matrix v is.
	Of() Part

	// Weight returns the factor of the penalty, at least 0. A penalty of weight 0 has
	// no part in the loss.
	Weight() float64

	// Value returns P(v), at least 0, of v [n,R]. On levels it is smooth inside their
	// domain.
	Value(v []float64, R int) float64

	// Gradient writes dP/dv [n,R] to dst. At a kink, where there is none, it is zero or
	// one of the derivatives on either side.
	Gradient(dst, v []float64, R int)

	// Expr returns P(v), a scalar, as an expression on the term v [n,R].
	Expr(b Builder, v Term, R int) Term

	// Mutant returns the penalty with a mistake in Expr, and says what is wrong. Package
	// verify must catch it.
	Mutant() (wrong string, p Penalty)
}

// Part is a part of a model that penalties are of.
type Part int

const (
	// OnSlopes is the slopes of the consequents, [M,R].
	OnSlopes Part = iota
	// OnLevels is the normalised firing levels with DropRule's masks, [B,R]. The row of
	// a sample that no rule covers is zero. Sample weights do not count.
	OnLevels
)

// Kernel is implemented by penalties that compute value and gradient in one pass.
type Kernel interface {
	// Kernel returns P(v) and the gradient as a product, dP/dv = factor direction.
	// memory has the length of v; direction is a part of it, or v itself. On levels,
	// direction may be one row, [R], that stands for all rows being equal. Nothing is
	// allocated.
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

// Builder does arithmetic on terms.
type Builder interface {
	membership.Builder

	// Sum returns the sum of all elements, a scalar.
	Sum(v Term) Term

	// RowMeans returns the mean of every row of v [n,R], repeated along the row: [n,R].
	RowMeans(v Term) Term

	// ColumnMeans returns the mean of every column of v [n,R]: [1,R].
	ColumnMeans(v Term) Term
}

var known = registry.New[Penalty]("penalty", "penalty")

// Register makes a penalty known by its name, with a weight as it is used in practice.
// It is called in the init function of the penalty's file and panics if the name is
// taken.
func Register(p Penalty) { known.Register(p) }

// All returns all registered penalties, sorted by name.
func All() []Penalty { return known.All() }

// Of returns the penalties of a part whose weights are not zero.
func Of(part Part, all []Penalty) []Penalty {
	var ps []Penalty
	for _, p := range all {
		if p.Of() == part && p.Weight() != 0 {
			ps = append(ps, p)
		}
	}
	return ps
}
