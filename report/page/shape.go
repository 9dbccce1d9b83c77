package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// shapeScript returns a shape as a JavaScript object: grade, a function of x and the parameters
// p, and log, its logarithm or null.
func shapeScript(f membership.Function) string {
	grade := functionScript(f, f.Expr)
	log := "null"
	if l, ok := f.(membership.LogFunction); ok {
		log = functionScript(f, l.LogExpr)
	}
	return fmt.Sprintf("{\n  grade: %s,\n  log: %s,\n}", grade, log)
}

func functionScript(f membership.Function, formula func(membership.Builder, membership.Term, []membership.Term) membership.Term) string {
	b := &javascript{}
	var p []membership.Term
	for j := range f.Params() {
		p = append(p, fmt.Sprintf("p[%d]", j))
	}
	value := formula(b, "x", p)
	return fmt.Sprintf("(x, p) => {\n%s    return %s;\n  }", b.lines.String(), value)
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
