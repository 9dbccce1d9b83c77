package workbench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/internal/safefile"
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
		return nil, usage("table: name one")
	case is && !slices.Contains(data.Builtins(), set):
		return nil, usage("table: no built-in table %q: choose one of %s", set, strings.Join(data.Builtins(), ", "))
	case is:
		return &table{name: name, builtin: set}, nil
	case name == b.options.Table:
		return &table{name: name, path: name}, nil
	}
	path, err := inside(b.options.Tables, "table", name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, usage("table: no table %q: upload it first", name)
	}
	return &table{name: name, path: path}, nil
}

// runPath returns the directory of a run.
func runPath(b *Bench, name string) (string, error) {
	path, err := inside(b.options.Runs, "run", name)
	if err != nil {
		return "", err
	}
	if info, err := os.Lstat(path); err != nil || !info.IsDir() { // a link may lead elsewhere
		return "", usage("run: no run %q", name)
	}
	if info, err := os.Lstat(filepath.Join(path, runs.ConfigFile)); err != nil || !info.Mode().IsRegular() {
		return "", usage("run: no run %q", name)
	}
	return path, nil
}

// inside returns the path of a name in a directory; what is not the name of a file there is an error.
func inside(dir, key, name string) (string, error) {
	if !plain(name) {
		return "", usage("%s: %q is not a name: want letters, digits, dots, dashes and underscores", key, name)
	}
	return filepath.Join(dir, name), nil
}

// plain reports whether a text is the name of a file that has no meaning beyond that, in any system.
func plain(name string) bool { return name != "" && safefile.Name(name) == name }

// entries returns the names in a directory for which is holds; none if it does not exist.
func entries(dir string, is func(fs.DirEntry) bool) ([]string, error) {
	all, err := os.ReadDir(directory(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return []string{}, nil
	}
	names := []string{}
	for _, e := range all {
		if plain(e.Name()) && is(e) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// directory returns the path of a directory; empty is the working directory.
func directory(path string) string { return filepath.Clean(path) }

// runsOf returns the names of the directories that may be runs.
func runsOf(b *Bench) ([]string, error) {
	return entries(b.options.Runs, func(e fs.DirEntry) bool { return e.IsDir() })
}

// tablesOf returns the names of the uploaded tables.
func tablesOf(b *Bench) ([]string, error) {
	return entries(b.options.Tables, func(e fs.DirEntry) bool { return e.Type().IsRegular() })
}
