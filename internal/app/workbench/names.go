package workbench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// builtin is what the names of built-in tables begin with.
const builtin = "builtin:"

// table is where the rows of a table come from.
type table struct {
	name    string // as the page has it
	path    string // data.path
	builtin string // data.builtin, if path is empty
}

// find returns the table of a name: a built-in one, the one that the program was given, or an uploaded one.
func find(b *Bench, name string) (*table, error) {
	switch set, is := strings.CutPrefix(name, builtin); {
	case name == "":
		return nil, message.Usagef("table: name one")
	case is && !slices.Contains(data.Builtins(), set):
		return nil, message.Usagef("table: no built-in table %q: choose one of %s", set, strings.Join(data.Builtins(), ", "))
	case is:
		return &table{name: name, builtin: set}, nil
	case name == b.options.Table:
		return &table{name: name, path: name}, nil
	}
	path, err := inside(b.options.Tables, "table", name)
	if err != nil {
		return nil, err
	}
	switch names, err := tablesOf(b); {
	case err != nil:
		return nil, err
	case !slices.Contains(names, name):
		return nil, message.Usagef("table: no table %q: upload it first", name)
	}
	return &table{name: name, path: path}, nil
}

// runPath returns the directory of a run. That of the tables is none, whatever they are called.
func runPath(b *Bench, name string) (string, error) {
	path, err := inside(b.options.Runs, "run", name)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() { // a link may lead elsewhere
		return "", message.Usagef("run: no run %q", name)
	}
	if tables, err := os.Lstat(b.options.Tables); err == nil && os.SameFile(info, tables) {
		return "", message.Usagef("run: no run %q", name)
	}
	if info, err := os.Lstat(filepath.Join(path, runs.ConfigFile)); err != nil || !info.Mode().IsRegular() {
		return "", message.Usagef("run: no run %q", name)
	}
	return path, nil
}

// inside returns the path of a name in a directory; what is not the name of a file there is an error.
func inside(dir, key, name string) (string, error) {
	if !plain(name) {
		return "", message.Usagef("%s: %q is not a name: want letters, digits, dots, dashes and underscores", key, name)
	}
	return filepath.Join(dir, name), nil
}

// plain reports whether a text is the name of a file that has no meaning beyond that, in any system.
func plain(name string) bool { return name != "" && safefile.Name(name) == name }

// runsOf returns the names of the directories that may be runs; none if that of the runs does not exist.
func runsOf(b *Bench) (names []string, err error) {
	all, err := os.ReadDir(filepath.Clean(b.options.Runs))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range all {
		if plain(e.Name()) && e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}
