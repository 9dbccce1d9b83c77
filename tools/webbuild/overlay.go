package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// modulesDir is where the modules with cuts seem to be in the checkout. Their paths are in the program, so that they must not
// depend on the machine.
const modulesDir = "tools/webbuild/modules"

// overlay has the flags by which the go command builds a checkout with the cuts.
type overlay struct {
	root    string // of the checkout
	goroot  string
	dir     string // has the files that differ
	replace map[string]string
	files   int
}

// newOverlay writes the changed files to a directory.
func newOverlay(g gotool, dir string, names []string) (*overlay, error) {
	o := &overlay{root: g.root, dir: dir, replace: map[string]string{}}
	goroot, err := g.output("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	o.goroot = strings.TrimSpace(string(goroot))
	sources := map[string]string{std: filepath.Join(o.goroot, "src")} // by module
	targets := map[string]string{std: sources[std]}
	for _, c := range cuts {
		if sources[c.module] == "" {
			source, modfile, err := g.module(c.module)
			if err != nil {
				return nil, err
			}
			target := filepath.Join(o.root, filepath.FromSlash(modulesDir), filepath.FromSlash(c.module))
			if err := o.show(source, target); err != nil {
				return nil, err
			}
			o.replace[filepath.Join(target, "go.mod")] = modfile
			sources[c.module], targets[c.module] = source, target
		}
		if slices.ContainsFunc(c.edits, func(e edit) bool { return e.new == templateLookup }) {
			c.add = templateMethods(names)
		}
		dir := filepath.FromSlash(c.dir)
		if err := o.cut(c, filepath.Join(sources[c.module], dir), filepath.Join(targets[c.module], dir)); err != nil {
			return nil, fmt.Errorf("%s/%s: %w: has the version changed? See tools/webbuild/cuts.go", c.module, c.dir, err)
		}
	}
	delete(sources, std)
	return o, o.write(slices.Sorted(maps.Keys(sources)))
}

// show lets a directory of the checkout show the files of a module. An empty file of assembly, without which the compiler wants
// every function to have a body, would need the directory itself.
func (o *overlay) show(source, target string) error {
	return filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() == 0 {
			return err
		}
		relative, err := filepath.Rel(source, path)
		o.replace[filepath.Join(target, relative)] = path
		return err
	})
}

// cut writes the files of a package that a cut changes.
func (o *overlay) cut(c cut, source, target string) error {
	files, err := filepath.Glob(filepath.Join(source, c.file))
	if err != nil {
		return err
	}
	found := map[string]bool{}
	for _, path := range files {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed, done, err := c.apply(path, text)
		if err != nil {
			return err
		}
		maps.Copy(found, done)
		if string(changed) == string(text) {
			continue
		}
		o.files++
		file := filepath.Join(o.dir, fmt.Sprintf("%d.go", o.files))
		if err := os.WriteFile(file, changed, 0o644); err != nil {
			return err
		}
		o.replace[filepath.Join(target, filepath.Base(path))] = file
	}
	names := slices.Concat(c.remove, c.stub, c.cases)
	for _, e := range c.edits {
		names = append(names, e.old)
	}
	for _, name := range names {
		if !found[name] {
			return fmt.Errorf("%s has no %q", c.file, name)
		}
	}
	return nil
}

// write writes the modified go.mod and the list of files.
func (o *overlay) write(modules []string) error {
	mod, err := os.ReadFile(filepath.Join(o.root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(o.root, "go.sum"))
	if err != nil {
		return err
	}
	for _, m := range modules {
		mod = fmt.Appendf(mod, "\nreplace %s => ./%s/%s\n", m, modulesDir, m)
	}
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{"go.mod": mod, "go.sum": sum, "overlay.json": list} {
		if err := os.WriteFile(filepath.Join(o.dir, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// flags are the flags of go build and go list.
func (o *overlay) flags() []string {
	return []string{"-mod=readonly", "-modfile=" + filepath.Join(o.dir, "go.mod"), "-overlay=" + filepath.Join(o.dir, "overlay.json")}
}
