package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/tools/licences"
)

// notices returns the licence of tskgraph and those of what the page contains.
func (e *engine) notices() ([]byte, error) {
	own, err := os.ReadFile(filepath.Join(e.tool.root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	out, err := e.tool.output(slices.Concat([]string{"list", "-deps"}, e.overlay.flags(), []string{"-f", "{{with .Module}}{{.Path}}{{end}}", e.program})...)
	if err != nil {
		return nil, err
	}
	linked := strings.Fields(string(out)) // without what is cut, whose packages the program's own imports name
	modules, err := licences.Linked(e.tool.root, e.program, [][]string{{"GOOS=js", "GOARCH=wasm"}})
	if err != nil {
		return nil, err
	}
	library := modules[0]
	modules = slices.DeleteFunc(modules[1:], func(m licences.Module) bool { return !slices.Contains(linked, m.Path) })
	modules = append([]licences.Module{library}, modules...)
	modules = append(modules, licences.At("fzstd", "0.1.1", filepath.Join(e.tool.root, "web", "page", "fzstd")))
	return licences.Page(string(own)+"\n# Third-party licences\n\nThe page contains these modules and the standard library of Go.\n\n", modules)
}
