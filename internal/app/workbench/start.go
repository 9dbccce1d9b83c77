package workbench

import (
	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

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
