package export

import (
	"fmt"
	"strings"
)

// Syntax is how a language writes the steps of a [Program].
type Syntax struct {
	Let    string               // a line that names a value: "const double %s = %s;"
	Number func(float64) string // a constant, in parentheses if it is negative

	// Ops overrides how operations are written, with verbs for the operands in order:
	// "fmin(%s, %s)". By default they are infix operators, and calls of the lower-case name such
	// as "exp(%s)" and "min(%s, %s)".
	Ops map[Op]string
}

var operators = map[Op]string{
	Add: "%s + %s", Sub: "%s - %s", Mul: "%s * %s", Div: "%s / %s", Neg: "-%s", Square: "%[1]s * %[1]s",
	Min: "min(%s, %s)", Max: "max(%s, %s)", Exp: "exp(%s)", Log: "log(%s)", Sqrt: "sqrt(%s)", Abs: "abs(%s)",
	Relu: "relu(%s)", Tanh: "tanh(%s)", Cos: "cos(%s)", Sigmoid: "sigmoid(%s)",
}

// Body returns the lines that compute a program of arguments of the given names, each indented,
// and the name of the result.
func (s Syntax) Body(p *Program, arguments []string, indent string) (lines, result string) {
	var b strings.Builder
	names := append([]string(nil), arguments...)
	for i, step := range p.Steps {
		if step.Op == Const {
			names = append(names, s.Number(step.Value))
			continue
		}
		format, ok := s.Ops[step.Op]
		if !ok {
			format = operators[step.Op]
		}
		operands := []any{names[step.X]}
		if step.Op.binary() {
			operands = append(operands, names[step.Y])
		}
		name := fmt.Sprintf("t%d", i)
		b.WriteString(indent)
		fmt.Fprintf(&b, s.Let, name, fmt.Sprintf(format, operands...))
		b.WriteByte('\n')
		names = append(names, name)
	}
	return b.String(), names[p.Result]
}

// binary reports whether an operation has two operands.
func (op Op) binary() bool {
	switch op {
	case Add, Sub, Mul, Div, Min, Max:
		return true
	}
	return false
}
