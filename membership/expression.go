package membership

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Term is a value in an expression, such as a number or a node of a graph. Its type
// depends on the [Builder].
type Term any

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
	return f.Expr(numbers{}, x, terms(p)).(float64)
}

// EvaluateLog is Evaluate for LogFunction.LogExpr.
func EvaluateLog(f LogFunction, x float64, p []float64) float64 {
	return f.LogExpr(numbers{}, x, terms(p)).(float64)
}

func terms(p []float64) []Term {
	t := make([]Term, len(p))
	for i, v := range p {
		t[i] = v
	}
	return t
}

// numbers is the Builder whose terms are of type float64.
type numbers struct{}

func (numbers) Const(v float64) Term { return v }
func (numbers) Add(a, b Term) Term   { return a.(float64) + b.(float64) }
func (numbers) Sub(a, b Term) Term   { return a.(float64) - b.(float64) }
func (numbers) Mul(a, b Term) Term   { return a.(float64) * b.(float64) }
func (numbers) Div(a, b Term) Term   { return a.(float64) / b.(float64) }
func (numbers) Min(a, b Term) Term   { return math.Min(a.(float64), b.(float64)) }
func (numbers) Max(a, b Term) Term   { return math.Max(a.(float64), b.(float64)) }
func (numbers) Neg(a Term) Term      { return -a.(float64) }
func (numbers) Square(a Term) Term   { return a.(float64) * a.(float64) }
func (numbers) Exp(a Term) Term      { return numeric.Exp(a.(float64)) }
func (numbers) Log(a Term) Term      { return math.Log(a.(float64)) }
func (numbers) Sqrt(a Term) Term     { return math.Sqrt(a.(float64)) }
func (numbers) Abs(a Term) Term      { return math.Abs(a.(float64)) }
func (numbers) Relu(a Term) Term     { return math.Max(a.(float64), 0) }
func (numbers) Tanh(a Term) Term     { return numeric.Tanh(a.(float64)) }
func (numbers) Sigmoid(a Term) Term  { return sigmoid(a.(float64)) }
func (numbers) Cos(a Term) Term      { return numeric.Cos(a.(float64)) }
