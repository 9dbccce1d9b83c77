package gosrc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// kind is the formulas of some members.
type kind struct {
	Suffix, Meaning            string
	TNorm, Defuzz              string
	Grade, Join, Weight, Start string
	Log                        bool
	Parameters                 int
}

// Last is the index of the last parameter.
func (k kind) Last() int { return k.Parameters - 1 }

// syntax writes formulas in Go. Conversions of products keep them from being fused with sums.
var syntax = export.Syntax{
	Let: "%s := %s",
	Number: func(v float64) string {
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return "(" + text + ")"
	},
	Ops: map[export.Op]string{
		export.Mul: "float64(%s * %s)", export.Square: "float64(%[1]s * %[1]s)", export.Exp: "math.Exp(%s)", export.Log: "math.Log(%s)", export.Sqrt: "math.Sqrt(%s)",
		export.Abs: "math.Abs(%s)", export.Relu: "max(%s, 0)", export.Tanh: "math.Tanh(%s)", export.Cos: "math.Cos(%s)",
	},
}

// formula writes the body of a function that returns the value of a program.
func formula(p *export.Program, arguments ...string) string {
	lines, result := syntax.Body(p, arguments, "\t")
	return lines + "\treturn " + result + "\n"
}

// newKind returns the formulas of a member, as those of group i.
func newKind(m *export.Member, i int) kind {
	k := kind{TNorm: escape.Text(m.TNorm), Defuzz: escape.Text(m.Defuzz), Log: m.LogSpace, Parameters: m.Parameters, Start: fmt.Sprintf("%.1f", m.Start())}
	if i > 0 {
		k.Suffix = strconv.Itoa(i + 1)
	}
	arguments, params := []string{"x"}, []string{}
	for i, p := range m.Shape.Params() {
		arguments, params = append(arguments, fmt.Sprintf("p[%d]", i)), append(params, p.Name)
	}
	of := "grade"
	if m.LogSpace {
		of = "logarithm of the grade"
	}
	k.Meaning = escape.Text(fmt.Sprintf("grade%s is the %s of x: %s with the parameters p = (%s).", k.Suffix, of, m.Shape.Name(), strings.Join(params, ", ")))
	k.Grade, k.Join = formula(m.Grade, arguments...), formula(m.Join, "a", "b")
	if m.Weight != nil {
		k.Weight = formula(m.Weight, "level")
	}
	return k
}
