package tskgraph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/racedetector"
)

const module = "github.com/tskgraph/tskgraph"

// storeys has the packages from top to bottom: a package imports packages of lower rows only.
var storeys = [][]string{
	{"cmd/tskgraph"},
	{"cli", "internal/webtest", "web/wasm", "bench", "internal/contract", "internal/release", "internal/wheel", "internal/webbuild", "internal/studypage", "internal/heating", "internal/thirdparty", "internal/fusing", "internal/pythonkeys", "internal/portable"},
	{"internal/workbench/server"},
	{"internal/workbench"},
	{"internal/progress"},
	{"internal/viewing", "internal/tuning", "internal/training", "internal/exitcode", "internal/studying"},
	{"internal/runs", "internal/predicting", "internal/predictflags", "internal/configflags", "web"},
	{"report/page", "report/text", "study/report"},
	{"report", "config"},
	{"study", "tune", "plot"},
	{""},
	{"ensemble"},
	{"fit"},
	{"checkpoint"},
	{"recipe"},
	{"internal/exporters"},
	{"export/*"},    // a package for each target
	{"knowledge/*"}, // a package for each format of rules
	{"knowledge", "internal/axe"},
	{"internal/exporttest"},
	{"export"},
	{"baseline", "verify", "describe"},
	{"graph", "lse", "shapley", "tree"},
	{"layers", "model"},
	{"rules"},
	{"optim/optimtest"},
	{"optim", "data/*", "internal/wholetest"}, // data/*: a package for each format of tables
	{"internal/rowstream"},
	{"inference/inferencetest"},
	{"penalty", "inference", "data", "metric"},
	{"loss/losstest"},
	{"loss"},
	{"membership/membershiptest"},
	{"membership"},
	{"internal/registry", "internal/buildinfo", "internal/texttable", "internal/yamltext", "internal/slow", "internal/buckets"},
	{"interval", "internal/kernel", "internal/digits", "internal/scan", "internal/paired", "internal/weighted", "internal/parallel", "internal/majority",
		"internal/escape", "internal/suggest", "internal/safefile", "internal/decompress", "internal/memory",
		"internal/crossbuild", "internal/licences", "internal/browser", "internal/guide", "internal/postgrestest", "internal/racedetector", "internal/realdata", "internal/contexttest", "internal/exact", "internal/shell", "internal/pageparts"},
	{"internal/numeric"},
}

// testsImport are the packages above that tests of a package import: what is registered there.
var testsImport = map[string]string{"data": "data/csv", "data/parquet": "data/csv", "membership": "membership/membershiptest", "loss": "loss/losstest",
	"inference": "inference/inferencetest", "optim": "optim/optimtest"}

// rowOf returns the row of a package, which "data/*" gives for all packages in data; -1 if the house does not have it.
func rowOf(name string) int {
	return slices.IndexFunc(storeys, func(row []string) bool {
		return slices.Contains(row, name) || slices.Contains(row, filepath.Dir(name)+"/*")
	})
}

// mustNotLink lists packages that must stay free of some modules.
var mustNotLink = []struct{ packages, modules []string }{
	{[]string{"membership", "loss", "penalty", "inference", "metric", "rules", "model", "data", "lse", "shapley", "tree", "describe", "knowledge", "export"}, []string{"gorgonia.org/gorgonia", "gorgonia.org/tensor"}},
	{[]string{"", "membership", "rules", "model", "data", "optim", "internal/kernel", "layers", "graph", "verify", "study", "study/report", "tune", "describe", "report", "report/text", "report/page", "plot", "internal/runs"},
		[]string{"github.com/spf13/viper", "github.com/spf13/cobra", "github.com/vbauerster/mpb/v8"}},
	{[]string{"membership", "rules", "model", "data", "lse"}, []string{module + "/data/csv", module + "/data/parquet", "github.com/klauspost/compress", "github.com/parquet-go"}}, // formats are registered by those who read tables
	{[]string{"model", "shapley", "describe"}, []string{"gonum.org/v1/plot", "github.com/olekukonko/tablewriter", "github.com/spf13/viper"}},
	{[]string{"bench"}, []string{module + "/tune", module + "/study", module + "/verify", "github.com/olekukonko/tablewriter"}},
	{[]string{"", "membership", "rules", "model", "data", "internal/runs", "config", "data/csv"}, []string{"database/sql", "github.com/jackc/pgx/v5", "modernc.org/sqlite"}},
	{[]string{"cmd/tskgraph"}, []string{"github.com/chromedp/chromedp"}},
	{[]string{"internal/workbench"}, []string{"github.com/spf13/cobra", "github.com/vbauerster/mpb/v8", "github.com/olekukonko/tablewriter", "gonum.org/v1/plot", "github.com/xuri/excelize/v2", "github.com/parquet-go", module + "/data/parquet", "database/sql"}},
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
	racedetector.Skip(t)
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
