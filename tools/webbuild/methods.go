package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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

// packageFiles is what go list prints of a package.
type packageFiles struct {
	Dir                          string
	Module                       *struct{ Main bool }
	GoFiles, Imports, EmbedFiles []string
}

// templateNames returns the names of the methods that the templates of a program may call, sorted: names in the embedded files of
// packages that import a template package, which methods of the main module have.
func templateNames(g gotool, program string) ([]string, error) {
	out, err := g.output("list", "-deps", "-json=Dir,Module,GoFiles,Imports,EmbedFiles", program)
	if err != nil {
		return nil, err
	}
	named, methods := map[string]bool{}, map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p packageFiles
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		if err := p.addMethods(methods); err != nil {
			return nil, err
		}
		if slices.Contains(p.Imports, "text/template") || slices.Contains(p.Imports, "html/template") {
			if err := p.addNames(named); err != nil {
				return nil, err
			}
		}
	}
	maps.DeleteFunc(named, func(name string, _ bool) bool { return !methods[name] })
	return slices.Sorted(maps.Keys(named)), nil
}

// addNames adds the names in the actions of a package's templates.
func (p packageFiles) addNames(names map[string]bool) error {
	for _, file := range p.EmbedFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			return err
		}
		for _, a := range action.FindAll(text, -1) {
			for _, f := range field.FindAllSubmatch(a, -1) {
				names[string(f[1])] = true
			}
		}
	}
	return nil
}

// addMethods adds the names of a package's methods.
func (p packageFiles) addMethods(names map[string]bool) error {
	for _, file := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Recv != nil {
				names[function.Name.Name] = true
			}
		}
	}
	return nil
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
