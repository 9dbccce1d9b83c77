package python

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
)

// syntax writes formulas of arrays.
var syntax = export.Syntax{
	Let:    "%s = %s",
	Number: func(v float64) string { return "(" + number(v) + ")" },
	Ops: map[export.Op]string{
		export.Min: "np.minimum(%s, %s)", export.Max: "np.maximum(%s, %s)", export.Exp: "np.exp(%s)", export.Log: "np.log(%s)",
		export.Sqrt: "np.sqrt(%s)",
		export.Abs:  "np.abs(%s)", export.Relu: "np.maximum(%s, 0.0)", export.Tanh: "np.tanh(%s)", export.Cos: "np.cos(%s)",
		export.Sigmoid: "_sigmoid(%s)",
	},
}

// formulas are the functions of a model, without repetitions.
type formulas struct {
	b     *strings.Builder
	names map[string]string // by signature and body
}

// name returns the name of a function, which it writes if it is new.
func (f *formulas) name(p *export.Program, signature string, arguments ...string) string {
	lines, result := syntax.Body(p, arguments, "    ")
	text := signature + ":\n" + lines + "    return " + result + "\n"
	name, ok := f.names[text]
	if !ok {
		name = fmt.Sprintf("_formula_%d", len(f.names)+1)
		f.names[text] = name
		fmt.Fprintf(f.b, "\n\ndef %s%s", name, text)
	}
	return name
}

// writeConstants writes the constants, the formulas and the members.
func writeConstants(b *strings.Builder, f *export.Form) {
	fmt.Fprintf(b, "\n\n_MIN_FIRING, _LEAST_LEVEL, _POWER_LIMIT, _MAX_LOG, _FARTHEST = %s, %s, %s, %s, %s\n_ADDED = %s\n",
		number(export.MinFiring), number(export.LeastLevel), number(export.PowerLimit), number(loss.MaxLog), number(export.Farthest),
		list(model.PredictedColumns(f.Model), text))
	fmt.Fprintf(b, "_BLANKS, _MISSING = %s, %s\n", text(export.Blanks), list(export.Missing(), text))
	functions := &formulas{b: b, names: map[string]string{}}
	var members strings.Builder
	for k := range f.Members {
		writeMember(&members, &f.Members[k], functions)
	}
	fmt.Fprintf(b, "\n\n_MEMBERS = [\n%s]\n", members.String())
}

func writeMember(b *strings.Builder, m *export.Member, f *formulas) {
	parameters := []string{"x"}
	for j := range m.Parameters {
		parameters = append(parameters, fmt.Sprintf("p[%d]", j))
	}
	weight := "None"
	if m.Weight != nil {
		weight = f.name(m.Weight, "(z)", "z")
	}
	logSpace := map[bool]string{false: "False", true: "True"}[m.LogSpace]
	fmt.Fprintf(b, "    _Member(\n        inputs=[\n")
	for _, in := range m.Inputs {
		power := "None"
		if p := in.Power; p != nil {
			power = fmt.Sprintf("(%s, %s, %s)", number(p.Lambda), number(p.Mean), number(p.SD))
		}
		fmt.Fprintf(b, "            (%d, %s, %s, %s, %s),\n", in.Feature, number(in.Mean), number(in.SD), number(in.Missing), power)
	}
	fmt.Fprintf(b, "        ],\n        components=%s,\n        grade=%s,\n        join=%s,\n        weight=%s,\n        log_space=%s,\n "+
		"       rules=[\n",
		matrix(m.Components), f.name(m.Grade, "(x, p)", parameters...), f.name(m.Join, "(x, y)", "x", "y"), weight, logSpace)
	for _, rule := range m.Rules {
		fmt.Fprintf(b, "            (%s, %s, %s),\n", list(rule.If, strconv.Itoa), list(rule.Params, array), matrix(rule.Weights))
	}
	var targets [][]float64
	for j, t := range m.Targets {
		targets = append(targets, []float64{t.Mean, t.Scale, m.Low[j], m.High[j]})
	}
	if targets == nil {
		targets = [][]float64{}
	}
	fmt.Fprintf(b, "        ],\n        knots=%s,\n        curves=%s,\n        link=%q,\n        targets=%s,\n        uncovered=%s,\n    ),\n",
		list(m.Knots, array), matrix(m.Curves), m.Link, matrix(targets), array(m.Uncovered))
}

// matrix returns an array of rows; None for nil.
func matrix(rows [][]float64) string {
	if rows == nil {
		return "None"
	}
	return "np.array(" + list(rows, func(row []float64) string { return list(row, number) }) + ")"
}

// array returns an array.
func array(row []float64) string { return "np.array(" + list(row, number) + ", dtype=float)" }

// list returns a list of items.
func list[T any](items []T, one func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = one(item)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// number returns the shortest literal of a float.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "np.nan"
	case math.IsInf(v, 0):
		return map[bool]string{false: "np.inf", true: "-np.inf"}[v < 0]
	}
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// text returns a literal of a text. The escapes of Go are Python's for text that is valid UTF-8.
func text(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) }
