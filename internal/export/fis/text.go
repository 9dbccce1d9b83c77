package fis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand/fis"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
)

// text returns the file. Comments tell people what the names and numbers are.
func (s *system) text(f *export.Form) []byte {
	var b bytes.Buffer
	comment(&b, "Sugeno system, written by tskgraph "+buildinfo.Version+".")
	writeWords(&b, f)
	fmt.Fprintf(&b, "\n[System]\nName='%s'\nType='sugeno'\nVersion=2.0\nNumInputs=%d\nNumOutputs=%d\nNumRules=%d\n", identifier(f.Target),
		len(s.inputs), len(s.outputs), len(s.rules))
	fmt.Fprintf(&b, "AndMethod='%s'\nOrMethod='max'\nImpMethod='prod'\nAggMethod='sum'\nDefuzzMethod='wtaver'\n", s.and)
	for i, in := range f.Members[0].Inputs {
		b.WriteByte('\n')
		comment(&b, inputInWords(f, in))
		writeColumn(&b, columnOf(f, in))
		s.inputs[i].write(&b, "Input", i+1)
	}
	for j, o := range f.Outputs {
		b.WriteByte('\n')
		comment(&b, export.Labelled(o.Name, o.Unit))
		writeColumn(&b, fis.Column{Name: o.Name, Unit: o.Unit})
		s.outputs[j].write(&b, "Output", j+1)
	}
	b.WriteString("\n[Rules]\n")
	for _, r := range s.rules {
		b.WriteString(strings.Trim(fmt.Sprint(r.conditions), "[]") + ",")
		for range s.outputs {
			b.WriteString(" " + strconv.Itoa(r.output))
		}
		fmt.Fprintf(&b, " (%s) : 1\n", export.Shortest(r.weight))
	}
	return b.Bytes()
}

// write writes the section of a variable.
func (v *variable) write(b *bytes.Buffer, section string, number int) {
	fmt.Fprintf(b, "[%s%d]\nName='%s'\nRange=[%s %s]\nNumMFs=%d\n", section, number, v.name, export.Shortest(v.low), export.Shortest(v.high),
		len(v.functions))
	for i, f := range v.functions {
		fmt.Fprintf(b, "MF%d='%s':'%s',%v\n", i+1, f.name, f.kind, f.params)
	}
}

// round replaces brackets: MATLAB looks for the headers of sections in comments too.
var round = strings.NewReplacer("[", "(", "]", ")")

// comment writes a comment.
func comment(b *bytes.Buffer, line string) {
	b.WriteString(strings.TrimRight("% "+round.Replace(line), " \n") + "\n")
}

// writeWords writes the rules in words, as comments.
func writeWords(b *bytes.Buffer, f *export.Form) {
	var text strings.Builder
	_ = words.Model(f.Model).WriteWords(&text) // a strings.Builder does not fail
	for line := range strings.Lines(text.String()) {
		comment(b, line)
	}
}

// writeColumn writes the comment by which [fis.Read] finds the column of an input or output. Brackets
// in its texts are escaped.
func writeColumn(b *bytes.Buffer, c fis.Column) {
	text, _ := json.Marshal(c) // texts only
	line := strings.ReplaceAll(string(escape.JSON(text)), "[", `\u005b`)
	b.WriteString(fis.ColumnComment + strings.Replace(line, `"levels":\u005b`, `"levels":[`, 1) + "\n")
}

// columnOf returns the column of an input.
func columnOf(f *export.Form, in export.Input) fis.Column {
	column := f.Columns[f.Features[in.Feature].Column]
	c := fis.Column{Name: column.Name, Unit: column.Unit, Levels: column.Levels, Ordered: !column.Numbers() && !column.Nominal()}
	switch {
	case column.Nominal():
		c.Level = column.Levels[in.Feature-column.First]
	case column.Numbers():
		c.Mean, c.SD = in.Mean, in.SD
	}
	return c
}

// inputInWords returns the comment of an input: its column, and what a missing value counts as.
func inputInWords(f *export.Form, in export.Input) string {
	feature := f.Features[in.Feature]
	column := f.Columns[feature.Column]
	text := export.Labelled(column.Name, column.Unit)
	switch {
	case column.Nominal():
		text += ": 1 for " + escape.Quote(column.Levels[in.Feature-column.First]) + ", else 0"
	case !column.Numbers():
		text += ": position of the level, from 1, in " + escape.List(column.Levels)
	}
	missing := feature.Missing
	if missing != missing {
		missing = in.Mean
	}
	return text + "; a missing value counts as " + export.Shortest(missing)
}

// matlab is how Octave and MATLAB write a program, for vectors.
var matlab = export.Syntax{
	Let:    "%s = %s;",
	Number: export.Shortest,
	Ops: map[export.Op]string{
		export.Mul: "%s .* %s", export.Div: "%s ./ %s", export.Square: "%[1]s .* %[1]s", export.Relu: "max(%s, 0)",
		export.Sigmoid: "1 ./ (1 + exp(-%s))",
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

// standard returns the type of the format that equals a shape with parameters p, in the units of the
// column, and its parameters; "" if there is none. Octave's definitions count, since MATLAB agrees
// with them:
//
//   - gbellmf of Octave takes whole exponents only.
//   - dsigmf of Octave is zero where MATLAB's and dsigmoid are the absolute value, and loses all digits
//     far outside: it is not used.
func standard(shape string, p []float64) (kind string, params []float64) {
	switch shape {
	case membership.Gaussian{}.Name():
		return "gaussmf", []float64{p[1], p[0]}
	case membership.Gauss2{}.Name():
		return "gauss2mf", p
	case membership.Cauchy{}.Name():
		return "gbellmf", []float64{p[1], 1, p[0]}
	case membership.GBell{}.Name():
		if p[1] == math.Trunc(p[1]) {
			return "gbellmf", p
		}
	case membership.PSigmoid{}.Name():
		return "psigmf", p
	case membership.Sigmoid{}.Name():
		return "psigmf", []float64{1 / p[1], p[0], -1 / p[3], p[2]}
	case membership.Triangular{}.Name():
		return "trimf", p
	case membership.Trapezoid{}.Name():
		return "trapmf", p
	case membership.Pi{}.Name():
		return "pimf", p
	}
	return "", nil
}

// separate reports whether borders that must differ do so after they were rounded.
func separate(kind string, p []float64) bool {
	switch kind {
	case "trimf":
		return p[0] < p[1] && p[1] < p[2]
	case "trapmf", "pimf":
		return p[0] < p[1] && p[1] <= p[2] && p[2] < p[3]
	}
	return true
}
