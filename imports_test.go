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

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

const module = "github.com/tskgraph/tskgraph"

// storeys has the packages from top to bottom: a package imports packages of lower rows only.
var storeys = [][]string{
	{"cmd/tskgraph"},
	{"cli", "internal/test/webtest", "web/wasm", "internal/test/contract"},
	{"internal/app/server"},
	{"internal/app/workbench"},
	{"internal/app/progress"},
	{"internal/app/viewing", "internal/app/tuning", "internal/app/training", "internal/app/exitcode", "internal/app/studying"},
	{"internal/app/runs", "internal/app/predicting", "internal/app/predictflags", "internal/app/configflags", "web"},
	{"internal/report/page", "internal/report/text", "internal/study/report"},
	{"internal/report", "internal/config"},
	{"internal/study", "internal/train/tune", "internal/plot"},
	{""},
	{"internal/train/ensemble"},
	{"internal/train/fit"},
	{"internal/train/checkpoint"},
	{"internal/train/recipe"},
	{"internal/exporters"},
	{"export/*"},    // a package for each target
	{"explain/fis"}, // a package for each format of rules
	{"explain/byhand", "internal/test/axe"},
	{"internal/test/exporttest"},
	{"export"},
	{"internal/train/baseline", "verify", "explain/words"},
	{"graph", "internal/train/lse", "explain/readable", "explain/shapley", "internal/train/tree"},
	{"layers", "model"},
	{"rules"},
	{"optim/optimtest"},
	{"optim", "data/*", "internal/test/wholetest"}, // data/*: a package for each format of tables
	{"internal/rowstream"},
	{"inference/inferencetest"},
	{"penalty", "inference", "data"},
	{"loss/losstest"},
	{"loss"},
	{"membership/membershiptest"},
	{"membership"},
	{"internal/base/metric", "internal/base/registry", "internal/base/buildinfo", "internal/base/texttable", "internal/base/yamltext", "internal/test/slow", "internal/buckets"},
	{"interval", "internal/base/kernel", "internal/base/digits", "internal/base/scan", "internal/base/paired", "internal/base/weighted", "internal/base/parallel", "internal/base/majority",
		"internal/base/escape", "internal/base/suggest", "internal/base/safefile", "internal/base/decompress", "internal/base/memory",
		"internal/test/browser", "internal/test/guide", "internal/test/postgrestest", "internal/test/racedetector", "internal/test/realdata", "internal/test/contexttest", "internal/base/exact", "internal/base/shell", "internal/base/pageparts"},
	{"internal/base/numeric"},
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
	{[]string{"membership", "loss", "penalty", "inference", "internal/base/metric", "rules", "model", "data", "internal/train/lse", "explain/shapley", "internal/train/tree", "explain/words", "explain/byhand", "export"}, []string{"gorgonia.org/gorgonia", "gorgonia.org/tensor"}},
	{[]string{"", "membership", "rules", "model", "data", "optim", "internal/base/kernel", "layers", "graph", "verify", "internal/study", "internal/study/report", "internal/train/tune", "explain/words", "internal/report", "internal/report/text", "internal/report/page", "internal/plot", "internal/app/runs"},
		[]string{"github.com/spf13/viper", "github.com/spf13/cobra", "github.com/vbauerster/mpb/v8"}},
	{[]string{"membership", "rules", "model", "data", "internal/train/lse"}, []string{module + "/data/csv", module + "/data/parquet", "github.com/klauspost/compress", "github.com/parquet-go"}}, // formats are registered by those who read tables
	{[]string{"model", "explain/shapley", "explain/words"}, []string{"gonum.org/v1/plot", "github.com/olekukonko/tablewriter", "github.com/spf13/viper"}},
	{[]string{"", "membership", "rules", "model", "data", "internal/app/runs", "internal/config", "data/csv"}, []string{"database/sql", "github.com/jackc/pgx/v5", "github.com/ncruces/go-sqlite3"}},
	{[]string{"cmd/tskgraph"}, []string{"github.com/chromedp/chromedp"}},
	{[]string{"internal/app/workbench"}, []string{"github.com/spf13/cobra", "github.com/vbauerster/mpb/v8", "github.com/olekukonko/tablewriter", "gonum.org/v1/plot", "github.com/xuri/excelize/v2", "github.com/parquet-go", module + "/data/parquet", "database/sql"}},
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
