// Package inference provides the two choices that turn the grades of a rule's antecedent
// into its normalised firing level, one file each.
//
// A [TNorm] joins the grades mu_{r,m} of a rule to its firing level, the AND of the rule:
//
//	f_r = T(mu_{r,1}, ..., mu_{r,M})
//
// A [Defuzzification] gives the rule a weight, a function of the firing level; weights are
// normalised over the rules, and the prediction is the mean of the rule outputs by them:
//
//	fbar_r = w(f_r) / sum_i w(f_i)
//
// The paper's choices are [Product], its equation (2), and [TSK], its equation (4). To add a
// t-norm or a defuzzification, write one file like minimum.go or htsk.go: a type with its
// methods, and a registration in an init function. Package inferencetest tests it, here and in
// other modules; package verify tests all that are registered.
//
// Methods do not check their arguments: slices of lengths that do not match and nil t-norms and defuzzifications panic, as
// an index of a slice out of range does.
package inference

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/membership"
)

// TNorm is a triangular norm: a function T of two grades that is associative, commutative
// and increasing, with T(mu, 1) = mu, so that T of M grades is defined and a function of
// grade one everywhere does not matter. Implementations hold no state.
type TNorm interface {
	// Name is the name in configurations and model files, such as "minimum".
	Name() string

	// Meaning describes the firing levels of rules for readers: "the product of their grades".
	Meaning() string

	// Join writes T(f[i], mu[i]) to f[i].
	Join(f, mu []float64)

	// Gradient writes the derivatives of T(mu_1, ..., mu_M) by each of the grades mu [M] to
	// dst [M]; at a kink, those of one of the pieces.
	Gradient(dst, mu []float64)

	// Piece identifies the smooth piece of T that contains the grades mu [M].
	Piece(mu []float64) int

	// Expr returns T(x, y) as an expression on terms of one common shape.
	Expr(b membership.Builder, x, y membership.Term) membership.Term
}

// LogTNorm is implemented by t-norms that can be computed from logarithms of grades, without
// underflow. Firing levels of shapes with [membership.LogFunction] are then logarithms.
type LogTNorm interface {
	TNorm

	// JoinLogs writes log T(e^f[i], e^mu[i]) to f[i].
	JoinLogs(f, mu []float64)

	// LogGradient writes the derivatives of log T by the logarithms mu [M] to dst [M].
	LogGradient(dst, mu []float64)

	// LogExpr is Expr for logarithms.
	LogExpr(b membership.Builder, x, y membership.Term) membership.Term
}

// Defuzzification gives a rule a weight, as a function of the logarithm z of its firing level
// and of the number M of features of the rulebase. Features whose membership function is one
// everywhere count, so that all rules have the same M. Implementations hold no state.
type Defuzzification interface {
	// Name is the name in configurations and model files, such as "htsk".
	Name() string

	// Meaning describes the weight for readers of the rules, given the meaning of the firing
	// level.
	Meaning(firing string, M int) string

	// LogWeight returns log w, for z of minus infinity minus infinity.
	LogWeight(z float64, M int) float64

	// Gradient returns d log w/dz, for z of minus infinity a finite value.
	Gradient(z float64, M int) float64

	// Expr returns log w as an expression of a term z.
	Expr(b membership.Builder, z membership.Term, M int) membership.Term
}

var (
	norms            = registry.New[TNorm]("inference", "t-norm")
	defuzzifications = registry.New[Defuzzification]("inference", "defuzzification")
)

// RegisterTNorm registers a t-norm by its name, in the init function of its file. It panics
// if the name is registered already.
func RegisterTNorm(t TNorm) { norms.Register(t) }

// RegisterDefuzzification is RegisterTNorm for a defuzzification.
func RegisterDefuzzification(d Defuzzification) { defuzzifications.Register(d) }

// LookupTNorm returns the t-norm registered under name.
func LookupTNorm(name string) (TNorm, error) { return norms.Lookup(name) }

// LookupDefuzzification returns the defuzzification registered under name.
func LookupDefuzzification(name string) (Defuzzification, error) {
	return defuzzifications.Lookup(name)
}

// Restorable returns an error unless a file can hold a t-norm (nil: the product) and a
// defuzzification (nil: TSK) by their names: each equals the one that is registered.
func Restorable(t TNorm, d Defuzzification) error {
	if err := norms.Same(OrProduct(t)); err != nil {
		return err
	}
	return defuzzifications.Same(OrTSK(d))
}

// TNorms returns all t-norms, sorted by name.
func TNorms() []TNorm { return norms.All() }

// Defuzzifications returns all defuzzifications, sorted by name.
func Defuzzifications() []Defuzzification { return defuzzifications.All() }

// OrProduct returns t, or the product for nil.
func OrProduct(t TNorm) TNorm {
	if t == nil {
		return Product{}
	}
	return t
}

// OrTSK returns d, or TSK for nil.
func OrTSK(d Defuzzification) Defuzzification {
	if d == nil {
		return TSK{}
	}
	return d
}

// LeastFiring is the firing level below which a rule has the weight zero, except with [TSK]:
// the smallest normal number, whose reciprocal is finite.
const LeastFiring = 0x1p-1022

// Weigh replaces the firing levels f, or their logarithms if logs, of a rulebase with M
// features by weights, or their logarithms. The levels of [TSK] are unchanged.
func Weigh(d Defuzzification, f []float64, M int, logs bool) {
	switch {
	case d == (TSK{}):
	case d == (HTSK{}) && logs: // training spends a tenth of its time here without this case
		m := float64(M)
		for i := range f {
			f[i] /= m
		}
	default:
		for i, v := range f {
			f[i] = weight(d, v, M, logs)
		}
	}
}

func weight(d Defuzzification, f float64, M int, logs bool) float64 {
	switch {
	case logs:
		return d.LogWeight(f, M)
	case f < LeastFiring:
		return 0
	}
	return numeric.Exp(d.LogWeight(math.Log(f), M))
}

// WeightGradient returns dw/df, or d log w/d log f if logs, for a firing level f, or its
// logarithm if logs.
func WeightGradient(d Defuzzification, f float64, M int, logs bool) float64 {
	switch {
	case logs:
		return d.Gradient(f, M)
	case d == (TSK{}):
		return 1
	case f < LeastFiring:
		return 0
	}
	z := math.Log(f)
	return numeric.Exp(d.LogWeight(z, M)) * d.Gradient(z, M) / f
}
