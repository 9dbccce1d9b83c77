package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// engine is the program that trains in the browser.
type engine struct {
	tool    gotool
	program string // its package
	overlay *overlay
}

// newEngine prepares the build of a package of the checkout; it writes files to a directory.
func newEngine(root, program, dir string) (*engine, error) {
	e := &engine{tool: gotool{root}, program: program}
	names, err := templateNames(e.tool, program)
	if err != nil {
		return nil, err
	}
	e.overlay, err = newOverlay(e.tool, dir, names)
	return e, err
}

// build returns the program as a WebAssembly module. The same sources and version of Go give the same bytes.
func (e *engine) build() ([]byte, error) {
	path := filepath.Join(e.overlay.dir, "tskgraph.wasm")
	args := slices.Concat([]string{"build"}, e.overlay.flags(), []string{"-trimpath", "-buildvcs=false", "-tags=", "-asmflags=", "-race=false", "-cover=false", "-pgo=off", "-gcflags="})
	for _, packages := range compact {
		args = append(args, "-gcflags="+packages+"=-l")
	}
	args = append(args, "-ldflags=-s -w -buildid= -dumpdep", "-o", path, e.program)
	_, log, err := e.tool.run(args...)
	edges, messages := split(log)
	if err != nil {
		return nil, fmt.Errorf("go build %s: %w: %s", e.program, err, messages)
	}
	if err := checkLookups(edges); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// split separates the edges of the linker's graph of symbols, "from -> to", from messages.
func split(log []byte) (edges []string, messages string) {
	var other bytes.Buffer
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, " -> ") {
			edges = append(edges, strings.TrimSpace(line))
		} else {
			other.WriteString(line)
		}
	}
	return edges, strings.TrimSpace(other.String())
}

// checkLookups returns an error if a linked function looks up a method by a name that is not constant: the linker then keeps all
// methods of all types, which doubles the program. It names the functions.
func checkLookups(edges []string) error {
	if len(edges) == 0 {
		return fmt.Errorf("the linker printed no graph of symbols")
	}
	var found []string
	for _, edge := range edges {
		_, to, _ := strings.Cut(edge, " -> ")
		if name, flags, _ := strings.Cut(to, " "); strings.Contains(flags, "<ReflectMethod>") && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	// Functions of package reflect are linked because of others.
	if others := slices.DeleteFunc(slices.Clone(found), func(s string) bool { return strings.HasPrefix(s, "reflect.") }); len(others) > 0 {
		found = others
	}
	if len(found) > 0 {
		return fmt.Errorf("the linker keeps the methods of all types because of %s: leave out these functions in tools/webbuild/cuts.go", strings.Join(found, ", "))
	}
	return nil
}
