package tskgraph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// The limits of size. Of functions, files and packages, tests are exempt, and generated code of functions and lines.
const (
	mostLines    = 60   // of a function
	mostAtRoot   = 5    // source files of the root package
	mostFiles    = 671  // source files of the module
	mostPackages = 88   // of the module
	mostExported = 1352 // names of public packages, with methods
	mostColumns  = 140  // of a line, tests included; a tab counts as one
	mostWide     = 0    // lines of more columns
)

// TestHouseLimits holds every function and the root package to the limits, and the module to those of files, packages, exported names and
// columns.
func TestHouseLimits(t *testing.T) {
	testenv.SkipRace(t)
	h := houseAt(t, ".")
	for _, name := range h.longFunctions() {
		t.Errorf("%s: a function of more than %d lines", name, mostLines)
	}
	size := h.size()
	for _, c := range []struct {
		what    string
		is, may int
	}{{"source files of the root package", size.root, mostAtRoot}, {"source files", size.files, mostFiles},
		{"packages", len(size.packages), mostPackages}, {"exported names in public packages", size.exported, mostExported}} {
		if c.is > c.may {
			t.Errorf("%d %s, want at most %d", c.is, c.what, c.may)
		}
	}
	if n := len(size.wide); n > mostWide {
		t.Errorf("%d lines of more than %d columns, want at most %d: %s", n, mostColumns, mostWide, strings.Join(size.wide[:min(n, 20)], ", "))
	}
}

// TestHouseLimitsCatch holds the measures against a small house that breaks them.
func TestHouseLimitsCatch(t *testing.T) {
	h := houseAt(t, "testdata/overgrown")
	if got := h.longFunctions(); !slices.Equal(got, []string{"testdata/overgrown.(T).Long", "testdata/overgrown.literal"}) {
		t.Errorf("long functions: %q", got)
	}
	want := []string{"testdata/overgrown/a.go:10"}
	if s := h.size(); s.files != 3 || len(s.packages) != 1 || s.exported != 6 || !slices.Equal(s.wide, want) {
		t.Errorf("%+v, want lines %q", s, want)
	}
}

// source is a Go file.
type source struct {
	*ast.File
	path, dir             string
	text                  string
	test, generated, only bool // only: of one platform, whose files repeat the methods of their portable neighbours
	other                 bool // of another module
}

// internal reports whether the file is of an internal package.
func (f source) internal() bool { return slices.Contains(strings.Split(f.dir, "/"), "internal") }

// house is the Go files of a tree.
type house struct {
	fset  *token.FileSet
	files []source
}

// houseAt parses the Go files at and below a directory.
func houseAt(t *testing.T, root string) house {
	t.Helper()
	anywhere := build.Context{GOOS: "any", GOARCH: "any", Compiler: "gc"}
	h, others := house{fset: token.NewFileSet()}, []string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" && !d.IsDir() {
			return err
		}
		if d.IsDir() && path != root {
			if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				others = append(others, path)
			}
		}
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f := source{path: filepath.ToSlash(path), dir: filepath.ToSlash(filepath.Dir(path)), text: string(text)}
		if f.File, err = parser.ParseFile(h.fset, path, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
		portable, err := anywhere.MatchFile(filepath.Dir(path), d.Name())
		f.test, f.generated, f.only = strings.HasSuffix(path, "_test.go"), ast.IsGenerated(f.File), !portable
		f.other = slices.ContainsFunc(others, func(dir string) bool { return strings.HasPrefix(path, dir+string(filepath.Separator)) })
		h.files = append(h.files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// written yields the source files that people write for all platforms.
func (h house) written() iter.Seq[source] {
	return func(yield func(source) bool) {
		for _, f := range h.files {
			if !f.test && !f.generated && !f.only && !yield(f) {
				return
			}
		}
	}
}

// size is what the limits of a module count.
type size struct {
	root     int // source files of the root package
	files    int
	packages map[string]bool
	exported int      // functions, methods, types, variables and constants outside of internal and of programs
	wide     []string // lines, as path:line
}

// ofNumbers matches lines of tables of numbers.
var ofNumbers = regexp.MustCompile(`^[\s0-9.,+eExXa-fA-F{}()-]*$`)

// size counts the files, without other modules.
func (h house) size() size {
	s := size{packages: map[string]bool{}}
	for _, f := range h.files {
		if f.other {
			continue
		}
		n := 0
		for line := range strings.Lines(f.text) {
			n++
			exempt := f.generated || strings.HasPrefix(line, "//go:") || ofNumbers.MatchString(line)
			if !exempt && utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > mostColumns {
				s.wide = append(s.wide, fmt.Sprintf("%s:%d", f.path, n))
			}
		}
		if f.test {
			continue
		}
		s.files++
		if s.packages[f.dir] = true; f.dir == "." {
			s.root++
		}
		if f.Name.Name != "main" && !f.internal() {
			s.count(f.Decls)
		}
	}
	return s
}

// count counts exported names.
func (s *size) count(decls []ast.Decl) {
	add := func(names ...*ast.Ident) {
		for _, name := range names {
			if name.IsExported() {
				s.exported++
			}
		}
	}
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					add(spec.Names...)
				}
			}
		}
	}
}

// longFunctions returns the names of the functions and of the variables whose
// function literals exceed the limit, sorted.
func (h house) longFunctions() []string {
	var names []string
	for f := range h.written() {
		for _, d := range f.Decls {
			if h.lines(d) > mostLines {
				names = append(names, h.tooLong(f.dir, d)...)
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

const module = "github.com/tskgraph/tskgraph"

// storeys has the packages from top to bottom: a package imports packages of lower rows only.
var storeys = [][]string{
	{"cmd/tskgraph"},
	{"cli", "internal/test/webtest", "web/wasm", "internal/test/contract"},
	{"internal/app/server", "internal/app/scoring"},
	{"internal/app/workbench"},
	{"internal/app/command", "internal/app/prediction"},
	{"internal/app/runs", "internal/app/progress"},
	{"internal/app/message", "web"},
	{"internal/study"},
	{"internal/report/dossier"},
	{"internal/report/page", "internal/report/text", "internal/plot"},
	{"internal/report", "internal/config"},
	{"", "internal/train/tune"},
	{"internal/train/ensemble"},
	{"internal/train/fit"},
	{"internal/train/checkpoint"},
	{"internal/train/recipe"},
	{"internal/export/targets"},
	{"internal/export/fmu"},
	{"internal/export/*", "certify"}, // a package for each target
	{"internal/byhand/fis"},          // a package for each format of rules
	{"internal/byhand", "internal/test/browser"},
	{"internal/test/exporttest"},
	{"internal/export"},
	{"internal/train/baseline", "verify", "explain/words"},
	{"graph", "internal/train/lse", "explain/shapley", "internal/drift", "internal/train/tree", "internal/train/pages"},
	{"layers", "model"},
	{"rules"},
	{"optim/optimtest"},
	{"optim", "data/table/*", "internal/test/wholetest"}, // data/table/*: a package for each format of tables
	{"inference/inferencetest"},
	{"penalty", "inference", "data"},
	{"internal/data/table"},
	{"internal/data/series"},
	{"loss/losstest"},
	{"loss"},
	{"membership/membershiptest"},
	{"membership", "page"},
	{"internal/base/metric", "internal/base/registry", "internal/base/rowterms", "internal/base/buildinfo", "internal/base/yamltext",
		"internal/data/buckets"},
	{"interval", "internal/base/kernel", "internal/base/parallel", "internal/base/escape", "internal/base/safefile",
		"internal/base/decompress", "internal/base/memory"},
	{"internal/base/numeric"},
	{"internal/test/testenv"},
}

// testsImport are the packages above that tests of a package import: what is registered there.
var testsImport = map[string]string{"data": "data/table/csv", "internal/data/table": "data/table/csv",
	"data/table/parquet": "data/table/csv", "data/table/xlsx": "data/table/csv",
	"membership": "membership/membershiptest", "loss": "loss/losstest",
	"inference": "inference/inferencetest", "optim": "optim/optimtest"}

// rowOf returns the row of a package, which "data/*" gives for all packages in data; -1 if the house does not have it.
func rowOf(name string) int {
	return slices.IndexFunc(storeys, func(row []string) bool {
		return slices.Contains(row, name) || slices.Contains(row, filepath.Dir(name)+"/*")
	})
}

// mustNotLink lists packages that must stay free of some modules.
var mustNotLink = []struct{ packages, modules []string }{
	{[]string{"membership", "loss", "penalty", "inference", "internal/base/metric", "rules", "model", "data", "internal/train/lse",
		"explain/shapley", "internal/train/tree", "explain/words", "internal/byhand", "internal/export"},
		[]string{"gorgonia.org/gorgonia", "gorgonia.org/tensor"}},
	{[]string{"", "membership", "rules", "model", "data", "optim", "internal/base/kernel", "layers", "graph", "verify", "internal/study",
		"internal/train/tune", "explain/words", "internal/report", "internal/report/text", "internal/report/page",
		"internal/plot"},
		[]string{"github.com/spf13/viper", "github.com/spf13/cobra", "github.com/vbauerster/mpb/v8"}},
	// formats are registered by those who read tables
	{[]string{"membership", "rules", "model", "data", "internal/train/lse"},
		[]string{module + "/data/table/csv", module + "/data/table/parquet", "github.com/klauspost/compress", "github.com/parquet-go"}},
	{[]string{"model", "explain/shapley", "explain/words"}, []string{"gonum.org/v1/plot", "github.com/olekukonko/tablewriter",
		"github.com/spf13/viper"}},
	{[]string{"internal/app/scoring"}, []string{"gorgonia.org/gorgonia", "gorgonia.org/tensor", "gonum.org/v1/plot", "database/sql",
		"github.com/spf13/cobra", "github.com/spf13/viper", "github.com/parquet-go"}},
	{[]string{"", "membership", "rules", "model", "data", "internal/app/runs", "internal/config", "data/table/csv"},
		[]string{"database/sql", "github.com/jackc/pgx/v5", "github.com/ncruces/go-sqlite3"}},
	{[]string{"cmd/tskgraph"}, []string{"github.com/chromedp/chromedp"}},
	{[]string{"internal/app/workbench"}, []string{"github.com/spf13/cobra", "github.com/vbauerster/mpb/v8",
		"github.com/olekukonko/tablewriter", "gonum.org/v1/plot", "github.com/xuri/excelize/v2", "github.com/parquet-go", module +
			"/data/table/parquet", "database/sql"}},
}

func TestImportOrder(t *testing.T) {
	type pkg struct {
		ImportPath   string
		Imports      []string
		TestImports  []string
		XTestImports []string
		Deps         []string
	}
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Deps", module+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
		name := ours(p.ImportPath)
		if rowOf(name) < 0 {
			t.Errorf("package %q is not in the house", name)
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			below := rowOf(ours(path)) > rowOf(name)
			registered := testsImport[name] == ours(path) && !slices.Contains(p.Imports, path)
			if strings.HasPrefix(path, module) && path != p.ImportPath && !below && !registered {
				t.Errorf("%s imports %s: imports run strictly downwards", p.ImportPath, path)
			}
		}
		for _, rule := range mustNotLink {
			if !slices.Contains(rule.packages, name) {
				continue
			}
			for _, dep := range p.Deps {
				if slices.ContainsFunc(rule.modules, func(m string) bool { return dep == m || strings.HasPrefix(dep, m+"/") }) {
					t.Errorf("%s links %s, which is not for this package", p.ImportPath, dep)
				}
			}
		}
	}
	if seen < len(storeys) {
		t.Fatalf("only %d packages found", seen)
	}
}

// A program that loads a model and predicts samples opens no table, and links nothing that decompresses one.
func TestPredictingLinksNoDecompressor(t *testing.T) {
	testenv.OnlyCI(t)                    // it links two programs
	program := func(pkg string) []byte { // which names its functions, without symbols for a debugger, too
		path := filepath.Join(t.TempDir(), "program")
		if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	decoder := []byte("klauspost/compress/zstd.(*Decoder).Read")
	if bytes.Contains(program("./testdata/predicts"), decoder) {
		t.Errorf("it has %s", decoder)
	}
	if !bytes.Contains(program("./cmd/tskgraph"), decoder) {
		t.Errorf("the command, which opens tables, does not have %s", decoder)
	}
}

func ours(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

// TestSignatures: other modules can call, implement and set what a public package exports. Signatures, fields and interfaces
// name no package below internal, signatures and interfaces no unexported type, and interfaces have no unexported method.
func TestSignatures(t *testing.T) {
	testenv.SkipRace(t)
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
	named := h.aliases()
	for f := range h.written() {
		if f.Name.Name == "main" || f.internal() || f.other {
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
					if !named[fault] {
						faults = append(faults, qualified(f.dir, name)+": "+fault)
					}
				}
			}
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// aliases returns the types of internal packages that have an exported name in a public one.
func (h house) aliases() map[string]bool {
	named := map[string]bool{}
	for f := range h.written() {
		if f.internal() {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if s, ok := n.(*ast.TypeSpec); ok && s.Name.IsExported() && s.Assign.IsValid() {
				named[types.ExprString(s.Type)] = true
			}
			return true
		})
	}
	return named
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
