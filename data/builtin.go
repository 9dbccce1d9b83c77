package data

import (
	"slices"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/suggest"
)

// builtin is a data set of the literature; generated ones have the same values on every machine, up to the last digits.
type builtin struct {
	name     string
	doc      string // what it is, in a few words
	target   string
	classes  []string // of the target; nil: it is a number
	split    Split
	generate func() (names []string, x [][]float64, y []float64)
}

var builtins = []builtin{mackeyGlass, friedman1, sinc, iris}

// Builtins returns the names of the built-in data sets.
func Builtins() []string {
	names := make([]string, len(builtins))
	for i, b := range builtins {
		names[i] = b.name
	}
	return names
}

// Builtin makes a data set of the literature and returns it with its customary split; it is Ordered if that is
// chronological. An unknown name is an error.
func Builtin(name string) (*Dataset, Split, error) {
	b, err := findBuiltin(name)
	if err != nil {
		return nil, Split{}, err
	}
	names, x, y := b.generate()
	d, err := New(names, b.target, x, y)
	if err != nil {
		return nil, Split{}, err
	}
	d.Schema.Classes = slices.Clone(b.classes)
	d.Ordered = b.split.Kind == splitChronological
	return d, b.split, nil
}

// BuiltinDoc describes a built-in data set in a few words; empty for an unknown name.
func BuiltinDoc(name string) string {
	b, _ := findBuiltin(name)
	return b.doc
}

func findBuiltin(name string) (builtin, error) {
	for _, b := range builtins {
		if b.name == name {
			return b, nil
		}
	}
	known := Builtins()
	return builtin{}, table.KeyFault("data.builtin", "unknown data set %s%s (choose one of %s)", escape.Quote(name), suggest.Hint(name, known), escape.List(known))
}

// validateTask checks that a task is that of a built-in data set.
func (b builtin) validateTask(task string) error {
	if err := (table.Options{Task: task}).ValidateTask(); err != nil || task == "" || task == table.TaskAuto {
		return err
	}
	if own := map[bool]string{true: table.TaskClassification, false: table.TaskRegression}[b.classes != nil]; task != own {
		return table.KeyFault("task", "%s: the built-in data %s are for %s", task, escape.Quote(b.name), own).RestingOn("data.builtin")
	}
	return nil
}
