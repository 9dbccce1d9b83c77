package xlsx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// operations are the formulas of operations on cells or numbers. Excel and LibreOffice report an
// error where a result is too large, so that exponents are limited, and that of zero is no logarithm.
var operations = map[export.Op]string{
	export.Add: "%s+%s", export.Sub: "%s-%s", export.Mul: "%s*%s", export.Div: "%s/%s",
	export.Min: "MIN(%s,%s)", export.Max: "MAX(%s,%s)", export.Neg: "0-%[1]s", export.Square: "%[1]s*%[1]s",
	export.Exp: "EXP(MIN(700,%[1]s))", export.Log: "IF(%[1]s>0,LN(%[1]s),-1E+300)", export.Sqrt: "SQRT(%[1]s)",
	export.Abs: "ABS(%[1]s)", export.Relu: "MAX(%[1]s,0)", export.Tanh: "TANH(%[1]s)", export.Cos: "COS(%[1]s)",
	export.Sigmoid: "IF(%[1]s<0,EXP(%[1]s)/(1+EXP(%[1]s)),1/(1+EXP(0-%[1]s)))",
}

// steps returns the formula of each step of a program, of cells of arguments and of steps, and the cell
// or number of the result.
func steps(p *export.Program, arguments []string, cell func(step int) string) (formulas []string, result string) {
	values := append([]string(nil), arguments...)
	for _, s := range p.Steps {
		if s.Op == export.Const {
			values = append(values, number(s.Value))
			continue
		}
		values = append(values, cell(len(formulas)))
		operands := []any{values[s.X], values[s.Y]}
		if strings.Contains(operations[s.Op], "%[1]s") {
			operands = operands[:1]
		}
		formulas = append(formulas, fmt.Sprintf(operations[s.Op], operands...))
	}
	return formulas, values[p.Result]
}

// number writes a number in a formula.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'G', -1, 64)
	if v < 0 || math.Signbit(v) {
		return "(" + text + ")"
	}
	return text
}

// sumProduct returns the sum of the products of two ranges of the same shape.
func sumProduct(a, b string) string { return "SUMPRODUCT(" + a + "," + b + ")" }
