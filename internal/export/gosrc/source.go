package gosrc

import (
	"bytes"
	_ "embed" // the template
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"text/template"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
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
	Kinds                         []kind
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
		form: f, Version: buildinfo.Version, Package: name, Target: withUnit(f.Target, f.Unit), Link: f.Members[0].Link,
		Extent: export.NewExtent(f), Committee: len(f.Members) > 1, Quantiles: f.Kind == export.Quantiles, Classes: f.Kind == export.Classes,
		Features: len(f.Features), RuleOutputs: f.Members[0].Outputs, Scales: len(f.Members[0].Targets),
		LeastLevel: export.LeastLevel, MinFiring: export.MinFiring, PowerLimit: export.PowerLimit, MaxLog: loss.MaxLog, Farthest: export.Farthest,
	}
	s.addColumns()
	s.addOutputs()
	kinds, group := export.Formulas(f.Members)
	for i, m := range kinds {
		s.Kinds = append(s.Kinds, newKind(m, i))
	}
	s.Tables = tables(s, group)
	s.Sigmoid = s.Link == "logit"
	for _, k := range s.Kinds {
		s.Sigmoid = s.Sigmoid || strings.Contains(k.Grade+k.Join+k.Weight, "sigmoid(")
	}
	return s
}

// addColumns adds the fields of Row.
func (s *source) addColumns() {
	var names []string
	for _, c := range s.form.Columns {
		names = append(names, c.Name)
	}
	for i, name := range fields(names) {
		c := s.form.Columns[i]
		one := column{Name: name, Type: "float64", Comment: withUnit(c.Name, c.Unit), Ordered: c.Encoding == data.Ordinal, First: c.First}
		if c.Encoding == data.Numeric {
			one.Comment += fmt.Sprintf(", in training from %v to %v", c.Min, c.Max)
		} else {
			s.Categories = true
			one.Type, one.Levels = "string", fmt.Sprintf("levels%d[:]", i+1)
			one.Comment += ": " + escape.List(c.Levels)
		}
		s.Columns = append(s.Columns, one)
	}
}

// addOutputs adds the outputs.
func (s *source) addOutputs() {
	var names []string
	for _, o := range s.form.Outputs {
		if s.Quantiles {
			o.Name = o.Column // which has the level
		}
		names = append(names, o.Name)
	}
	for j, name := range fields(names) {
		o := s.form.Outputs[j]
		comment := withUnit(o.Name, o.Unit)
		if s.Quantiles {
			comment = fmt.Sprintf("quantile %g of %s", o.Level, comment)
		}
		s.Outputs = append(s.Outputs, output{name, strconv.Quote(o.Name), comment})
	}
}

// TwoInputs reports whether the inputs of IF parts differ from those of THEN parts.
func (s *source) TwoInputs() bool { return s.Power || s.Components }

// Words returns the lines of the rules in words; of a committee, how its members predict.
func (s *source) Words() []string {
	if s.Committee {
		return []string{fmt.Sprintf("The model is a committee of %d models, whose predictions are averaged.", len(s.form.Members))}
	}
	var b strings.Builder
	_ = words.Model(s.form.Model).WriteWords(&b) // a strings.Builder does not fail
	var lines []string
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimRight(line, "\n "); line != "" {
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

// withUnit returns a name with its unit, escaped.
func withUnit(name, unit string) string {
	if unit != "" {
		name += " [" + unit + "]"
	}
	return escape.Text(name)
}
