package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/tskgraph/tskgraph/web"
)

const (
	program     = "./web/wasm"
	noticesFile = "LICENSE.txt"
	largest     = 5_000_000 // bytes that loading the page transfers
)

// idle are the files that a page from a host does not load: notices, and what pages from the disk load instead of the program.
var idle = []string{noticesFile, "tskgraph.wasm.js"}

// write writes the page of a checkout to a directory.
func write(root, out string) error {
	files, err := build(root)
	if err != nil {
		return err
	}
	return save(files, out)
}

// save writes files to a directory, prints their sizes, and returns an error if opening the page transfers too much.
func save(files map[string][]byte, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	total := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		note := ""
		if slices.Contains(idle, name) {
			note = "  (not loaded from a host)"
		} else {
			total += len(files[name])
		}
		if err := os.WriteFile(filepath.Join(out, name), files[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%9d  %s%s\n", len(files[name]), name, note)
	}
	fmt.Printf("%9d  bytes are transferred when the page is opened\n", total)
	if total > largest {
		return fmt.Errorf("opening the page transfers %d bytes: at most %d are allowed; what in the program is new and large?", total, largest)
	}
	return nil
}

// build returns the files of the page of a checkout, by name.
func build(root string) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-web-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	root, err = filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	e, err := newEngine(root, program, dir)
	if err != nil {
		return nil, err
	}
	module, err := e.build()
	if err != nil {
		return nil, err
	}
	packed, err := compressed(module)
	if err != nil {
		return nil, err
	}
	support, err := os.ReadFile(filepath.Join(e.overlay.goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	files, err := web.Page("wasm")
	if err != nil {
		return nil, err
	}
	maps.Copy(files, web.Engine(packed, support))
	files[noticesFile], err = e.notices()
	return files, err
}
