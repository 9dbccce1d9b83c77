package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMetadata checks the fields of METADATA.
func TestMetadata(t *testing.T) {
	p := &project{Name: "tskgraph", Description: "Models", License: "MIT", LicenseFiles: []string{"LICENSE", "THIRD_PARTY.md"},
		Authors: []person{{Name: "Authors"}, {Name: "Ada", Email: "ada@example.org"}}, Keywords: []string{"fuzzy systems", "TSK"}, RequiresPython: ">=3.9",
		Dependencies: []string{"numpy>=1.21"}, Classifiers: []string{"Typing :: Typed"}, URLs: map[string]string{"Source": "https://example.org"},
		Optional: map[string][]string{"sklearn": {"scikit-learn>=1.2"}, "plots": {"matplotlib>=3.5"}}, Scripts: map[string]string{"tskgraph": "tskgraph.__main__:main"}}
	want := `Metadata-Version: 2.4
Name: tskgraph
Version: 1.0.0
Summary: Models
Author: Authors
Author-email: Ada <ada@example.org>
License-Expression: MIT
License-File: LICENSE
License-File: THIRD_PARTY.md
Keywords: fuzzy systems,TSK
Classifier: Typing :: Typed
Project-URL: Source, https://example.org
Requires-Python: >=3.9
Requires-Dist: numpy>=1.21
Provides-Extra: plots
Requires-Dist: matplotlib>=3.5; extra == "plots"
Provides-Extra: sklearn
Requires-Dist: scikit-learn>=1.2; extra == "sklearn"
Description-Content-Type: text/markdown

# tskgraph
`
	if got := p.metadata("1.0.0", "# tskgraph\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := p.entryPoints(); got != "[console_scripts]\ntskgraph = tskgraph.__main__:main\n" {
		t.Error(got)
	}
}

// TestReadProject checks that a pyproject.toml with less or more than wheels contain is refused, with its name.
func TestReadProject(t *testing.T) {
	whole, err := os.ReadFile("../../python/pyproject.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{"[project]\n", "[project]\nmaintainers = []\n", "project: "},
		{"license = ", "licence = ", "project: "},
		{`name = "tskgraph"`, `name = "Tsk-graph"`, "name, "},
		{"[project]", "[project", "pyproject.toml: toml"},
	} {
		dir := t.TempDir()
		changed := strings.Replace(string(whole), c.from, c.to, 1)
		if err := os.WriteFile(filepath.Join(dir, "pyproject.toml"), []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := readProject(dir)
		if c.want == "" && (err != nil || p.Scripts["tskgraph"] == "") {
			t.Errorf("%+v, %v", p, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir)) {
			t.Errorf("%s for %s: %v", c.to, c.from, err)
		}
	}
}

// TestModules checks that only the files of the package are packed, in order, and that links are refused.
func TestModules(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"p/b.py", "p/a.py", "p/py.typed", "p/__pycache__/a.cpython-311.pyc", "p/a.py~", "p/bin/program", "p/sub/c.css"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := modules(dir, "p")
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	if got := strings.Join(names, " "); err != nil || got != "p/a.py p/b.py p/py.typed p/sub/c.css" {
		t.Errorf("%s, %v", got, err)
	}
	if err := os.Symlink("a.py", filepath.Join(dir, "p", "link.py")); err != nil {
		t.Skip(err)
	}
	if _, err := modules(dir, "p"); err == nil || !strings.Contains(err.Error(), "link.py") {
		t.Errorf("a link: %v", err)
	}
}
