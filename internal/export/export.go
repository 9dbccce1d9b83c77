// Package export writes trained models as programs, queries and files of other systems, which
// predict without tskgraph.
//
// [New] converts a model to a [Form], which holds all that a prediction needs and nothing else;
// a [Target] writes the form in its language. Each target is a package below this one, which
// registers itself. To add one, write such a package: it reads only the form.
//
// All targets predict what `tskgraph predict` predicts for the cells of a table, of a rate ([data.Offset]) at an exposure of one:
//
//   - A missing cell, and a category that training did not have, count as in the model, see
//     [Feature].
//   - A sample that no rule covers gets the response that training recorded for it.
//   - A sample with a number that is infinite, or lies [Farthest] standard deviations or more from
//     its mean in training, has no prediction: all outputs are NaN, or what the target has in its place.
package export

import (
	"fmt"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Target writes forms in one language.
type Target struct {
	Title   string   // in `tskgraph export --to`, such as "c"
	Meaning string   // what is written in a few words: "a C99 file without dependencies"
	File    string   // name of the file, such as "model.c"
	Options []string // names of the options that it reads
	Writing func(f *Form, o Options) (*Result, error)
}

// Name returns the name of the target.
func (t Target) Name() string { return t.Title }

// Write writes a form, with the notes that all targets share. What the target cannot express is a [Refusal]; a faulty
// option is an [OptionError].
func (t Target) Write(f *Form, o Options) (*Result, error) {
	r, err := t.Writing(f, o)
	if err == nil && len(f.Model.Schema.NA) > 0 && !r.Marks {
		r.Notes = append(r.Notes,
			"the marks of missing values that the model was trained with (data.na) are not part of the export: replace them by missing values first")
	}
	return r, err
}

// Names of options, which are the flags of `tskgraph export`.
const (
	OptionFloat  = "float"
	OptionMatrix = "matrix"
	OptionTable  = "table"
	OptionKey    = "key"
	OptionName   = "name"
	OptionData   = "data"
	OptionStep   = "data-step"
)

// Options are the options of all targets. The zero value is the default. Targets read Stem and
// those that they name.
type Options struct {
	Float  bool   // numbers of 32 bits instead of 64
	Matrix bool   // one matrix of inputs instead of an input for each column
	Table  string // the table that a query reads
	Key    string // the column that a query passes through
	Name   string // prefix of identifiers, or name of a package; empty: that of the target
	Stem   string // name of the first file without its extension; empty: that of Target.File

	Described *words.Description // the rules, of the option data on the training table; nil: words.Model
}

// Result is an exported model.
type Result struct {
	Files []File
	Notes []string // what the user of the files must know and cannot see
	Marks bool     // the files have the marks of missing values of the schema (data.NA)
}

// Marker is text in the first bytes of every file of a [Result], so that files beside the one that
// a user names are only replaced if they were exported before.
const Marker = "tskgraph"

// File is a file of a [Result]. The first is the one that the user names; the others lie beside it
// under their names.
type File struct {
	Name string // of the others; empty for the first
	Data []byte
}

// Refusal says what in a model a target cannot express.
type Refusal struct{ Target, Reason string }

// Refuse returns a [Refusal] with a formatted reason.
func Refuse(target, format string, a ...any) error {
	return &Refusal{target, fmt.Sprintf(format, a...)}
}

func (e *Refusal) Error() string {
	return fmt.Sprintf("cannot export to %s: %s", e.Target, e.Reason)
}

// OptionError is an error in the value of an option.
type OptionError struct{ Option, Message string }

func (e *OptionError) Error() string { return "--" + e.Option + ": " + e.Message }

var targets = registry.New[Target]("export", "target")

// Register registers a target by its name, in the init function of its package. It panics if the
// name is registered already.
func Register(t Target) { targets.Register(t) }

// Lookup returns the target registered under name.
func Lookup(name string) (Target, error) { return targets.Lookup(name) }

// Targets returns all targets, sorted by name.
func Targets() []Target { return targets.All() }
