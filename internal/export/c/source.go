package c

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// source is what the templates write.
type source struct {
	*dialect
	form *export.Form

	Version, Target, File string
	Interface, Helpers    string // text of the header; functions that the evaluator calls
	Columns, Outputs      []entry
	Kinds                 []kind
	Tables                string // constant tables
	tableBytes            int

	export.Extent
	Link                       string
	Committee                  bool
	Quantiles, Classes, Scales bool   // kind of the response; Scales: of numbers
	Categories, Unordered      bool   // some column has levels; without an order
	Cell                       int    // bytes of a cell that the filter reads, and one
	Index                      string // type of indices
	LeastLevel, MinFiring      string // see package export
	PowerLimit, MaxLog         string
	Farthest                   string
	Blanks, Missing            string // lists of texts of the filter
}

// entry is a column or an output.
type entry struct {
	Name, Comment string
	Codes         []string // of levels, as comments
}

// kind is the formulas of some members.
type kind struct {
	Suffix, Meaning            string
	TNorm, Defuzz              string
	Grade, Join, Weight, Start string
	Log                        bool
	Parameters                 int
}

// TwoInputs reports whether the inputs of IF parts differ from those of THEN parts.
func (s *source) TwoInputs() bool { return s.Power || s.Components }

func newSource(f *export.Form, o export.Options) (*source, error) {
	d := newDialect(o)
	s := &source{
		dialect: d, form: f, Version: buildinfo.Version, Target: comment(withUnit(f.Target, f.Unit)), File: comment(o.Stem + ".c"),
		Extent: export.NewExtent(f), Link: f.Members[0].Link, Committee: len(f.Members) > 1, Quantiles: f.Kind == export.Quantiles, Classes: f.Kind == export.Classes,
		LeastLevel: d.constant(export.LeastLevel), MinFiring: d.constant(export.MinFiring), PowerLimit: d.constant(export.PowerLimit), MaxLog: d.constant(loss.MaxLog), Farthest: d.constant(d.farthest()),
		Blanks: literals(strings.Split(export.Blanks, "")), Missing: literals(export.Missing()),
		Scales: f.Kind != export.Classes, Cell: 256,
	}
	if err := addColumns(s); err != nil {
		return nil, err
	}
	addOutputs(s)
	kinds, group := export.Formulas(f.Members)
	for _, m := range kinds {
		addKind(s, m)
	}
	s.addTables(group)
	if d.beyond != 0 {
		return nil, export.Refuse(name, "the number %g of the model is beyond the range of 32 bits: leave --%s out", d.beyond, export.OptionFloat)
	}
	return s, nil
}

// addTables adds the tables. group has the index of the formulas of each member.
func (s *source) addTables(group []int) {
	largest := max(s.MaxInputs, s.MaxRules, len(s.form.Features))
	for _, m := range s.form.Members {
		for _, values := range m.Curves {
			largest = max(largest, len(values))
		}
	}
	t := &tables{dialect: s.dialect}
	switch {
	case largest <= math.MaxUint8:
		s.Index, t.index = "unsigned char", 1
	case largest <= math.MaxUint16:
		s.Index, t.index = "unsigned short", 2
	default:
		s.Index, t.index = "unsigned", 4
	}
	if s.Categories {
		t.categories(s.form.Columns)
	}
	if s.Classes {
		t.classes(s.form.Outputs)
	}
	var members []string
	for i := range s.form.Members {
		prefix := ""
		if s.Committee {
			prefix = fmt.Sprintf("%d_", i+1)
		}
		members = append(members, t.member(prefix, s.form, &s.form.Members[i], s, group[i]))
	}
	if s.Committee {
		fmt.Fprintf(&t.b, "static const struct %s = {{\n    %s\n}};\n", s.convert.Replace("tsk_member tsk_members[TSK_MEMBERS]"), strings.Join(members, "\n}, {\n    "))
	} else {
		fmt.Fprintf(&t.b, "static const struct %s = {\n    %s\n};\n", s.convert.Replace("tsk_member tsk_model"), members[0])
	}
	s.Tables, s.tableBytes = t.b.String(), t.bytes
}

// Features is the number of features of a row.
func (s *source) Features() int { return len(s.form.Features) }

// Members are those of a committee.
func (s *source) Members() []export.Member { return s.form.Members }

// RuleOutputs is the number of outputs of a rule.
func (s *source) RuleOutputs() int { return s.form.Members[0].Outputs }

// Stack is the number of bytes of the arrays that the evaluator has on the stack.
func (s *source) Stack() int {
	J, inputs := len(s.Outputs), s.MaxInputs
	if s.TwoInputs() {
		inputs *= 2
	}
	n := inputs + s.MaxRules + s.form.Members[0].Outputs
	if s.Categories {
		n += len(s.form.Features)
	}
	if s.Committee {
		n += J
	}
	n *= s.bytes()
	if s.Curves {
		n += s.MaxPlaces * 2 * 8
	}
	return n
}

// sizes is the note about memory.
func (s *source) sizes() string {
	return fmt.Sprintf("%d bytes of tables, %d bytes of arrays on the stack, no other memory", s.tableBytes, s.Stack())
}

// addKind adds the formulas of members.
func addKind(s *source, m *export.Member) {
	k := kind{TNorm: comment(m.TNorm), Defuzz: comment(m.Defuzz), Log: m.LogSpace, Parameters: m.Parameters, Start: fmt.Sprint(m.Start())}
	if len(s.Kinds) > 0 {
		k.Suffix = fmt.Sprintf("_%d", len(s.Kinds)+1)
	}
	var params, arguments []string
	arguments = append(arguments, "x")
	for i, p := range m.Shape.Params() {
		params = append(params, p.Name)
		arguments = append(arguments, fmt.Sprintf("p[%d]", i))
	}
	k.Meaning = "Grade of x"
	if m.LogSpace {
		k.Meaning = "Logarithm of the grade of x"
	}
	k.Meaning = comment(fmt.Sprintf("%s: %s with the parameters p = (%s).", k.Meaning, m.Shape.Name(), strings.Join(params, ", ")))
	k.Grade, k.Join = s.convert.Replace(s.formula(m.Grade, arguments...)), s.convert.Replace(s.formula(m.Join, "a", "b"))
	if m.Weight != nil {
		k.Weight = s.convert.Replace(s.formula(m.Weight, "level"))
	}
	s.Kinds = append(s.Kinds, k)
}

// maxLiteral is the number of bytes in a string that every C99 compiler takes.
const maxLiteral = 4095

// addColumns adds the entries of the columns.
func addColumns(s *source) error {
	var names []string
	for _, c := range s.form.Columns {
		names = append(names, c.Name)
	}
	for i, one := range identifiers("TSK_IN_", names) {
		c := s.form.Columns[i]
		e := entry{Name: s.convert.Replace(one), Comment: comment(withUnit(c.Name, c.Unit))}
		if c.Encoding == data.Numeric {
			e.Comment += fmt.Sprintf(": from %v to %v", c.Min, c.Max)
		} else {
			e.Comment += ": code of a level"
			s.Categories = true
			s.Unordered = s.Unordered || c.Encoding == data.OneHot
		}
		for k, level := range c.Levels {
			if len(level) > maxLiteral {
				return export.Refuse(name, "a level of column %s has more than %d bytes", c.Name, maxLiteral)
			}
			s.Cell = max(s.Cell, len(level)+2)
			if c.Encoding == data.Ordinal {
				k++
			}
			e.Codes = append(e.Codes, fmt.Sprintf("%d: %s", k, comment(level)))
		}
		s.Columns = append(s.Columns, e)
	}
	return nil
}

// addOutputs adds the entries of the outputs.
func addOutputs(s *source) {
	var names []string
	for _, o := range s.form.Outputs {
		if s.form.Kind == export.Quantiles {
			o.Name = o.Column // which has the level
		}
		names = append(names, o.Name)
	}
	for j, one := range identifiers("TSK_OUT_", names) {
		o := s.form.Outputs[j]
		text := withUnit(o.Name, o.Unit)
		switch s.form.Kind {
		case export.Classes:
			text = "probability of " + text
		case export.Quantiles:
			text = fmt.Sprintf("quantile %g of %s", o.Level, text)
		}
		s.Outputs = append(s.Outputs, entry{Name: s.convert.Replace(one), Comment: comment(text)})
	}
}

// withUnit returns a name with its unit.
func withUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}

// longest is the largest number of characters of a name in an identifier: C99 distinguishes 63.
const longest = 32

// identifier returns text in capital letters, digits and single underscores; "" if it has none.
func identifier(text string) string {
	var b strings.Builder
	for _, r := range strings.ToUpper(text) {
		switch {
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	return strings.Trim(name[:min(len(name), longest)], "_")
}

// identifiers returns identifiers of texts that differ, after a prefix. A text without letters and
// digits has its number, from 1.
func identifiers(prefix string, texts []string) []string {
	var names []string
	taken := map[string]bool{}
	for i, text := range texts {
		base := identifier(text)
		if base == "" {
			base = strconv.Itoa(i + 1)
		}
		one := base
		for k := 2; taken[one]; k++ {
			one = base + "_" + strconv.Itoa(k)
		}
		taken[one] = true
		names = append(names, prefix+one)
	}
	return names
}
