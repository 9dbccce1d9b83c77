package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// templateLookup takes the place of a method's lookup in text/template.
const templateLookup = "templateMethod(ptr, fieldName)"

var (
	action = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	field  = regexp.MustCompile(`\.([A-Z][A-Za-z0-9_]*)`)
)

// templateNames returns the names of fields and methods in the templates of a program, sorted: in the embedded files of the
// packages that import a template package.
func templateNames(g gotool, program string) ([]string, error) {
	out, err := g.output("list", "-deps", "-json=Dir,Imports,EmbedFiles", program)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir                 string
			Imports, EmbedFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if !slices.Contains(p.Imports, "text/template") && !slices.Contains(p.Imports, "html/template") {
			continue
		}
		for _, file := range p.EmbedFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return nil, err
			}
			for _, a := range action.FindAll(text, -1) {
				for _, f := range field.FindAllSubmatch(a, -1) {
					names[string(f[1])] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// templateMethods returns the source of a function that looks up a method as reflect's does, by constant names, so that the
// linker keeps no other methods.
func templateMethods(names []string) string {
	var b bytes.Buffer
	fmt.Fprint(&b, "\nfunc templateMethod(v reflect.Value, name string) reflect.Value {\n\tswitch name {\n")
	for _, name := range names {
		fmt.Fprintf(&b, "\tcase %q:\n\t\treturn v.MethodByName(%[1]q)\n", name)
	}
	fmt.Fprint(&b, "\t}\n\treturn reflect.Value{}\n}\n")
	return b.String()
}
