package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// shapeScript returns the functions of a rulebase as a JavaScript object: grade, a function of x
// and the parameters p; log, its logarithm, or null if firing levels are not logarithms; join,
// the t-norm of two grades, and joinLogs, of logarithms; and weight, the logarithm of the weight
// of a rule by that of its firing level, or null if they are equal.
func shapeScript(rb *rules.RuleBase) string {
	f, norm, by := rb.Shape, inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	log, joinLogs, weight := "null", "null", "null"
	if rb.LogSpace() {
		log = functionScript(f, f.(membership.LogFunction).LogExpr)
		joinLogs = termsScript("x, y", func(b membership.Builder) membership.Term { return norm.(inference.LogTNorm).LogExpr(b, "x", "y") })
	}
	if by != (inference.TSK{}) {
		weight = termsScript("z", func(b membership.Builder) membership.Term { return by.Expr(b, "z", rb.Features()) })
	}
	join := termsScript("x, y", func(b membership.Builder) membership.Term { return norm.Expr(b, "x", "y") })
	return fmt.Sprintf("{\n  grade: %s,\n  log: %s,\n  join: %s,\n  joinLogs: %s,\n  weight: %s,\n}", functionScript(f, f.Expr), log, join, joinLogs, weight)
}

// termsScript returns a formula as a JavaScript function.
func termsScript(arguments string, formula func(membership.Builder) membership.Term) string {
	b := &javascript{}
	value := formula(b)
	return fmt.Sprintf("(%s) => {\n%s    return %s;\n  }", arguments, b.lines.String(), value)
}

func functionScript(f membership.Function, formula func(membership.Builder, membership.Term, []membership.Term) membership.Term) string {
	var p []membership.Term
	for j := range f.Params() {
		p = append(p, fmt.Sprintf("p[%d]", j))
	}
	return termsScript("x, p", func(b membership.Builder) membership.Term { return formula(b, "x", p) })
}

// javascript is the membership.Builder that writes JavaScript, a constant for each operation.
// Terms are names and numbers as strings, never a user's text.
type javascript struct {
	lines strings.Builder
	count int
}

func (s *javascript) let(format string, a ...any) membership.Term {
	name := "t" + strconv.Itoa(s.count)
	s.count++
	fmt.Fprintf(&s.lines, "    const %s = %s;\n", name, fmt.Sprintf(format, a...))
	return name
}

func (s *javascript) Const(v float64) membership.Term {
	return "(" + strconv.FormatFloat(v, 'g', -1, 64) + ")"
}

func (s *javascript) Add(a, b membership.Term) membership.Term { return s.let("%s + %s", a, b) }
func (s *javascript) Sub(a, b membership.Term) membership.Term { return s.let("%s - %s", a, b) }
func (s *javascript) Mul(a, b membership.Term) membership.Term { return s.let("%s * %s", a, b) }
func (s *javascript) Div(a, b membership.Term) membership.Term { return s.let("%s / %s", a, b) }
func (s *javascript) Min(a, b membership.Term) membership.Term {
	return s.let("Math.min(%s, %s)", a, b)
}
func (s *javascript) Max(a, b membership.Term) membership.Term {
	return s.let("Math.max(%s, %s)", a, b)
}
func (s *javascript) Neg(a membership.Term) membership.Term    { return s.let("-%s", a) }
func (s *javascript) Square(a membership.Term) membership.Term { return s.let("%s * %s", a, a) }
func (s *javascript) Exp(a membership.Term) membership.Term    { return s.let("Math.exp(%s)", a) }
func (s *javascript) Log(a membership.Term) membership.Term    { return s.let("Math.log(%s)", a) }
func (s *javascript) Sqrt(a membership.Term) membership.Term   { return s.let("Math.sqrt(%s)", a) }
func (s *javascript) Abs(a membership.Term) membership.Term    { return s.let("Math.abs(%s)", a) }
func (s *javascript) Relu(a membership.Term) membership.Term   { return s.let("Math.max(%s, 0)", a) }
func (s *javascript) Tanh(a membership.Term) membership.Term   { return s.let("Math.tanh(%s)", a) }
func (s *javascript) Cos(a membership.Term) membership.Term    { return s.let("Math.cos(%s)", a) }

// Sigmoid is accurate on both sides of zero.
func (s *javascript) Sigmoid(a membership.Term) membership.Term {
	e := s.let("Math.exp(-Math.abs(%s))", a)
	return s.let("(%s < 0 ? %s : 1) / (1 + %s)", a, e, e)
}
