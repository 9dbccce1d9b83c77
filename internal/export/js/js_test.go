package js

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// start starts a process of Node.js that predicts by modules.
func start(t *testing.T) *exporttest.Worker {
	t.Helper()
	return exporttest.Start(t, exporttest.Tool(t, "node", "nodejs"), "testdata/run.mjs")
}

// question is a line for testdata/run.mjs.
type question struct {
	MJS   string           `json:"mjs"`
	CJS   string           `json:"cjs"`
	Rows  [][]string       `json:"rows"`
	Given []map[string]any `json:"given,omitempty"` // instead of Rows
}

// answer is its answer, with numbers as text.
type answer struct {
	Values    [][]string
	Predicted []string
	Error     string
}

// written writes the files of a form and returns their paths.
func written(t *testing.T, f *export.Form) (paths []string) {
	t.Helper()
	return exporttest.Written(t, Write, f, export.Options{Stem: "one"}, "one.mjs")
}

// by predicts by both modules of a form, which must agree and explain what they predict.
func by(w *exporttest.Worker) exporttest.Consumer {
	return func(t *testing.T, f *export.Form, cells [][]string) (y [][]float64, predicted []string) {
		t.Helper()
		paths := written(t, f)
		var a answer
		if w.Ask(t, question{MJS: paths[0], CJS: paths[1], Rows: cells}, &a); a.Error != "" {
			t.Fatal(a.Error)
		}
		return exporttest.Numbers(t, a.Values), a.Predicted
	}
}

func TestPredictions(t *testing.T) {
	exporttest.Hold(t, by(start(t)), 0, exporttest.All, exporttest.Trimming)
}

// TestLogLimit: responses of the log link do not grow beyond that of loss.MaxLog.
func TestLogLimit(t *testing.T) {
	m := exporttest.Case{Shape: "gaussian", Response: "count", Unlimited: true}.Model(t)
	for _, w := range m.RuleBase.Consequents {
		w[0] = 25
	}
	table := exporttest.NewTable(t, m, 100)
	got, _ := by(start(t))(t, table.Form, table.Cells)
	table.Compare(t, got, exporttest.Tolerance)
	if most := m.Target.Mean * math.Exp(18); !slices.ContainsFunc(got, func(y []float64) bool { return math.Abs(y[0]/most-1) < 1e-12 }) {
		t.Errorf("no prediction at the limit %v", most)
	}
}

// TestErrors: an absent column and a cell of another type are errors that name the column.
func TestErrors(t *testing.T) {
	w, f := start(t), exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	paths := written(t, f)
	whole := map[string]any{}
	for _, c := range f.Columns {
		whole[c.Name] = nil
	}
	for want, change := range map[string]func(row map[string]any){
		`the row has no column "x": it has `:                         func(row map[string]any) { delete(row, "x") },
		`column "x": expected a number or null, got the string "12"`: func(row map[string]any) { row["x"] = "12" },
		`column "day": expected a string or null, got the number 3`:  func(row map[string]any) { row["day"] = 3 },
		`column "wind \"speed\", m/s": expected a number or null, ` +
			`got the boolean true`: func(row map[string]any) { row[`wind "speed", m/s`] = true },
	} {
		row := maps.Clone(whole)
		change(row)
		var a answer
		w.Ask(t, question{MJS: paths[0], CJS: paths[1], Given: []map[string]any{row}}, &a)
		if !strings.HasPrefix(a.Error, "TypeError: "+want) {
			t.Errorf("error %q, want %q", a.Error, want)
		}
	}
}

// TestShape: a shape has one statement for each operation, and no adjacent signs.
func TestShape(t *testing.T) {
	shapeOf := func(name string) string {
		return shape(&exporttest.Case{Shape: name, Response: "number"}.Form(t).Members[0])
	}
	s := shapeOf("gaussian")
	for _, want := range []string{"const t0 = x - p[0];", "const t1 = t0 / p[1];", "= t1 * t1;", "= (-0.5) * t3;", "log: (x, p)"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	if s := shapeOf("trapezoid"); !strings.Contains(s, "log: null") {
		t.Errorf("a trapezoid has a logarithm:\n%s", s)
	}
}

// TestFloats: every bit is preserved.
func TestFloats(t *testing.T) {
	text, err := json.Marshal(floats{1, math.Copysign(0, -1)})
	if err != nil || string(text) != `"AAAAAAAA8D8AAAAAAAAAgA=="` {
		t.Errorf("%s, %v", text, err)
	}
}

// hostile returns a form with names that end literals and comments of JavaScript.
func hostile(t *testing.T) *export.Form {
	t.Helper()
	return exporttest.Case{Shape: "gaussian", Response: "classes"}.Form(t, func(m *model.Model) {
		s := &m.Schema
		s.Target, s.Columns[0].Name, s.Columns[0].Unit = "*/ \u2028throw 1;\n// `${1}`", "__proto__", "*/ throw 2; /*\r\n"
		s.Columns[2].Name, s.Columns[2].Levels = "constructor", []string{`"; throw 3; "`, "\\", "</script>\u202e"}
		s.Classes = []string{"__proto__", "2", "a\nb"}
		for k, name := range s.Classes {
			m.Response.Classes[k].Name = name
		}
	})
}

// TestHostileNames: names from the data are data, in the modules too.
func TestHostileNames(t *testing.T) {
	f := hostile(t)
	for _, path := range written(t, f) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexAny(string(text), "\r\u2028\u202e"); i >= 0 || strings.Contains(string(text), "</script>") {
			t.Errorf("%s has characters that are not escaped, at %d", path, i)
		}
	}
	table := &exporttest.Table{Form: f, Cells: [][]string{{"20", "1", "\\", "small", "-41"}}}
	table.SetWant()
	y, predicted := by(start(t))(t, f, table.Cells)
	table.Compare(t, y, exporttest.Tolerance)
	table.CompareChoices(t, y, predicted)
}

// usage is TypeScript that the types must accept, with statements that they must not after
// @ts-expect-error. %s is the module, then there are types of a prediction.
//
//go:embed testdata/usage.ts
var usage string

// TestTypes: TypeScript finds the types of both modules of each kind and checks programs by them.
func TestTypes(t *testing.T) {
	testenv.OnlyCI(t)
	node, compiler := exporttest.Tool(t, "node", "nodejs"), filepath.Join(exporttest.NodeModules(t, "typescript"), "typescript", "bin", "tsc")
	args := []string{compiler, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2020"}
	for _, c := range []struct{ response, prediction, path string }{
		{"number", "number", ".prediction"},
		{"targets", "number", `.prediction["water used"]`},
		{"quantiles", "number", `.quantiles["0.05"]`},
		{"classes", `"sorgho" | "maïs" | "blé d'hiver" | null`, ".prediction"},
		{"binary", "number", ".probabilities.maïs"},
	} {
		paths := written(t, exporttest.Case{Shape: "gaussian", Response: c.response}.Form(t))
		for i, name := range []string{"use.mts", "use.cts"} {
			file := filepath.Join(filepath.Dir(paths[0]), name)
			text := fmt.Sprintf(usage, "./"+filepath.Base(paths[i]), c.prediction, c.path, c.path)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
	}
	args = append(args, written(t, hostile(t))[2])
	if out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
