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
)

const module = "github.com/tskgraph/tskgraph"

// mayImport is the house: what each package may import of ours. What is not
// listed is not allowed.
var mayImport = map[string][]string{
	"internal/buildinfo": {"internal/kernel"},
	"internal/slow":      {},

	"membership/membershiptest": {"membership"},

	"internal/suggest":      {},
	"internal/realdata":     {},
	"internal/escape":       {},
	"internal/paired":       {},
	"internal/racedetector": {},
	"internal/registry":     {"internal/suggest"},
	"internal/parallel":     {},
	"internal/weighted":     {},
	"internal/browser":      {},
	"internal/contract":     {"internal/slow", "", "graph", "optim", "model", "rules", "data", "membership", "internal/racedetector"},
	"internal/kernel":       {},
	"internal/studypage":    {},
	"internal/heating":      {},
	"internal/release":      {""},
	"internal/thirdparty":   {},
	"internal/fusing":       {"internal/racedetector"},
	"internal/interval":     {},
	"internal/numeric":      {},
	"internal/safefile":     {},
	"membership":            {"membership/membershiptest", "internal/numeric", "internal/suggest", "internal/registry", "internal/kernel"},
	"loss":                  {"internal/registry", "membership"},
	"penalty":               {"internal/registry", "internal/kernel", "membership"},
	"internal/decompress":   {},
	"data":                  {"internal/numeric", "internal/registry", "internal/safefile", "internal/suggest", "internal/escape", "internal/realdata", "data/csv", "internal/decompress"}, // its tests read CSV
	"data/csv":              {"data", "internal/decompress", "internal/escape"},
	"optim":                 {"loss", "internal/interval", "internal/numeric", "internal/kernel"},
	"rules":                 {"loss", "penalty", "internal/numeric", "internal/kernel", "membership", "data", "data/csv", "internal/parallel", "internal/weighted", "internal/realdata"},
	"model":                 {"internal/numeric", "internal/safefile", "internal/weighted", "rules", "membership", "data", "data/csv", "internal/parallel", "internal/escape", "internal/realdata"},
	"layers":                {"loss", "penalty", "internal/kernel", "membership"},
	"graph":                 {"internal/slow", "loss", "penalty", "internal/numeric", "layers", "rules", "membership", "internal/racedetector"},
	"lse":                   {"penalty", "rules", "membership", "internal/weighted"},
	"baseline":              {"data", "lse", "model"},
	"verify":                {"internal/slow", "loss", "penalty", "graph", "layers", "rules", "membership", "data", "internal/parallel", "internal/racedetector"},
	"":                      {"internal/slow", "penalty", "baseline", "internal/buildinfo", "internal/weighted", "graph", "lse", "optim", "model", "rules", "data", "data/csv", "membership", "internal/paired", "internal/realdata", "internal/racedetector"},
	"study":                 {"internal/safefile", "internal/paired", "", "internal/kernel", "optim", "rules", "membership", "data", "internal/suggest", "internal/realdata"},
	"tune":                  {"internal/buildinfo", "internal/safefile", "internal/weighted", "internal/paired", "", "optim", "model", "rules", "data", "membership", "internal/realdata"},
	"plot":                  {"", "internal/escape", "internal/suggest", "optim", "model", "rules", "data", "membership"},
	"report/page":           {"report", "", "baseline", "describe", "optim", "model", "rules", "data", "membership", "internal/browser", "internal/racedetector"},
	"internal/digits":       {},
	"internal/texttable":    {},
	"describe":              {"internal/racedetector", "internal/digits", "internal/escape", "internal/weighted", "model", "rules", "data", "membership"},
	"report":                {"", "baseline", "describe", "tune", "model", "data"},
	"study/report":          {"study", "plot", "internal/escape", "internal/safefile", "internal/texttable"},
	"internal/runs":         {"", "baseline", "report", "model", "optim", "data", "internal/safefile"},
	"report/text":           {"report", "", "describe", "tune", "verify", "model", "rules", "data", "membership", "internal/digits", "internal/escape", "internal/texttable", "internal/weighted"},
	"config":                {"", "tune", "internal/escape", "internal/suggest", "internal/realdata", "graph", "optim", "model", "rules", "data", "membership"},
	"bench":                 {"membership", "plot"},
	"cmd/tskgraph":          {"*"},
}

// mustNotLink lists packages that must stay free of some modules.
var mustNotLink = []struct{ packages, modules []string }{
	{[]string{"membership", "loss", "penalty", "rules", "model", "data", "lse"}, []string{"gorgonia.org/gorgonia", "gorgonia.org/tensor"}},
	{[]string{"", "membership", "rules", "model", "data", "optim", "internal/kernel", "layers", "graph", "verify", "study", "study/report", "tune", "describe", "report", "report/text", "report/page", "plot", "internal/runs"},
		[]string{"github.com/spf13/viper", "github.com/spf13/cobra", "github.com/vbauerster/mpb/v8"}},
	{[]string{"describe"}, []string{"gorgonia.org/gorgonia", "gorgonia.org/tensor", "gonum.org/v1/plot", "github.com/olekukonko/tablewriter"}},
	{[]string{"membership", "rules", "model", "data", "lse"}, []string{module + "/data/csv", "github.com/klauspost/compress"}}, // formats are registered by those who read tables
	{[]string{"cmd/tskgraph"}, []string{"github.com/chromedp/chromedp"}},
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
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %q is not in the list of who may import whom", name)
		}
		for _, path := range append(append(p.Imports, p.TestImports...), p.XTestImports...) {
			if !strings.HasPrefix(path, module) || path == p.ImportPath || slices.Contains(allowed, ours(path)) || slices.Contains(allowed, "*") {
				continue
			}
			t.Errorf("%s imports %s: imports run strictly downwards", p.ImportPath, path)
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
	if seen < len(mayImport)/2 {
		t.Fatalf("only %d packages found", seen)
	}
}

// A program that loads a model and predicts samples opens no table, and links nothing that decompresses one.
func TestPredictingLinksNoDecompressor(t *testing.T) {
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
