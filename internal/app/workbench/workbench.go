// Package workbench is what the page that trains calls: it looks at tables, trains on them, and reads, compares and exports the runs.
//
// The page calls the methods of a [Bench] by name, with JSON for arguments and results. The same code runs below the server of
// `tskgraph workbench` and, compiled to WebAssembly, in the page itself, where files are in memory. Runs are those of
// `tskgraph train`: other commands read and resume them, and a config.yaml gives the same model there, bit for bit.
//
// The package links no database and no format of tables but delimited text; targets of export and further formats are those that the
// program registers.
package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
)

// Options say where a workbench reads and writes.
type Options struct {
	Tables string // directory of uploaded tables, created by the first for the user alone; config.yaml of a run names the table there
	Runs   string // directory of the runs: output.dir
	Table  string // a table that the program was given, as data.path has it; empty: none
	Limit  int64  // bytes of an uploaded table; 0: no limit

	// Private says that all files are the workbench's own, in a page: forget removes the runs too, and an exported config.yaml names files
	// without their directory, for another computer.
	Private bool

	// Remote, if not nil, is called before a training and returns what runs the trainings of its race, or parts of its search of a page,
	// in other processes, and a function to be called when they are not needed any more; nil for a training in this process.
	Remote func(c *config.Config, onPage bool) (remote *ensemble.Remote, done func())

	// Pause, if not nil, is called often during a training, for a program of one thread that has other things to do.
	Pause func()
}

// Bench is a workbench. Its methods are safe for concurrent use.
type Bench struct {
	options Options
	last    last
}

// New returns a workbench.
func New(o Options) *Bench { return &Bench{options: o} }

// call is one call of a method.
type call struct {
	*Bench
	ctx  context.Context
	args json.RawMessage
	emit func(event any)
}

// methods are the methods by name.
var methods = map[string]func(call) (any, error){
	"start": answerStart, "look": answerLook, "pictures": answerPictures,
	"train": answerTrain, "runs": answerRuns, "report": answerReport, "rules": answerRules,
	"words": answerWords, "form": answerForm, "predict": answerPredict, "score": answerScore, "open": answerOpen, "settings": answerSettings,
	"export": answerExport, "compare": answerCompare, "command": answerCommand, "delete": answerDelete, "forget": answerForget,
}

// Call calls a method with its arguments, a JSON object, and returns a result that encodes to JSON. Events of a training go to emit, one at
// a time. The kinds of errors are those of message.ExitCode. An end of the context ends a training, which keeps its best model.
func (b *Bench) Call(ctx context.Context, method string, args json.RawMessage, emit func(event any)) (any, error) {
	run, known := methods[method]
	if !known {
		return nil, message.Usagef("no method %q%s", method, registry.Hint(method, slices.Collect(maps.Keys(methods))))
	}
	if emit == nil {
		emit = func(any) {}
	}
	answer, err := run(call{b, ctx, args, emit})
	if fault := (*data.Error)(nil); errors.As(err, &fault) && err.Error() == fault.Error() && b.named(fault.File) != fault.File {
		own := *fault
		own.File, err = b.named(fault.File), &own
	}
	return answer, err
}

// decode reads the arguments into a struct; unknown ones are an error.
func (c call) decode(into any) error {
	if len(bytes.TrimSpace(c.args)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(c.args))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return message.Usagef("arguments: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return message.Usagef("arguments: want one JSON object")
	}
	return nil
}

// named is a thing to choose, and what it is.
type named struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// started is the result of start.
type started struct {
	Version   string     `json:"version"`
	Table     *string    `json:"table"` // that the program was given
	Tables    []string   `json:"tables"`
	Builtins  []named    `json:"builtins"`
	Presets   []named    `json:"presets"`
	Runs      []listed   `json:"runs"`
	Directory string     `json:"directory"` // of the runs
	Exports   []exported `json:"exports"`
	Limits    limits     `json:"limits"`
}

type limits struct {
	Bytes int64 `json:"bytes,omitempty"` // of an uploaded table; 0: no limit
}

// presets are the presets of recipe.Presets, the one whose rules can be read first.
var presets = []named{
	{"readable", "at most eight short rules that can be read one by one"},
	{"robust", "up to 32 rules, for the lowest error"},
	{"paper", "the settings published by D. Wu: MBGD, DropRule and AdaBound"},
}

func answerStart(c call) (any, error) {
	s := started{Version: tskgraph.Version, Directory: c.options.Runs, Limits: limits{c.options.Limit}, Presets: presets, Exports: exports()}
	if c.options.Table != "" {
		s.Table = &c.options.Table
	}
	var err error
	if s.Tables, err = tablesOf(c.Bench); err != nil {
		return nil, err
	}
	if s.Runs, err = listRuns(c.Bench); err != nil {
		return nil, err
	}
	for _, b := range data.Builtins() {
		s.Builtins = append(s.Builtins, named{b, data.BuiltinDoc(b)})
	}
	return s, nil
}
