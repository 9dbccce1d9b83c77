// Package licences lists the modules that are linked into a program, with their licences.
package licences

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is a linked module, or other work in a program.
type Module struct {
	Path, Version string
	dirs          map[string]bool // of its linked packages, and its root
}

// At returns a work whose licence is in a directory.
func At(path, version, dir string) Module { return Module{path, version, map[string]bool{dir: true}} }

// Page returns a page of Markdown about modules, after a heading with its introduction. A module without a licence is an error.
func Page(head string, modules []Module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(head + "| module | version | licence |\n|---|---|---|\n")
	texts := map[string][]string{} // modules by licence text
	for _, m := range modules {
		kinds, found, err := m.licences()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.Path, m.Version, strings.Join(kinds, ", "))
		for _, text := range found {
			texts[text] = append(texts[text], m.Path)
		}
	}
	order := slices.SortedFunc(maps.Keys(texts), func(a, b string) int { return strings.Compare(texts[a][0]+a, texts[b][0]+b) })
	for _, text := range order {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n```\n", strings.Join(texts[text], ", "), text)
	}
	return b.Bytes(), nil
}

// Linked returns the modules that are linked into a program of the module at root, for any of several environments of the go command,
// sorted by path, after the standard library, without those of this repository.
func Linked(root, program string, environments [][]string) ([]Module, error) {
	found := map[string]Module{}
	for _, env := range environments {
		cmd := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}} {{.Dir}} {{$.Dir}}{{end}}{{end}}`, program)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", env, err)
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) != 4 {
				continue
			}
			if _, ok := found[f[0]]; !ok {
				found[f[0]] = At(f[0], f[1], f[2])
			}
			found[f[0]].dirs[f[3]] = true
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	all := []Module{At("the standard library of Go", "as built", strings.TrimSpace(string(goroot)))}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[path])
	}
	return all, nil
}

// licenceFile matches the names of files with licences and notices.
var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice`)

// licences returns the kinds and the texts of a module's licences.
func (m Module) licences() (kinds, texts []string, err error) {
	for _, dir := range slices.Sorted(maps.Keys(m.dirs)) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || !licenceFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
				continue
			}
			content, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, nil, err
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(content), "\r\n", "\n"))
			if kind := kindOf(text); !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return nil, nil, fmt.Errorf("%s %s has no licence in %v", m.Path, m.Version, slices.Sorted(maps.Keys(m.dirs)))
	}
	return kinds, texts, nil
}

// phrases identify licences by their text; the first that matches counts.
var phrases = []struct{ words, kind string }{
	{"SIL OPEN FONT LICENSE", "OFL-1.1"},
	{"Apache License", "Apache-2.0"},
	{"Mozilla Public License", "MPL-2.0"},
	{"GNU GENERAL PUBLIC LICENSE", "GPL"},
	{"FreeType", "FTL"},
	{"Neither the name", "BSD-3-Clause"},
	{"name of the copyright holder", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Permission to use, copy, modify, and/or distribute", "ISC"},
	{"Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0"},
	{"Creative Commons Attribution 4.0", "CC-BY-4.0"},
	{"Creative Commons Attribution 3.0", "CC-BY-3.0"},
	{"This is free and unencumbered software", "Unlicense"},
	{"dedicated to the public domain", "public domain"},
	{"This product includes software developed at Datadog", "a notice"},
	{"Component,Origin,License", "a notice"},
	{"Memory_infra_logo.png", "a logo, which is not linked"},
}

// Unknown is the kind of a licence that is not recognised.
const Unknown = "see its text"

// kindOf returns the SPDX identifier of a licence, or Unknown.
func kindOf(text string) string {
	plain := strings.Join(strings.Fields(text), " ")
	for _, p := range phrases {
		if strings.Contains(plain, p.words) {
			return p.kind
		}
	}
	return Unknown
}
