// Package membership holds the shapes of membership functions, one file per
// shape.
//
// A membership function mu(x; p) maps a feature value x to a grade in [0, 1].
// A shape is a type that implements [Function]: it names its parameters, places
// them from a centre and a spread, computes grades, and gives the same formula as
// an expression on terms ([Builder]), from which the autodiff engine builds its
// graph. Optional abilities are found by type assertion: [Gradients], [LogFunction], [LogGradients],
// [Projector], [Partitioner], [Between], [Bordered], [Kinked], [Piecewise].
//
// To add a shape, write one file: a type with its methods, and a call of
// [Register] in the file's init. The conformance test of this package then checks
// every property that the shape claims. Package membershiptest checks shapes of
// other modules.
//
// This package does not depend on graphs, rules or data.
//
// Methods do not check their arguments: slices of lengths that do not match and nil shapes panic, as an index of a slice out of range does.
package membership

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/base/rowterms"
)

// Function is a shape of membership function. Implementations hold no state
// and may be used by several goroutines.
//
// In all methods, p holds the parameters of one membership function, in the order of
// Params.
type Function interface {
	// Name is the name used in configurations and model files, e.g. "gaussian".
	Name() string

	// Params describes the parameters, in order.
	Params() []Param

	// Place returns parameters for a function around center with the given
	// spread (a standard deviation, > 0), in the order of Params.
	Place(center, spread float64) []float64

	// Grades writes mu(x[i]; p) to dst[i]. dst and x have the same length and
	// may be the same slice.
	Grades(dst, x, p []float64)

	// Expr returns mu(x; p) as an expression on terms of one common shape.
	Expr(b Builder, x Term, p []Term) Term
}

// Param describes one parameter of a shape.
type Param struct {
	Name    string // as in the paper, e.g. "sigma"
	Meaning string // description, e.g. "standard deviation"
	Kind    Kind
}

// Kind is what a parameter measures; it determines its domain and unit.
type Kind int

const (
	// Position is a value of the feature: any real number, in the feature's
	// unit.
	Position Kind = iota
	// Spread is a width, greater than zero, in the feature's unit. Training keeps
	// it at or above the spread floor of the rulebase.
	Spread
	// Slope is a steepness: any real number, in one over the feature's unit.
	Slope
	// Exponent is a dimensionless power of at least MinExponent.
	Exponent
	// Number is any other dimensionless number.
	Number
)

// MinExponent is the least value of a parameter of kind [Exponent].
const MinExponent = 0.5

// Least returns the least value of a parameter of this kind in a rulebase with
// the given spread floor; minus infinity if every real number is allowed.
func (k Kind) Least(spreadFloor float64) float64 {
	switch k {
	case Spread:
		return spreadFloor
	case Exponent:
		return MinExponent
	}
	return math.Inf(-1)
}

// Gradients is implemented by shapes that have a closed-form derivative.
type Gradients interface {
	// Gradients writes the derivative of mu(x[i]; p) with respect to p[j] to
	// dst[j][i]; zero at a kink, where there is no derivative.
	Gradients(dst [][]float64, x, p []float64)
}

// LogFunction is implemented by shapes that are positive everywhere. Their
// firing levels are computed as sums of log grades, so that a product over many
// features cannot underflow.
type LogFunction interface {
	// LogGrades writes log mu(x[i]; p) to dst[i]. dst and x have the same length
	// and may be the same slice.
	LogGrades(dst, x, p []float64)

	// LogExpr is Expr for log mu.
	LogExpr(b Builder, x Term, p []Term) Term
}

// LogGradients is implemented by shapes with [LogFunction] that have a closed form
// for the derivative of log mu. Dividing [Gradients] by the grade does not do, as the
// grade may underflow.
type LogGradients interface {
	// LogGradients writes the derivative of log mu(x[i]; p) with respect to p[j]
	// to dst[j][i]. At a kink it is zero.
	LogGradients(dst [][]float64, x, p []float64)
}

// Projector is implemented by shapes whose parameters depend on one another.
type Projector interface {
	// Project moves parameters into the domain: p[j][i] is parameter j of
	// function i. Parameters within the domain are left as they are, to the
	// bit, so that projecting twice changes nothing.
	Project(p [][]float64)
}

// Partitioner is implemented by shapes that partition a range otherwise than with
// [Function].Place at its ends.
type Partitioner interface {
	// Partition returns the parameters of n functions, from the lowest to the highest,
	// that divide the range from low to high; n is at least two, low < high.
	Partition(low, high float64, n int) [][]float64
}

// Between is implemented by shapes that can cover an interval, bounded or open.
type Between interface {
	// Between returns the parameters of a function that is near one within the interval
	// from low to high and near zero far outside: each flank has the grade 1/2 at its
	// border, where it is as steep as a Gaussian with this spread at grade 1/2. In an
	// interval narrower than four spreads flanks may be steeper. An infinite border is
	// open: the grade does not fall on this side, and training keeps it so. low < high;
	// spread > 0.
	Between(low, high, spread float64) []float64
}

// Bordered is implemented by shapes each of whose flanks has parameters of its own. With
// equal parameters, the upper flank of one function and the lower flank of another add
// up to one, so that rules on both sides of a border can share them.
type Bordered interface {
	Between

	// Borders returns the parameters of the lower and of the upper flank, as indices of
	// Params: lower[i] corresponds to upper[i]. Those that Between returns for a border
	// depend only on this border and the spread.
	Borders() (lower, upper []int)
}

// Kinked is implemented by shapes that are not differentiable everywhere.
type Kinked interface {
	// Kinks returns the values of x at which mu(x; p) has no derivative, or a
	// derivative that changes too fast for finite differences.
	Kinks(p []float64) []float64
}

// Piecewise is implemented by shapes that cannot locate their kinks but can identify the
// smooth piece of mu that contains a point, as shapes from a formula do.
type Piecewise interface {
	// Piece identifies the smooth piece of mu at (x, p). Moving x or p crosses no
	// kink while the result does not change.
	Piece(x float64, p []float64) string
}

var shapes = registry.New[Function]("membership", "shape")

// Register registers a shape under its name. Call it in the init function of the shape's
// file; it panics if the name is already registered.
func Register(f Function) { shapes.Register(f) }

// Lookup returns the shape registered under name.
func Lookup(name string) (Function, error) { return shapes.Lookup(name) }

// Placed returns an error unless Place of f returns the parameters that Params describes, at least one.
func Placed(f Function) error {
	if params, placed := len(f.Params()), len(f.Place(0, 1)); params == 0 || placed != params {
		return fmt.Errorf("membership: %s: Params describes %d parameters, Place returns %d", f.Name(), params, placed)
	}
	return nil
}

// Restorable returns an error unless a file can hold f: its formula, see [AsFormula], or its
// name, if f equals the shape that is registered under it.
func Restorable(f Function) error {
	if _, written := AsFormula(f); written {
		return nil
	}
	return shapes.Same(f)
}

// Names returns the names of all shapes, sorted.
func Names() []string { return shapes.Names() }

// Term is a value in an expression, such as a number or a node of a graph. Its type
// depends on the [Builder].
type Term = any

// Builder does arithmetic on terms. All operations are elementwise. A shape
// gives its formula in terms of this interface; package layers builds graph nodes from
// it, [Evaluate] a number.
//
// Of two equal arguments, Min and Max pass the derivative to the second; Abs and
// Relu have the derivative zero at zero.
type Builder interface {
	Const(v float64) Term

	Add(a, b Term) Term
	Sub(a, b Term) Term
	Mul(a, b Term) Term
	Div(a, b Term) Term
	Min(a, b Term) Term
	Max(a, b Term) Term

	Neg(a Term) Term
	Square(a Term) Term
	Exp(a Term) Term
	Log(a Term) Term
	Sqrt(a Term) Term
	Abs(a Term) Term
	Relu(a Term) Term // max(a, 0)
	Tanh(a Term) Term
	Sigmoid(a Term) Term // 1/(1+exp(-a))
	Cos(a Term) Term
}

// Evaluate returns the value at x of f's expression, Function.Expr, which equals that of
// Grades up to rounding.
func Evaluate(f Function, x float64, p []float64) float64 {
	return rowterms.Sum(f.Expr(rowterms.Builder{}, rowterms.Number(x), rowterms.Numbers(p)))
}

// EvaluateLog is Evaluate for LogFunction.LogExpr.
func EvaluateLog(f LogFunction, x float64, p []float64) float64 {
	return rowterms.Sum(f.LogExpr(rowterms.Builder{}, rowterms.Number(x), rowterms.Numbers(p)))
}

// far is the distance from zero, in scaled units, of an open border: the flank there is
// one to the bit for all samples, and its gradients are zero.
const far = 1e200

// IsOpen reports whether a parameter with this value, in scaled units, is the position of an
// open border, see [Between].
func IsOpen(p Param, v float64) bool { return p.Kind == Position && math.Abs(v) >= far/2 }

// flankSpread returns the spread of the flanks of a function from low to high: spread, or
// less if the interval is narrower than a Gaussian with this spread at grade 1/2.
func flankSpread(low, high, spread float64) float64 {
	return min(spread, (high-low)/(2*halfWidth))
}
