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
	program = "./web/wasm"
	largest = 5_000_000 // bytes that loading the page transfers
)

// write writes the page of a checkout to a directory, and prints the sizes of its files.
func write(root, out string) error {
	files, err := build(root)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(out, name), files[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%9d  %s\n", len(files[name]), name)
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
	return files, nil
}
