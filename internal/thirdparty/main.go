// Command thirdparty prints THIRD_PARTY.md: the modules that are linked into a command on any platform of a release, with
// their licences. It fails if a module has none. Usage:
//
//	thirdparty [DIRECTORY PACKAGE]
//
// DIRECTORY is that of the command's module, and PACKAGE its package there; by default . and ./cmd/tskgraph.
package main

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

// platforms are the operating systems with different linked modules.
var platforms = []string{"linux", "darwin", "windows"}

// module is a linked module.
type module struct {
	path, version string
	dirs          map[string]bool // of its linked packages, and its root
}

func main() {
	root, command := ".", "./cmd/tskgraph"
	if len(os.Args) == 3 {
		root, command = os.Args[1], os.Args[2]
	}
	page, err := thirdParty(root, command)
	if err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
	os.Stdout.Write(page)
}

// thirdParty returns the page for a command of the module at root.
func thirdParty(root, command string) ([]byte, error) {
	modules, err := linked(root, command)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("# Third-party licences\n\nThe command contains these modules and the standard library of Go. `make licences` writes this page; `make check` refuses one that is stale.\n\n" +
		"| module | version | licence |\n|---|---|---|\n")
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

// linked returns the modules that are linked into a command on any platform, sorted by path, after the standard library,
// without those of this repository.
func linked(root, command string) ([]module, error) {
	found := map[string]*module{}
	for _, platform := range platforms {
		cmd := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}} {{.Dir}} {{$.Dir}}{{end}}{{end}}`, command)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform, "GOARCH=amd64")
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", platform, err)
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) != 4 {
				continue
			}
			if found[f[0]] == nil {
				found[f[0]] = &module{path: f[0], version: f[1], dirs: map[string]bool{f[2]: true}}
			}
			found[f[0]].dirs[f[3]] = true
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	all := []module{{path: "the standard library of Go", version: "as built", dirs: map[string]bool{strings.TrimSpace(string(goroot)): true}}}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[path])
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
	{"Memory_infra_logo.png", "a logo, which is not linked"},
}

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
