// Package c writes models as C99: a source file that needs no other, and its header.
//
// The source has tables of hexadecimal numbers and one evaluator, the same for all models except for
// the parts that a model does not need. It needs the mathematical library, allocates nothing and has
// no state. Its function NAME_predict takes the cells of a row as numbers; a category is the code of
// its level (from 1 if the levels have an order, else from 0), which NAME_level finds by its text.
// Compiled with -DTSK_MAIN, it is a filter of comma-separated cells.
//
// With Float, numbers have 32 bits. Differences to the model are then near 1e-6 of the target's range
// where the rules change slowly; beside the steep borders of shapes such as trapezoids, cells round
// to either side.
package c

import (
	"bytes"
	"cmp"
	_ "embed" // the templates
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// name is that of the target.
const name = "c"

func init() {
	export.Register(export.Target{Title: "c", Meaning: "a C99 file that needs only libm, and its header", File: "model.c",
		Options: []string{export.OptionFloat, export.OptionName}, Writing: Write})
}

// prefix is what identifiers begin with: short, since C99 distinguishes 31 characters of those
// that a linker sees.
var prefix = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,19}$`)

// Write writes the source file and its header. With Float, a number beyond the range of 32 bits is a
// [export.Refusal].
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Name == "" {
		o.Name = "tsk"
	}
	if !prefix.MatchString(o.Name) {
		return nil, &export.OptionError{Option: export.OptionName, Message: "want a letter, then at most 19 letters, digits and underscores"}
	}
	if o.Stem == "" {
		o.Stem = "model"
	}
	if o.Float {
		f = export.Single(f)
	}
	s, err := newSource(f, o)
	if err != nil {
		return nil, err
	}
	header, code, err := s.write()
	if err != nil {
		return nil, err
	}
	result := &export.Result{Files: []export.File{{Data: code}, {Name: o.Stem + ".h", Data: header}}, Notes: []string{s.sizes()}}
	if o.Float {
		result.Notes = append(result.Notes, export.SingleNotes(f)...)
	}
	return result, nil
}

//go:embed interface.h.tmpl
var interfaceText string

//go:embed preamble.c.tmpl
var preambleText string

//go:embed evaluator.c.tmpl
var evaluatorText string

//go:embed filter.c.tmpl
var filterText string

// write returns the header and the source file, which repeats the header: it needs no other file.
func (s *source) write() (header, code []byte, err error) {
	var parts [4]string
	render := func(i int, text string) {
		if err == nil {
			parts[i], err = s.render(text)
		}
	}
	render(0, interfaceText)
	render(2, evaluatorText)
	s.Interface, s.Helpers = parts[0], s.helpers(parts[2])
	render(1, preambleText)
	render(3, filterText)
	return []byte(parts[0]), []byte(strings.Join(parts[1:], "")), err
}

// render executes a template.
func (s *source) render(text string) (string, error) {
	t, err := template.New("").Parse(s.convert.Replace(text))
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.Execute(&b, s)
	return b.String(), err
}

// Words returns the lines of the rules in words; of a committee, how its members predict.
func (s *source) Words() []string {
	if s.Committee {
		return []string{fmt.Sprintf("A committee of %d models, whose predictions are averaged. tskgraph show prints their rules.",
			len(s.form.Members))}
	}
	var lines []string
	for _, line := range s.form.Words() {
		lines = append(lines, comment(line))
	}
	return lines
}

// source is what the templates write.
type source struct {
	*dialect
	form *export.Form

	Version, Target, File string
	Interface, Helpers    string // text of the header; functions that the evaluator calls
	Columns, Outputs      []entry
	Kinds                 []export.Formulas
	Tables                string // constant tables
	tableBytes            int

	export.Extent
	Scales                bool   // the response is of numbers
	Categories, Unordered bool   // some column has levels; without an order
	Cell                  int    // bytes of a cell that the filter reads, and one
	Index                 string // type of indices
	LeastLevel, MinFiring string // see package export
	PowerLimit, MaxLog    string
	Farthest              string
	Blanks, Missing       string // lists of texts of the filter
}

// entry is a column or an output.
type entry struct {
	Name, Comment string
	Codes         []string // of levels, as comments
}

func newSource(f *export.Form, o export.Options) (*source, error) {
	d := newDialect(o)
	s := &source{
		dialect: d, form: f, Version: buildinfo.Version, Target: comment(export.Labelled(f.Target, f.Unit)), File: comment(o.Stem + ".c"),
		Extent:     export.NewExtent(f),
		LeastLevel: d.constant(export.LeastLevel), MinFiring: d.constant(export.MinFiring), PowerLimit: d.constant(export.PowerLimit),
		MaxLog: d.constant(loss.MaxLog), Farthest: d.constant(export.FarthestOf(d.float)),
		Blanks: export.List(strings.Split(export.Blanks, ""), literal), Missing: export.List(export.Missing(), literal),
		Scales: f.Kind != export.Classes, Cell: 256,
	}
	if err := addColumns(s); err != nil {
		return nil, err
	}
	kinds, group := f.Formulas(func(p *export.Program, arguments ...string) string {
		return d.convert.Replace(d.formula(p, arguments...))
	})
	for _, k := range kinds {
		k.TNorm, k.Defuzz, k.Meaning = comment(k.TNorm), comment(k.Defuzz), comment(k.Meaning)
		s.Kinds = append(s.Kinds, k)
	}
	s.addTables(group)
	if d.beyond != 0 {
		return nil, export.Refuse(name, "the number %g of the model is beyond the range of 32 bits: leave --%s out", d.beyond, export.OptionFloat)
	}
	return s, nil
}

// addTables adds the tables. group has the index of the formulas of each member.
func (s *source) addTables(group []int) {
	largest := max(s.MaxInputs, s.MaxRules, s.Features)
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
		fmt.Fprintf(&t.b, "static const struct %s = {{\n    %s\n}};\n", s.convert.Replace("tsk_member tsk_members[TSK_MEMBERS]"),
			strings.Join(members, "\n}, {\n    "))
	} else {
		fmt.Fprintf(&t.b, "static const struct %s = {\n    %s\n};\n", s.convert.Replace("tsk_member tsk_model"), members[0])
	}
	s.Tables, s.tableBytes = t.b.String(), t.bytes
}

// Members are those of a committee.
func (s *source) Members() []export.Member { return s.form.Members }

// Stack is the number of bytes of the arrays that the evaluator has on the stack.
func (s *source) Stack() int {
	J, inputs := len(s.Outputs), s.MaxInputs
	if s.TwoInputs() {
		inputs *= 2
	}
	n := inputs + s.MaxRules + s.RuleOutputs
	if s.Categories {
		n += s.Features
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

// addColumns adds the entries of the columns.
func addColumns(s *source) error {
	for i, one := range s.form.ColumnNames(identifier) {
		c := s.form.Columns[i]
		e := entry{Name: s.convert.Replace("TSK_IN_" + one), Comment: comment(c.About())}
		s.Categories = s.Categories || c.Missing
		if !c.Numbers() {
			e.Comment = comment(export.Labelled(c.Name, c.Unit)) + ": code of a level"
			s.Categories = true
			s.Unordered = s.Unordered || c.Nominal()
		}
		for k, level := range c.Levels {
			if len(level) > maxLiteral {
				return export.Refuse(name, "a level of column %s has more than %d bytes", c.Name, maxLiteral)
			}
			s.Cell = max(s.Cell, len(level)+2)
			e.Codes = append(e.Codes, fmt.Sprintf("%v: %s", c.Code(k), comment(level)))
		}
		s.Columns = append(s.Columns, e)
	}
	for j, one := range s.form.OutputNames(identifier) {
		s.Outputs = append(s.Outputs, entry{Name: s.convert.Replace("TSK_OUT_" + one), Comment: comment(s.form.About(j))})
	}
	return nil
}

// maxLiteral is the number of bytes in a string that every C99 compiler takes.
const maxLiteral = 4095

// longest is the largest number of characters of a name in an identifier: C99 distinguishes 63.
const longest = 32

// identifier returns text number i in capital letters, digits and single underscores; if it has none, its number from 1.
func identifier(text string, i int) string {
	name := export.Identifier(strings.ToUpper(text))
	return cmp.Or(strings.Trim(name[:min(len(name), longest)], "_"), strconv.Itoa(i+1))
}
