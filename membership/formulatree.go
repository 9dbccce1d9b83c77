package membership

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// tree is a parsed expression.
type tree struct {
	op    string // number, variable, an operator, or a function
	args  []*tree
	value float64 // of a number
	index int     // of a variable; the exponent of a whole power, for op "^n"

	compute *operation // that of op, if it is in operations
}

// operation evaluates an operator or function on numbers and on terms.
type operation struct {
	arity int
	eval  func(a, b float64) float64
	build func(bd Builder, a, b Term) Term
}

// operations are the operators and functions of a tree, besides whole powers.
var operations = map[string]*operation{
	"+":   {2, func(a, b float64) float64 { return a + b }, Builder.Add},
	"-":   {2, func(a, b float64) float64 { return a - b }, Builder.Sub},
	"*":   {2, func(a, b float64) float64 { return a * b }, Builder.Mul},
	"/":   {2, func(a, b float64) float64 { return a / b }, Builder.Div},
	"min": {2, math.Min, Builder.Min},
	"max": {2, math.Max, Builder.Max},
	// A power that is not whole is exp(b log a), for a > 0.
	"^": {2, func(a, b float64) float64 { return numeric.Exp(b * math.Log(a)) }, func(bd Builder, a, b Term) Term {
		return bd.Exp(bd.Mul(b, bd.Log(a)))
	}},
	"neg":     one(func(a float64) float64 { return -a }, Builder.Neg),
	"exp":     one(numeric.Exp, Builder.Exp),
	"log":     one(math.Log, Builder.Log),
	"sqrt":    one(math.Sqrt, Builder.Sqrt),
	"abs":     one(math.Abs, Builder.Abs),
	"tanh":    one(numeric.Tanh, Builder.Tanh),
	"sigmoid": one(sigmoid, Builder.Sigmoid),
	"cos":     one(numeric.Cos, Builder.Cos),
	"relu":    one(func(a float64) float64 { return math.Max(a, 0) }, Builder.Relu),
}

func one(eval func(float64) float64, build func(Builder, Term) Term) *operation {
	return &operation{1,
		func(a, _ float64) float64 { return eval(a) },
		func(bd Builder, a, _ Term) Term { return build(bd, a) },
	}
}

// eval evaluates the tree for values of the variables.
func (t *tree) eval(vars []float64) float64 {
	switch {
	case t.compute != nil && len(t.args) == 2:
		return t.compute.eval(t.args[0].eval(vars), t.args[1].eval(vars))
	case t.compute != nil:
		return t.compute.eval(t.args[0].eval(vars), 0)
	case t.op == "variable":
		return vars[t.index]
	case t.op == "^n":
		return wholePower(t.args[0].eval(vars), t.index)
	}
	return t.value
}

// build builds the expression from the terms of the variables.
func (t *tree) build(bd Builder, vars []Term) Term {
	switch t.op {
	case "number":
		return bd.Const(t.value)
	case "variable":
		return vars[t.index]
	case "^n":
		return buildWholePower(bd, t.args[0].build(bd, vars), t.index)
	}
	a := t.args[0].build(bd, vars)
	var b Term
	if len(t.args) == 2 {
		b = t.args[1].build(bd, vars)
	}
	return operations[t.op].build(bd, a, b)
}

// wholePower returns a^n by repeated squaring, in the order of buildWholePower; n may be
// negative.
func wholePower(a float64, n int) float64 {
	if n < 0 {
		return 1 / wholePower(a, -n)
	}
	result := 1.0
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			result = float64(result * a)
		}
		a *= a
	}
	return result
}

func buildWholePower(bd Builder, a Term, n int) Term {
	if n < 0 {
		return bd.Div(bd.Const(1), buildWholePower(bd, a, -n))
	}
	var result Term
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			if result == nil {
				result = a
			} else {
				result = bd.Mul(result, a)
			}
		}
		if n > 1 {
			a = bd.Square(a)
		}
	}
	if result == nil {
		return bd.Const(1)
	}
	return result
}

// has reports whether f holds for the tree or one of its parts.
func (t *tree) has(f func(*tree) bool) bool {
	return f(t) || slices.ContainsFunc(t.args, func(a *tree) bool { return a.has(f) })
}

// uses reports whether a variable occurs in the tree.
func (t *tree) uses(variable int) bool {
	return t.has(func(t *tree) bool { return t.op == "variable" && t.index == variable })
}

// linear reports whether the tree is a sum of variables, numbers, and products of a
// variable and a number.
func (t *tree) linear() bool {
	constant := func(t *tree) bool { return !t.has(func(t *tree) bool { return t.op == "variable" }) }
	switch t.op {
	case "number", "variable":
		return true
	case "+", "-":
		return t.args[0].linear() && t.args[1].linear()
	case "neg":
		return t.args[0].linear()
	case "*":
		return t.args[0].linear() && t.args[1].linear() && (constant(t.args[0]) || constant(t.args[1]))
	case "/":
		return t.args[0].linear() && constant(t.args[1])
	}
	return false
}

// sides appends, for every abs, relu, min and max in the tree, the side of its kink on
// which the values of the variables lie: +, - or 0.
func (t *tree) sides(to []byte, vars []float64) []byte {
	for _, a := range t.args {
		to = a.sides(to, vars)
	}
	var d float64
	switch t.op {
	case "abs", "relu":
		d = t.args[0].eval(vars)
	case "min", "max":
		d = t.args[0].eval(vars) - t.args[1].eval(vars)
	default:
		return to
	}
	switch {
	case d > 0:
		return append(to, '+')
	case d < 0:
		return append(to, '-')
	}
	return append(to, '0')
}
