package fis

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
)

// matlab is how Octave and MATLAB write a program, for vectors.
var matlab = export.Syntax{
	Let:    "%s = %s;",
	Number: figure,
	Ops: map[export.Op]string{
		export.Mul: "%s .* %s", export.Div: "%s ./ %s", export.Square: "%[1]s .* %[1]s", export.Relu: "max(%s, 0)", export.Sigmoid: "1 ./ (1 + exp(-%s))",
	},
}

// A scaling is how a function file converts the value of a column to the input of its shape. Its
// numbers are the first parameters of the membership function.
type scaling struct {
	infix  string   // of the function's name
	params []string // names of the numbers
	lines  string
}

var (
	unscaled = scaling{lines: "u = x;\n"}
	scaled   = scaling{"z", []string{"column_mean", "column_sd"}, "u = (x - params(1)) ./ params(2);\n"}
	powered  = scaling{"yj", []string{"lambda", "mean", "sd", "column_mean", "column_sd"}, fmt.Sprintf(`z = (x - params(4)) ./ params(5);
below = z < 0;
lambda = repmat(params(1), size(z));
lambda(below) = 2 - lambda(below);
u = log1p(abs(z));
curved = lambda ~= 0;
u(curved) = expm1(lambda(curved) .* u(curved)) ./ lambda(curved);
u(below) = -u(below);
u = max(-%[1]v, min(%[1]v, (u - params(2)) ./ params(3)));
`, export.PowerLimit)}
)

// functionFile returns the name and the text of the function file of a member's shape. The shape of
// Gaussians is not part of the name.
func functionFile(m *export.Member, by scaling, prefix string) (kind string, text []byte) {
	shape := m.Shape.Name()
	kind = prefix + by.infix + shape + "mf"
	if shape == (membership.Gaussian{}).Name() {
		kind = prefix + by.infix + "mf"
	}
	arguments, params := []string{"u"}, by.params
	for i, p := range m.Shape.Params() {
		arguments = append(arguments, fmt.Sprintf("params(%d)", len(by.params)+i+1))
		params = append(params[:len(params):len(params)], p.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "function y = %s(x, params)\n", kind)
	fmt.Fprintf(&b, "%% Membership function of shape %s; written by tskgraph %s.\n", shape, buildinfo.Version)
	fmt.Fprintf(&b, "%% params = [%s]\n", strings.Join(params, " "))
	if by.infix == powered.infix {
		b.WriteString("% u is the transform of Yeo and Johnson of the column's z-score, standardised and limited.\n")
	}
	b.WriteString(by.lines)
	lines, result := matlab.Body(m.Grade, arguments, "")
	b.WriteString(lines)
	if m.LogSpace {
		result = "exp(" + result + ")"
	}
	fmt.Fprintf(&b, "y = %s;\nend\n", result)
	return kind, []byte(b.String())
}
