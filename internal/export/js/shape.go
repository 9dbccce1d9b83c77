package js

import (
	"fmt"
	"strconv"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
)

// syntax writes formulas in JavaScript, a constant for each operation.
var syntax = export.Syntax{
	Let:    "const %s = %s;",
	Number: func(v float64) string { return "(" + strconv.FormatFloat(v, 'g', -1, 64) + ")" },
	Ops: map[export.Op]string{
		export.Min: "Math.min(%s, %s)", export.Max: "Math.max(%s, %s)", export.Exp: "Math.exp(%s)", export.Log: "Math.log(%s)", export.Sqrt: "Math.sqrt(%s)",
		export.Abs: "Math.abs(%s)", export.Relu: "Math.max(%s, 0)", export.Tanh: "Math.tanh(%s)", export.Cos: "Math.cos(%s)",
		export.Sigmoid: "(%[1]s < 0 ? Math.exp(%[1]s) : 1) / (1 + Math.exp(-Math.abs(%[1]s)))", // accurate on both sides of zero
	},
}

// shape returns the formulas of a member as a JavaScript object: grade, a function of x and the
// parameters p; log, its logarithm, or null if firing levels are not logarithms; join, the t-norm
// of two grades, and joinLogs, of logarithms; and weight, the logarithm of the weight of a rule
// by that of its firing level, or null if they are equal.
func shape(m *export.Member) string {
	grade, join, log, joinLogs, weight := m.Grade, m.Join, "null", "null", "null"
	if m.LogSpace {
		log, joinLogs = gradeScript(m.Grade), script(m.Join, "(x, y)", "x", "y")
		grade = export.Record(1+m.Parameters, func(b membership.Builder, a []membership.Term) membership.Term { return m.Shape.Expr(b, a[0], a[1:]) })
		join = export.Record(2, func(b membership.Builder, a []membership.Term) membership.Term { return tnorm(m).Expr(b, a[0], a[1]) })
	}
	if m.Weight != nil {
		weight = script(m.Weight, "(z)", "z")
	}
	return fmt.Sprintf("{\n  grade: %s,\n  log: %s,\n  join: %s,\n  joinLogs: %s,\n  weight: %s,\n}", gradeScript(grade), log, script(join, "(x, y)", "x", "y"), joinLogs, weight)
}

// tnorm returns the t-norm of a member.
func tnorm(m *export.Member) inference.TNorm {
	norm, err := inference.LookupTNorm(m.TNorm)
	if err != nil {
		panic(err) // the form names a t-norm that is registered
	}
	return norm
}

// gradeScript returns a formula of x and the parameters p.
func gradeScript(p *export.Program) string {
	arguments := []string{"x"}
	for j := range p.Arguments - 1 {
		arguments = append(arguments, fmt.Sprintf("p[%d]", j))
	}
	return script(p, "(x, p)", arguments...)
}

// script returns a formula as a JavaScript function.
func script(p *export.Program, signature string, arguments ...string) string {
	lines, result := syntax.Body(p, arguments, "    ")
	return fmt.Sprintf("%s => {\n%s    return %s;\n  }", signature, lines, result)
}
