package tskgraph_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// The limits of size. Tests and generated code are exempt.
const (
	mostLines  = 60 // of a function
	mostAtRoot = 5  // source files of the root package
)

// TestHouseLimits holds every function and the root package to the limits.
func TestHouseLimits(t *testing.T) {
	racedetector.Skip(t)
	h := houseAt(t, ".")
	for _, name := range h.longFunctions() {
		t.Errorf("%s: a function of more than %d lines", name, mostLines)
	}
	if n := h.filesOf("."); n > mostAtRoot {
		t.Errorf("the root package has %d source files, want at most %d", n, mostAtRoot)
	}
}

// TestHouseLimitsCatch holds the measures against a small house that breaks them.
func TestHouseLimitsCatch(t *testing.T) {
	h := houseAt(t, "testdata/overgrown")
	if got := h.longFunctions(); !slices.Equal(got, []string{"testdata/overgrown.(T).Long", "testdata/overgrown.literal"}) {
		t.Errorf("long functions: %q", got)
	}
}

// house is the source files of a tree, by their paths.
type house struct {
	fset  *token.FileSet
	files map[string]*ast.File
}

// houseAt parses the source files at and below a directory, without those of one
// platform only: they repeat the methods of their portable neighbours.
func houseAt(t *testing.T, root string) house {
	t.Helper()
	anywhere := build.Context{GOOS: "any", GOARCH: "any", Compiler: "gc"}
	h := house{token.NewFileSet(), map[string]*ast.File{}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if hidden := strings.HasPrefix(d.Name(), ".") && path != "."; d.IsDir() && path != root && (hidden || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		if portable, err := anywhere.MatchFile(filepath.Dir(path), d.Name()); err != nil || !portable {
			return err
		}
		f, err := parser.ParseFile(h.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil && !ast.IsGenerated(f) {
			h.files[filepath.ToSlash(path)] = f
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// longFunctions returns the names of the functions and of the variables whose
// function literals exceed the limit, sorted.
func (h house) longFunctions() []string {
	var names []string
	for path, f := range h.files {
		for _, d := range f.Decls {
			if h.lines(d) > mostLines {
				names = append(names, h.tooLong(filepath.Dir(path), d)...)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// tooLong returns the names of what is too long in a declaration.
func (h house) tooLong(dir string, d ast.Decl) (names []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		name := f.Name.Name
		if f.Recv != nil {
			name = "(" + receiver(f) + ")." + name
		}
		return []string{qualified(dir, name)}
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		ast.Inspect(spec, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncLit); ok && h.lines(f) > mostLines {
				names = append(names, qualified(dir, spec.(*ast.ValueSpec).Names[0].Name))
			}
			return true
		})
	}
	return names
}

// filesOf counts the source files of a directory.
func (h house) filesOf(dir string) (n int) {
	for path := range h.files {
		if filepath.Dir(path) == dir {
			n++
		}
	}
	return n
}

// qualified is a name with its package's directory; in the root package the name alone.
func qualified(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "." + name
}

// lines is how many lines a node spans.
func (h house) lines(n ast.Node) int {
	return h.fset.Position(n.End()).Line - h.fset.Position(n.Pos()).Line + 1
}

// receiver is the name of a method's type.
func receiver(m *ast.FuncDecl) string {
	e := m.Recv.List[0].Type
	for {
		switch v := e.(type) {
		case *ast.StarExpr:
			e = v.X
		case *ast.IndexExpr:
			e = v.X
		case *ast.IndexListExpr:
			e = v.X
		default:
			return v.(*ast.Ident).Name
		}
	}
}
