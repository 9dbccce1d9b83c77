package tskgraph_test

import (
	"go/ast"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestSignatures: other modules can call, implement and set what a public package exports. Signatures, fields and interfaces
// name no package below internal, signatures and interfaces no unexported type, and interfaces have no unexported method.
func TestSignatures(t *testing.T) {
	racedetector.Skip(t)
	for _, fault := range houseAt(t, ".").closed() {
		t.Error(fault)
	}
}

// TestSignaturesCatch finds each kind of fault in testdata/closed.
func TestSignaturesCatch(t *testing.T) {
	want := []string{"F: hidden", "I: hidden", "I: sealed", "T: kernel.Curves"}
	got := houseAt(t, "testdata/closed").closed()
	for i, name := range got {
		got[i] = strings.TrimPrefix(name, "testdata/closed.")
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// closed returns what exported declarations of public packages name that other modules cannot, sorted.
func (h house) closed() (faults []string) {
	for file, f := range h.files {
		dir := filepath.ToSlash(filepath.Dir(file))
		if f.Name.Name == "main" || slices.Contains(strings.Split(dir, "/"), "internal") || strings.HasPrefix(dir, "beam/") {
			continue
		}
		internal := map[string]bool{}
		for _, spec := range f.Imports {
			if from, _ := strconv.Unquote(spec.Path.Value); strings.Contains(from, "/internal/") {
				internal[path.Base(from)] = true
			}
		}
		for _, d := range f.Decls {
			for name, of := range exported(d) {
				for _, fault := range hidden(of, internal) {
					faults = append(faults, qualified(dir, name)+": "+fault)
				}
			}
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// exported returns the exported parts of a declaration by their names: the signature of a function or method, a type.
func exported(d ast.Decl) map[string]ast.Node {
	parts := map[string]ast.Node{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d))) {
			parts[d.Name.Name] = d.Type
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() && !s.Assign.IsValid() {
				parts[s.Name.Name] = s.Type
			}
		}
	}
	return parts
}

// hidden returns the names in a type that other modules cannot use.
func hidden(of ast.Node, internal map[string]bool) (names []string) {
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType: // exported fields; those of unexported types are for their package alone
			for _, field := range n.Fields.List {
				if slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
					own := func(name string) bool { return !strings.Contains(name, ".") }
					names = append(names, slices.DeleteFunc(hidden(field.Type, internal), own)...)
				}
			}
			return false
		case *ast.Field: // of a function or an interface: without its name, unless that of a method
			if _, method := n.Type.(*ast.FuncType); method && isMethod(of, n) && !n.Names[0].IsExported() {
				names = append(names, n.Names[0].Name)
			}
			names = append(names, hidden(n.Type, internal)...)
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && internal[x.Name] {
				names = append(names, x.Name+"."+n.Sel.Name)
			}
			return false
		case *ast.Ident:
			if !n.IsExported() && types.Universe.Lookup(n.Name) == nil {
				names = append(names, n.Name)
			}
		}
		return true
	})
	return names
}

// isMethod reports whether a field is a method of an interface.
func isMethod(of ast.Node, field *ast.Field) bool {
	i, ok := of.(*ast.InterfaceType)
	return ok && slices.Contains(i.Methods.List, field)
}
