package gosrc

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"go/format"
	"math"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

//go:embed source.go.tmpl
var text string

// source is what the template writes.
type source struct {
	form *export.Form

	export.Extent
	Version, Package, Target      string
	Columns                       []column
	Outputs                       []output
	Kinds                         []export.Formulas
	Tables                        string
	Link                          string
	Committee, Quantiles, Classes bool
	Categories                    bool // some column has levels
	Sigmoid                       bool
	Features, RuleOutputs         int
	Scales                        int // targets with a scale; 0 of classes
	LeastLevel, MinFiring         float64
	PowerLimit, MaxLog, Farthest  float64
}

// column is a field of Row.
type column struct {
	Name, Type, Comment string
	Levels              string // name of the levels; empty: a number
	Ordered             bool
	First               int // feature
}

// output is a predicted number.
type output struct{ Name, Literal, Comment string }

func newSource(f *export.Form, name string) *source {
	s := &source{
		form: f, Version: buildinfo.Version, Package: name, Target: export.Labelled(f.Target, f.Unit), Link: f.Members[0].Link,
		Extent: export.NewExtent(f), Committee: len(f.Members) > 1, Quantiles: f.Ordered, Classes: f.Kind == export.Classes,
		Features: len(f.Features), RuleOutputs: f.Members[0].Outputs, Scales: len(f.Members[0].Targets),
		LeastLevel: export.LeastLevel, MinFiring: export.MinFiring, PowerLimit: export.PowerLimit, MaxLog: loss.MaxLog, Farthest: export.Farthest,
	}
	s.addColumns()
	kinds, group := f.Formulas(formula)
	s.Kinds = kinds
	s.Tables = tables(s, group)
	s.Sigmoid = s.Link == "logit"
	for _, k := range s.Kinds {
		s.Sigmoid = s.Sigmoid || strings.Contains(k.Grade+k.Join+k.Weight, "sigmoid(")
	}
	return s
}

// addColumns adds the fields of Row, and the outputs.
func (s *source) addColumns() {
	for i, name := range s.form.ColumnNames(exported) {
		c := s.form.Columns[i]
		one := column{Name: name, Type: "float64", Comment: c.About(), First: c.First}
		if !c.Numbers() {
			s.Categories = true
			one.Ordered = !c.Nominal()
			one.Type, one.Levels = "string", fmt.Sprintf("levels%d[:]", i+1)
		}
		s.Columns = append(s.Columns, one)
	}
	for j, name := range s.form.OutputNames(exported) {
		s.Outputs = append(s.Outputs, output{name, strconv.Quote(s.form.Outputs[j].Name), s.form.About(j)})
	}
}

// TwoInputs reports whether the inputs of IF parts differ from those of THEN parts.
func (s *source) TwoInputs() bool { return s.Power || s.Components }

// Words returns the lines of the rules in words; of a committee, how its members predict.
func (s *source) Words() []string {
	if s.Committee {
		return []string{fmt.Sprintf("The model is a committee of %d models, whose predictions are averaged.", len(s.form.Members))}
	}
	var lines []string
	for _, line := range s.form.Words() {
		if line != "" {
			line = "\t" + line // text as it is, for go doc
		}
		lines = append(lines, line)
	}
	return lines
}

// write returns the file.
func (s *source) write() ([]byte, error) {
	t, err := template.New("").Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, s); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

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
		export.Mul: "float64(%s * %s)", export.Square: "float64(%[1]s * %[1]s)", export.Exp: "math.Exp(%s)", export.Log: "math.Log(%s)",
		export.Sqrt: "math.Sqrt(%s)",
		export.Abs:  "math.Abs(%s)", export.Relu: "max(%s, 0)", export.Tanh: "math.Tanh(%s)", export.Cos: "math.Cos(%s)",
	},
}

// formula writes the body of a function that returns the value of a program.
func formula(p *export.Program, arguments ...string) string {
	lines, result := syntax.Body(p, arguments, "\t")
	return lines + "\treturn " + result + "\n"
}

// exported returns text as an exported name of letters and digits, each word with a capital letter.
func exported(text string, _ int) string {
	var b strings.Builder
	start := true
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			start = true
			continue
		}
		if start {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		start = false
	}
	name := b.String()
	if !capital(name) {
		return "X" + name
	}
	return name
}

// capital reports whether a name begins with a capital letter.
func capital(name string) bool {
	for _, r := range name {
		return unicode.IsUpper(r)
	}
	return false
}

// tables writes the variables of levels and members. group has the index of the formulas of each
// member. Values are constants: a program has nothing to compute when it starts.
func tables(s *source, group []int) string {
	var b strings.Builder
	for i, c := range s.form.Columns {
		if c.Numbers() {
			continue
		}
		fmt.Fprintf(&b, "// levels%d are the levels of %s.\nvar levels%d = [...]string{\n", i+1, export.Labelled(c.Name, ""), i+1)
		for _, level := range c.Levels {
			b.WriteString(strconv.Quote(level) + ",\n")
		}
		b.WriteString("}\n\n")
	}
	if !s.Committee {
		b.WriteString("var model = member{\n")
		writeMember(&b, s, 0, group[0])
		b.WriteString("}\n")
		return b.String()
	}
	b.WriteString("var members = [...]member{\n")
	for i := range s.form.Members {
		b.WriteString("{\n")
		writeMember(&b, s, i, group[i])
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// number writes a number to the bit.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "math.MaxFloat64" // of a finite number the same limit
	case math.IsInf(v, -1):
		return "-math.MaxFloat64"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// list writes numbers in braces.
func list(values []float64) string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = number(v)
	}
	return "{" + strings.Join(text, ", ") + "}"
}

// lists writes lists in braces, each on a line.
func lists(values [][]float64) string {
	var b strings.Builder
	b.WriteString("{\n")
	for _, v := range values {
		b.WriteString(list(v) + ",\n")
	}
	return b.String() + "}"
}

// writeMember writes the fields of a member.
func writeMember(b *strings.Builder, s *source, i, kind int) {
	m := &s.form.Members[i]
	writeInputs(b, s.form, m)
	if m.Components != nil {
		fmt.Fprintf(b, "loadings: [][]float64%s,\n", lists(m.Components))
	}
	writeRules(b, m)
	if m.Curves != nil {
		fmt.Fprintf(b, "knots: [][]float64%s,\n", lists(m.Knots))
		fmt.Fprintf(b, "curves: [][]float64%s,\n", lists(m.Curves))
	}
	if s.Scales > 0 {
		var mean, scale []float64
		for _, t := range m.Targets {
			mean, scale = append(mean, t.Mean), append(scale, t.Scale)
		}
		fmt.Fprintf(b, "mean: [...]float64%s,\nscale: [...]float64%s,\n", list(mean), list(scale))
	}
	if s.Limits {
		fmt.Fprintf(b, "low: [...]float64%s,\nhigh: [...]float64%s,\n", list(m.Low), list(m.High))
	}
	fmt.Fprintf(b, "uncovered: [...]float64%s,\n", list(m.Uncovered))
	if kind > 0 {
		fmt.Fprintf(b, "kind: %d,\n", kind)
	}
}

// writeInputs writes the inputs of a member.
func writeInputs(b *strings.Builder, f *export.Form, m *export.Member) {
	b.WriteString("inputs: []input{\n")
	for _, in := range m.Inputs {
		fmt.Fprintf(b, "// %s\n{feature: %d, mean: %s, sd: %s, missing: %s", export.Labelled(f.Features[in.Feature].Name, ""), in.Feature,
			number(in.Mean), number(in.SD), number(in.Missing))
		if p := in.Power; p != nil {
			fmt.Fprintf(b, ", lambda: %s, powerMean: %s, powerSD: %s", number(p.Lambda), number(p.Mean), number(p.SD))
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
}

// writeRules writes the rules of a member.
func writeRules(b *strings.Builder, m *export.Member) {
	b.WriteString("rules: []rule{\n")
	for _, rule := range m.Rules {
		b.WriteString("{\n")
		if len(rule.If) > 0 {
			inputs := make([]string, len(rule.If))
			for i, at := range rule.If {
				inputs[i] = strconv.Itoa(at)
			}
			fmt.Fprintf(b, "mentioned: []int32{%s},\nparameters: []float64{\n", strings.Join(inputs, ", "))
			for _, p := range rule.Params {
				b.WriteString(strings.Trim(list(p), "{}") + ",\n")
			}
			b.WriteString("},\n")
		}
		fmt.Fprintf(b, "then: [...][]float64%s,\n", lists(rule.Weights))
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
}
