package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
