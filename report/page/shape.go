package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// shapeScript returns a shape as a JavaScript object: grade, a function of x and the
// parameters p, and log, its logarithm, where the shape has one.
func shapeScript(f membership.Function) string {
	grade := functionScript(f, f.Expr)
	log := "null"
	if l, ok := f.(membership.LogFunction); ok {
		log = functionScript(f, l.LogExpr)
	}
	return fmt.Sprintf("{\n  grade: %s,\n  log: %s,\n}", grade, log)
}

func functionScript(f membership.Function, formula func(membership.Builder, membership.Term, []membership.Term) membership.Term) string {
	b := &script{}
	var p []membership.Term
	for j := range f.Params() {
		p = append(p, fmt.Sprintf("p[%d]", j))
	}
	value := formula(b, "x", p)
	return fmt.Sprintf("(x, p) => {\n%s    return %s;\n  }", b.lines.String(), value)
}

// script is the membership.Builder that writes JavaScript: a constant for each
// operation. Terms are names and numbers, as strings; no text of a user is among
// them.
type script struct {
	lines strings.Builder
	count int
}

func (s *script) let(format string, a ...any) membership.Term {
	name := "t" + strconv.Itoa(s.count)
	s.count++
	fmt.Fprintf(&s.lines, "    const %s = %s;\n", name, fmt.Sprintf(format, a...))
	return name
}

func (s *script) Const(v float64) membership.Term {
	return "(" + strconv.FormatFloat(v, 'g', -1, 64) + ")"
}

func (s *script) Add(a, b membership.Term) membership.Term { return s.let("%s + %s", a, b) }
func (s *script) Sub(a, b membership.Term) membership.Term { return s.let("%s - %s", a, b) }
func (s *script) Mul(a, b membership.Term) membership.Term { return s.let("%s * %s", a, b) }
func (s *script) Div(a, b membership.Term) membership.Term { return s.let("%s / %s", a, b) }
func (s *script) Min(a, b membership.Term) membership.Term { return s.let("Math.min(%s, %s)", a, b) }
func (s *script) Max(a, b membership.Term) membership.Term { return s.let("Math.max(%s, %s)", a, b) }
func (s *script) Neg(a membership.Term) membership.Term    { return s.let("-%s", a) }
func (s *script) Square(a membership.Term) membership.Term { return s.let("%s * %s", a, a) }
func (s *script) Exp(a membership.Term) membership.Term    { return s.let("Math.exp(%s)", a) }
func (s *script) Log(a membership.Term) membership.Term    { return s.let("Math.log(%s)", a) }
func (s *script) Sqrt(a membership.Term) membership.Term   { return s.let("Math.sqrt(%s)", a) }
func (s *script) Abs(a membership.Term) membership.Term    { return s.let("Math.abs(%s)", a) }
func (s *script) Relu(a membership.Term) membership.Term   { return s.let("Math.max(%s, 0)", a) }
func (s *script) Tanh(a membership.Term) membership.Term   { return s.let("Math.tanh(%s)", a) }
func (s *script) Cos(a membership.Term) membership.Term    { return s.let("Math.cos(%s)", a) }

// Sigmoid is precise on both sides of zero.
func (s *script) Sigmoid(a membership.Term) membership.Term {
	e := s.let("Math.exp(-Math.abs(%s))", a)
	return s.let("(%s < 0 ? %s : 1) / (1 + %s)", a, e, e)
}
