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

	"github.com/pelletier/go-toml/v2"
)

// project is the table of that name of pyproject.toml. The version is not in it, but that of the command.
type project struct {
	Name           string              `toml:"name"`
	Dynamic        []string            `toml:"dynamic"`
	Description    string              `toml:"description"`
	Readme         string              `toml:"readme"`
	License        string              `toml:"license"`       // SPDX expression
	LicenseFiles   []string            `toml:"license-files"` // of the repository
	Authors        []person            `toml:"authors"`
	Keywords       []string            `toml:"keywords"`
	RequiresPython string              `toml:"requires-python"`
	Dependencies   []string            `toml:"dependencies"`
	Classifiers    []string            `toml:"classifiers"`
	Optional       map[string][]string `toml:"optional-dependencies"`
	URLs           map[string]string   `toml:"urls"`
	Scripts        map[string]string   `toml:"scripts"`
}

type person struct {
	Name  string `toml:"name"`
	Email string `toml:"email"`
}

// readProject reads the pyproject.toml of a directory. Keys of the project that wheels would not contain are an error.
func readProject(dir string) (*project, error) {
	path := filepath.Join(dir, "pyproject.toml")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var whole struct {
		Project map[string]any `toml:"project"`
	}
	if err := toml.Unmarshal(text, &whole); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	table, err := toml.Marshal(whole.Project)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var p project
	if err := toml.NewDecoder(bytes.NewReader(table)).DisallowUnknownFields().Decode(&p); err != nil {
		return nil, fmt.Errorf("%s: project: %w", path, err)
	}
	if !nameForm.MatchString(p.Name) || p.Description == "" || p.License == "" || len(p.LicenseFiles) == 0 || p.RequiresPython == "" ||
		p.Readme == "" {
		return nil, fmt.Errorf("%s: project: name, description, readme, license, license-files and requires-python are needed", path)
	}
	return &p, nil
}

// nameForm is a normalised name, which is the same in the name of a file.
var nameForm = regexp.MustCompile(`^[a-z0-9]+$`)

var versionForm = regexp.MustCompile(`^(\d+\.\d+\.\d+)(-dev|-rc\.(\d+))?$`)

// pythonVersion returns a version of the command as PEP 440 writes it: 0.1.0-dev is 0.1.0.dev0, and 0.1.0-rc.2 is 0.1.0rc2.
func pythonVersion(version string) (string, error) {
	m := versionForm.FindStringSubmatch(version)
	switch {
	case m == nil:
		return "", fmt.Errorf("version %q: want 1.2.3, 1.2.3-dev or 1.2.3-rc.1", version)
	case m[2] == "":
		return m[1], nil
	case m[2] == "-dev":
		return m[1] + ".dev0", nil
	}
	return m[1] + "rc" + m[3], nil
}

// metadata returns the file METADATA of a wheel (core metadata 2.4) with the text of the project's page.
func (p *project) metadata(version, readme string) string {
	var b strings.Builder
	field := func(name string, values ...string) {
		for _, v := range values {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	field("Metadata-Version", "2.4")
	field("Name", p.Name)
	field("Version", version)
	field("Summary", p.Description)
	for _, a := range p.Authors {
		if a.Email != "" {
			field("Author-email", a.Name+" <"+a.Email+">")
		} else {
			field("Author", a.Name)
		}
	}
	field("License-Expression", p.License)
	field("License-File", p.LicenseFiles...)
	field("Keywords", strings.Join(p.Keywords, ","))
	field("Classifier", p.Classifiers...)
	for _, label := range slices.Sorted(maps.Keys(p.URLs)) {
		field("Project-URL", label+", "+p.URLs[label])
	}
	field("Requires-Python", p.RequiresPython)
	field("Requires-Dist", p.Dependencies...)
	for _, extra := range slices.Sorted(maps.Keys(p.Optional)) {
		field("Provides-Extra", extra)
		for _, requirement := range p.Optional[extra] {
			field("Requires-Dist", fmt.Sprintf("%s; extra == %q", requirement, extra))
		}
	}
	field("Description-Content-Type", "text/markdown")
	return b.String() + "\n" + readme
}

// entryPoints returns the file entry_points.txt: the commands that pip writes.
func (p *project) entryPoints() string {
	var b strings.Builder
	b.WriteString("[console_scripts]\n")
	for _, name := range slices.Sorted(maps.Keys(p.Scripts)) {
		fmt.Fprintf(&b, "%s = %s\n", name, p.Scripts[name])
	}
	return b.String()
}
