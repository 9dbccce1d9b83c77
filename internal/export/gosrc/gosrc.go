// Package gosrc writes models as Go: one file that needs only the standard library.
//
// The file is a package of its own with a function Predict of a Row, a struct with a field for each
// column: a number, NaN if it is missing, or the text of a category, empty if it is missing. A category
// that training did not have is any other text. The package has no variables that change, does nothing
// when a program starts, and allocates nothing.
package gosrc

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"go/format"
	"go/token"
	"math"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

func init() {
	export.Register(export.Target{Title: "go", Meaning: "a Go file that needs only the standard library", File: "model.go",
		Options: []string{export.OptionName}, Writing: Write})
}

var packageName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Write writes the file.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Name == "" {
		o.Name = "predictor"
	}
	if !packageName.MatchString(o.Name) || token.IsKeyword(o.Name) {
		return nil, &export.OptionError{Option: export.OptionName,
			Message: "want the name of a package: a small letter, then small letters, digits and underscores; not a keyword of Go"}
	}
	code, err := newSource(f, o.Name).write()
	if err != nil {
		return nil, err
	}
	return &export.Result{Files: []export.File{{Data: code}}}, nil
}

//go:embed source.go.tmpl
var text string

// source is what the template writes.
type source struct {
	form *export.Form

	export.Extent
	Version, Package, Target     string
	Columns                      []column
	Outputs                      []output
	Kinds                        []export.Formulas
	Tables                       string
	Categories                   bool // some column has levels
	Sigmoid                      bool
	Scales                       int // targets with a scale; 0 of classes
	LeastLevel, MinFiring        float64
	PowerLimit, MaxLog, Farthest float64
}

// column is a field of Row.
type column struct {
	Name, Type, Comment string
	Levels              string // name of the levels; empty: a number
	Codes               string // of the levels on a scale; empty without one
	First               int    // feature
	Missing             bool   // the feature after a number is about missing cells
}

// output is a predicted number.
type output struct{ Name, Literal, Comment string }

func newSource(f *export.Form, name string) *source {
	s := &source{
		form: f, Version: buildinfo.Version, Package: name, Target: export.Labelled(f.Target, f.Unit),
		Extent: export.NewExtent(f), Scales: len(f.Members[0].Targets),
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
		one := column{Name: name, Type: "float64", Comment: c.About(), First: c.First, Missing: c.Numbers() && c.Missing}
		if !c.Numbers() {
			s.Categories = true
			one.Type, one.Levels = "string", fmt.Sprintf("levels%d[:]", i+1)
		}
		for k := range c.Levels {
			if !c.Nominal() {
				one.Codes += fmt.Sprintf("%v, ", c.Code(k))
			}
		}
		if one.Codes != "" {
			one.Codes = "[...]float64{" + strings.TrimSuffix(one.Codes, ", ") + "}"
		}
		s.Columns = append(s.Columns, one)
	}
	for j, name := range s.form.OutputNames(exported) {
		s.Outputs = append(s.Outputs, output{name, strconv.Quote(s.form.Outputs[j].Name), s.form.About(j)})
	}
}

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
	Let:    "%s := %s",
	Number: func(v float64) string { return "(" + export.Decimal(v) + ")" },
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
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return "X" + name
	}
	return name
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
		return b.String() + "}\n"
	}
	b.WriteString("var members = [...]member{\n")
	for i := range s.form.Members {
		b.WriteString("{\n")
		writeMember(&b, s, i, group[i])
		b.WriteString("},\n")
	}
	return b.String() + "}\n"
}

// number writes a number to the bit.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "math.MaxFloat64" // of a finite number the same limit
	case math.IsInf(v, -1):
		return "-math.MaxFloat64"
	}
	return export.Shortest(v)
}

// list writes numbers in braces.
func list(values []float64) string { return "{" + export.List(values, number) + "}" }

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
	writeInputs(b, s.form, m, s.Inside)
	if m.Components != nil {
		fmt.Fprintf(b, "loadings: [][]float64%s,\n", lists(m.Components))
	}
	writeRules(b, m)
	if m.Curves != nil {
		fmt.Fprintf(b, "knots: [][]float64%s,\n", lists(m.Knots))
		fmt.Fprintf(b, "curves: [][]float64%s,\n", lists(m.Curves))
	}
	if s.Scales > 0 {
		mean, scale := m.Scales()
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
func writeInputs(b *strings.Builder, f *export.Form, m *export.Member, inside bool) {
	b.WriteString("inputs: []input{\n")
	for _, in := range m.Inputs {
		fmt.Fprintf(b, "// %s\n{feature: %d, mean: %s, sd: %s, missing: %s", export.Labelled(f.Features[in.Feature].Name, ""), in.Feature,
			number(in.Mean), number(in.SD), number(in.Missing))
		if p := in.Power; p != nil {
			fmt.Fprintf(b, ", lambda: %s, powerMean: %s, powerSD: %s", number(p.Lambda), number(p.Mean), number(p.SD))
		}
		if inside {
			fmt.Fprintf(b, ", low: %s, high: %s", number(in.Low), number(in.High))
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
			fmt.Fprintf(b, "mentioned: []int32{%s},\nparameters: []float64{\n", export.List(rule.If, strconv.Itoa))
			for _, p := range rule.Params {
				b.WriteString(export.List(p, number) + ",\n")
			}
			b.WriteString("},\n")
		}
		fmt.Fprintf(b, "then: [...][]float64%s,\n", lists(rule.Weights))
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
}
