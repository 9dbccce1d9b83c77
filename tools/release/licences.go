package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/tools/checkout"
)

// systems are the operating systems with different linked modules.
var systems = [][]string{
	{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}, {"GOOS=darwin", "GOARCH=amd64", "CGO_ENABLED=0"},
	{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"},
}

// thirdParty returns the page THIRD_PARTY.md for a command of the module at root.
func thirdParty(root, command string) ([]byte, error) {
	modules, err := linked(root, command, systems)
	if err != nil {
		return nil, err
	}
	return licencesOf("# Third-party licences\n\nThe command contains these modules and the standard library of Go. `make licences` "+
		"writes this page; `make check` refuses one that is stale.\n\n", modules)
}

// module is a linked module, or other work in a program.
type module struct {
	path, version string
	dirs          map[string]bool // of its linked packages, and its root
}

// workAt returns a work whose licence is in a directory.
func workAt(path, version, dir string) module {
	return module{path, version, map[string]bool{dir: true}}
}

// licencesOf returns a page of Markdown about modules, after a heading with its introduction. A module without a licence is an error.
func licencesOf(head string, modules []module) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(head + "| module | version | licence |\n|---|---|---|\n")
	texts := map[string][]string{} // modules by licence text
	for _, m := range modules {
		kinds, found, err := m.licences()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.path, m.version, strings.Join(kinds, ", "))
		for _, text := range found {
			texts[text] = append(texts[text], m.path)
		}
	}
	order := slices.SortedFunc(maps.Keys(texts), func(a, b string) int { return strings.Compare(texts[a][0]+a, texts[b][0]+b) })
	for _, text := range order {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s\n```\n", strings.Join(texts[text], ", "), text)
	}
	return b.Bytes(), nil
}

// linkedForm prints path, version and directory of the module of a linked package, and the directory of the package.
const linkedForm = `{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}} {{.Dir}} {{$.Dir}}{{end}}{{end}}`

// linked returns the modules that are linked into a program of the module at root, for any of several environments of the go command,
// sorted by path, after the standard library, without those of this repository.
func linked(root, program string, environments [][]string) ([]module, error) {
	found := map[string]module{}
	for _, env := range environments {
		out, err := checkout.Go(root, env, "list", "-deps", "-f", linkedForm, program)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) != 4 {
				continue
			}
			if _, ok := found[f[0]]; !ok {
				found[f[0]] = workAt(f[0], f[1], f[2])
			}
			found[f[0]].dirs[f[3]] = true
		}
	}
	goroot, err := checkout.Go(root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	all := []module{workAt("the standard library of Go", "as built", strings.TrimSpace(string(goroot)))}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[path])
	}
	return all, nil
}

// licenceFile matches the names of files with licences and notices.
var licenceFile = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^copying|^notice`)

// licences returns the kinds and the texts of a module's licences.
func (m module) licences() (kinds, texts []string, err error) {
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
		return nil, nil, fmt.Errorf("%s %s has no licence in %v", m.path, m.version, slices.Sorted(maps.Keys(m.dirs)))
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
}

// unknown is the kind of a licence that is not recognised.
const unknown = "see its text"

// kindOf returns the SPDX identifier of a licence, or unknown.
func kindOf(text string) string {
	plain := strings.Join(strings.Fields(text), " ")
	for _, p := range phrases {
		if strings.Contains(plain, p.words) {
			return p.kind
		}
	}
	return unknown
}
