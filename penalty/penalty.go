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
// methods, and a call of [Register] in an init function with its weight, which becomes a key of config.yaml. The conformance
// test of this package and package verify test all registered penalties. The fused engine is faster
// with a penalty that implements [Kernel] or [SamplesKernel].
//
// Methods do not check their arguments: slices of lengths that do not match and nil penalties panic, as an index of a slice out of range
// does.
package penalty

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/interval"
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

// Param is a weight of a penalty, and the key train.NAME of config.yaml: its name, meaning, limits, default, and how to set it.
type Param = registry.Param[Penalty]

// Values are weights of penalties by name. A weight that is absent has its default.
type Values = registry.Values

var known = registry.NewParametric[Penalty]("penalty", "penalty")

// Register registers a penalty, with typical weights, by its name, and the weights that training sets, in the init function
// of the penalty's file. It panics if the name of the penalty or of a weight is registered already.
func Register(p Penalty, weights ...Param) { known.Register(p, weights...) }

// Params returns the weights of all penalties, in the order of the penalties' names.
func Params() []Param { return known.Params() }

// All returns all registered penalties with their typical weights, sorted by name.
func All() []Penalty { return known.All() }

// With returns the penalties that have weights to set, with their values.
func With(v Values) []Penalty {
	var all []Penalty
	for _, weight := range Params() {
		if slices.ContainsFunc(all, func(p Penalty) bool { return p.Name() == weight.Of }) {
			continue
		}
		p, _ := known.With(weight.Of, v) // a registered name
		all = append(all, p)
	}
	return all
}

// weight returns a Param of at least 0 of name, which set sets.
func weight(name string, preset float64, doc string, set func(p Penalty, v float64) Penalty) Param {
	return Param{Name: name, Doc: doc, Limits: interval.From(0), Default: []float64{preset},
		Set: func(p Penalty, v []float64) Penalty { return set(p, v[0]) }}
}

// ForLoss is implemented by penalties whose form depends on the loss.
type ForLoss interface {
	// For returns the penalty for a loss.
	For(l loss.Loss) Penalty
}

// For returns penalties in their forms for a loss.
func For(l loss.Loss, all []Penalty) []Penalty {
	all = slices.Clone(all)
	for i, p := range all {
		if p, ok := p.(ForLoss); ok {
			all[i] = p.For(l)
		}
	}
	return all
}

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

// OfSamples is a penalty of what the rules say on each sample:
//
//	P = sum_n weight_n p(fbar(x_n), y(x_n), t_n)
//
// of the normalised firing levels, the rule outputs and, perhaps, the targets. It has the
// sample weights of the data part of the loss, so that its effect does not depend on
// whether the loss is a sum or a mean.
type OfSamples interface {
	Penalty

	// Value returns P, at least 0.
	Value(s Samples) float64

	// Gradient writes dP/dfbar [B,R], at levels that sum to one, and, for each output,
	// dP/dy [B,R].
	Gradient(byLevels []float64, byOutputs [][]float64, s Samples)

	// Expr returns terms [B,R], of which row n sums to p of sample n, as an expression on
	// terms.
	Expr(b Builder, s SampleTerms) Term
}

// Samples are the samples of a mini-batch as the R rules see them, with C outputs.
type Samples struct {
	R           int
	Levels      []float64   // [B,R], the normalised firing levels with DropRule's masks; zero for an uncovered sample
	Outputs     [][]float64 // [C], [B,R] each: y_r(x_n)
	Predictions [][]float64 // [C], [B] each: sum_r fbar_r y_r
	Target      []float64   // [B,C]
	Weight      []float64   // [B], the weights in the loss; zero for an uncovered sample
}

// SampleTerms are [Samples] as terms.
type SampleTerms struct {
	R       int
	Levels  Term   // [B,R]
	Outputs []Term // [C], [B,R] each
	Targets []Term // [C], [B,R] each: the targets of an output, repeated along the rows
}

// levels returns the levels of sample n, [R].
func (s Samples) levels(n int) []float64 { return s.Levels[n*s.R : (n+1)*s.R] }

// target returns the targets of sample n, [C].
func (s Samples) target(n int) []float64 {
	C := len(s.Outputs)
	return s.Target[n*C : (n+1)*C]
}

// rule writes the outputs of rule r on sample n to dst [C].
func (s Samples) rule(dst []float64, n, r int) {
	for c, outputs := range s.Outputs {
		dst[c] = outputs[n*s.R+r]
	}
}

// predict writes sum_r fbar_r y_r of all outputs to dst [C].
func (s Samples) predict(dst []float64, n int) {
	for c, outputs := range s.Outputs {
		dst[c] = prediction(s.levels(n), outputs[n*s.R:(n+1)*s.R])
	}
}

// predicted writes the predictions on sample n to dst [C].
func (s Samples) predicted(dst []float64, n int) {
	for c, y := range s.Predictions {
		dst[c] = y[n]
	}
}

// prediction returns sum_r fbar_r y_r of one output, repeated along the rows.
func (s SampleTerms) prediction(b Builder, outputs Term) Term {
	return b.Mul(b.Const(float64(s.R)), b.RowMeans(b.Mul(s.Levels, outputs)))
}

// prediction returns sum_r fbar_r y_r of one output.
func prediction(levels, outputs []float64) float64 {
	y := 0.0
	for r, f := range levels {
		y += float64(f * outputs[r])
	}
	return y
}

// SamplesKernel is implemented by penalties of samples that compute in place. The methods
// do not allocate.
type SamplesKernel interface {
	// Memory returns the length of the memory for B samples of R rules with C outputs.
	Memory(B, R, C int) int

	// Forward returns P. It may store in memory what Backward needs.
	Forward(memory []float64, s Samples) float64

	// Backward adds dP/dy to byOutputs, [B,R] for each output, and scale factor_r (u_r -
	// sum_i fbar_i u_i), with u = dP/dfbar, to byFiring [B,R]; factor is [B,R], scale is [B].
	Backward(byFiring []float64, byOutputs [][]float64, memory, factor, scale []float64, s Samples)
}

// OnSamples returns the penalties of samples with nonzero weights.
func OnSamples(all []Penalty) []OfSamples {
	return nonzero(all, func(OfSamples) bool { return true })
}
