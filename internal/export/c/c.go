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
	"regexp"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// name is that of the target.
const name = "c"

// Target is the target "c". Options: Float, and Name, the prefix of all identifiers, "tsk" by
// default.
type Target struct{}

func init() { export.Register(Target{}) }

// Name returns "c".
func (Target) Name() string { return name }

// Meaning describes the target.
func (Target) Meaning() string { return "a C99 file that needs only libm, and its header" }

// File returns "model.c".
func (Target) File() string { return "model.c" }

// Options returns the options that the target reads.
func (Target) Options() []string { return []string{export.OptionFloat, export.OptionName} }

// prefix is what identifiers begin with: short, since C99 distinguishes 31 characters of those
// that a linker sees.
var prefix = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,19}$`)

// Write writes the source file and its header. With Float, a number beyond the range of 32 bits is a
// [export.Refusal].
func (Target) Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Name == "" {
		o.Name = "tsk"
	}
	if !prefix.MatchString(o.Name) {
		return nil, &export.OptionError{Option: export.OptionName, Message: "want a letter, then at most 19 letters, digits and underscores"}
	}
	if o.Stem == "" {
		o.Stem = strings.TrimSuffix(Target{}.File(), ".c")
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
