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
	_ "embed" // the templates
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/tskgraph/tskgraph/internal/export"
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
