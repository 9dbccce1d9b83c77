package js

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// node is a process of Node.js that predicts by modules.
type node struct{ *exporttest.Worker }

func startNode(t *testing.T) node {
	t.Helper()
	return node{exporttest.Start(t, exporttest.Tool(t, "node", "nodejs"), "testdata/run.mjs")}
}

// question is a line for testdata/run.mjs.
type question struct {
	MJS      string           `json:"mjs"`
	CJS      string           `json:"cjs"`
	Rows     [][]string       `json:"rows"`
	Infinite bool             `json:"infinite,omitempty"`
	Given    []map[string]any `json:"given,omitempty"` // instead of Rows
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
	result, err := Write(f, export.Options{Stem: "one"})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Write(f, export.Options{Stem: "one"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	result.Files[0].Name = "one.mjs"
	for i, file := range result.Files {
		if !bytes.Equal(file.Data, again.Files[i].Data) || !strings.Contains(string(file.Data[:1024]), export.Marker) {
			t.Errorf("%s is not the same the second time, or has no marker", file.Name)
		}
		paths = append(paths, filepath.Join(dir, file.Name))
		if err := os.WriteFile(paths[i], file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// ask predicts by the modules of a form.
func (n node) ask(t *testing.T, f *export.Form, q question) (values [][]float64, predicted []string) {
	t.Helper()
	paths := written(t, f)
	q.MJS, q.CJS = paths[0], paths[1]
	var a answer
	if n.Ask(t, q, &a); a.Error != "" {
		t.Fatal(a.Error)
	}
	for _, texts := range a.Values {
		var row []float64
		for _, text := range texts {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		values = append(values, row)
	}
	return values, a.Predicted
}

// TestPredictions: both modules predict what the model predicts, and explain it.
func TestPredictions(t *testing.T) {
	n := startNode(t)
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		got, predicted := n.ask(t, table.Form, question{Rows: table.Cells})
		table.Compare(t, got, exporttest.Tolerance)
		for i, text := range predicted {
			want := ""
			switch table.Form.Kind {
			case export.Classes:
				want = table.Form.Outputs[slices.Index(got[i], slices.Max(got[i]))].Name
			case export.Quantiles:
				want = strconv.FormatFloat(got[i][1], 'g', -1, 64)
			default:
				continue
			}
			if v, err := strconv.ParseFloat(text, 64); text != want && (err != nil || strconv.FormatFloat(v, 'g', -1, 64) != want) {
				t.Fatalf("row %d: prediction %s of %v, want %s", i+1, text, got[i], want)
			}
		}
	})
}

// TestInfinite: a row with an infinite number has no prediction.
func TestInfinite(t *testing.T) {
	n := startNode(t)
	for _, c := range []exporttest.Case{
		{Shape: "gaussian", Response: "number", Transform: true}, {Shape: "trapezoid", Response: "classes", Committee: true},
		{Shape: "sigmoid", Response: "targets", Components: true},
	} {
		table := newTable(t, c)
		got, predicted := n.ask(t, table.Form, question{Rows: table.Cells[:1], Infinite: true})
		for _, v := range got[0] {
			if !math.IsNaN(v) {
				t.Errorf("%s: %v", c.Name(), got)
			}
		}
		if c.Response == "classes" && predicted[0] != "" {
			t.Errorf("class %q", predicted[0])
		}
	}
}

// TestLogLimit: responses of the log link do not grow beyond that of loss.MaxLog.
func TestLogLimit(t *testing.T) {
	m, err := exporttest.Case{Shape: "gaussian", Response: "count", Unlimited: true}.Model()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range m.RuleBase.Consequents {
		w[0] = 25
	}
	table, err := exporttest.NewTable(m, 100)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := startNode(t).ask(t, table.Form, question{Rows: table.Cells})
	table.Compare(t, got, exporttest.Tolerance)
	if most := m.Target.Mean * math.Exp(18); !slices.ContainsFunc(got, func(y []float64) bool { return math.Abs(y[0]/most-1) < 1e-12 }) {
		t.Errorf("no prediction at the limit %v", most)
	}
}

// TestErrors: an absent column and a cell of another type are errors that name the column.
func TestErrors(t *testing.T) {
	n := startNode(t)
	table := newTable(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	paths := written(t, table.Form)
	whole := map[string]any{}
	for _, c := range table.Form.Columns {
		whole[c.Name] = nil
	}
	for want, change := range map[string]func(row map[string]any){
		`the row has no column "x": it has `:                                            func(row map[string]any) { delete(row, "x") },
		`column "x": expected a number or null, got the string "12"`:                    func(row map[string]any) { row["x"] = "12" },
		`column "day": expected a string or null, got the number 3`:                     func(row map[string]any) { row["day"] = 3 },
		`column "wind \"speed\", m/s": expected a number or null, got the boolean true`: func(row map[string]any) { row[`wind "speed", m/s`] = true },
	} {
		row := map[string]any{}
		for name, v := range whole {
			row[name] = v
		}
		change(row)
		var a answer
		n.Ask(t, question{MJS: paths[0], CJS: paths[1], Given: []map[string]any{row}}, &a)
		if !strings.HasPrefix(a.Error, "TypeError: "+want) {
			t.Errorf("error %q, want %q", a.Error, want)
		}
	}
}

func newTable(t *testing.T, c exporttest.Case) *exporttest.Table {
	t.Helper()
	m, err := c.Model()
	if err != nil {
		t.Fatal(err)
	}
	table, err := exporttest.NewTable(m, 20)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestCells: numbers far away, and texts with blanks around them, are read as predict does.
func TestCells(t *testing.T) {
	table := exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming)
	got, _ := startNode(t).ask(t, table.Form, question{Rows: table.Cells})
	table.Compare(t, got, exporttest.Tolerance)
}

// TestShape: a shape has one statement for each operation, and no adjacent signs.
func TestShape(t *testing.T) {
	s := shapeOf(t, "gaussian")
	for _, want := range []string{"const t0 = x - p[0];", "const t1 = t0 / p[1];", "= t1 * t1;", "= (-0.5) * t3;", "log: (x, p)"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	if s := shapeOf(t, "trapezoid"); !strings.Contains(s, "log: null") {
		t.Errorf("a trapezoid has a logarithm:\n%s", s)
	}
}

func shapeOf(t *testing.T, name string) string {
	t.Helper()
	m, err := exporttest.Case{Shape: name, Response: "number"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return shape(&f.Members[0])
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
	m, err := exporttest.Case{Shape: "gaussian", Response: "classes"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Schema
	s.Target, s.Columns[0].Name, s.Columns[0].Unit = "*/ \u2028throw 1;\n// `${1}`", "__proto__", "*/ throw 2; /*\r\n"
	s.Columns[2].Name, s.Columns[2].Levels = "constructor", []string{`"; throw 3; "`, "\\", "</script>\u202e"}
	s.Classes = []string{"__proto__", "2", "a\nb"}
	for k, name := range s.Classes {
		m.Response.Classes[k].Name = name
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
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
	cells := []string{"20", "1", "\\", "small", "-41"}
	got, predicted := startNode(t).ask(t, f, question{Rows: [][]string{cells}})
	want := f.Predict(f.Encode(cells))
	most := 0
	for j, v := range want {
		if diff := got[0][j] - v; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("probabilities %v, want %v", got[0], want)
		}
		if v > want[most] {
			most = j
		}
	}
	if predicted[0] != f.Outputs[most].Name {
		t.Errorf("class %q of %v", predicted[0], want)
	}
}

// usage is TypeScript that the types must accept, with statements that they must not after
// @ts-expect-error. %s is the module, then there are types of a prediction.
const usage = `import { predict, explain, columns, outputs, type Row } from %q;
const row: Row = { x: 3, 'wind "speed", m/s': null, day: "O'Hare", "größe 100%%": "none of them", select: -41.5 };
const p: %s = predict(row)%s;
const covered: boolean = predict(row).covered;
const level: number = explain(row).members[0].rules[0].level;
const text: string = explain(row).members[0].rules[0].then.join("; ") + columns[0].name + outputs[0].name;
export { p, covered, level, text };
// @ts-expect-error a text for a number
predict({ ...row, x: "3" });
// @ts-expect-error a column is absent
predict({ x: 3 });
// @ts-expect-error a column that is not there
predict({ ...row, other: 3 });
// @ts-expect-error the type of the prediction
const wrong: boolean = predict(row)%s;
export { wrong };
`

// TestTypes: TypeScript finds the types of both modules of each kind and checks programs by them.
func TestTypes(t *testing.T) {
	node, compiler := exporttest.Tool(t, "node", "nodejs"), filepath.Join(exporttest.NodeModules(t, "typescript"), "typescript", "bin", "tsc")
	args := []string{compiler, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2020"}
	for _, c := range []struct{ response, prediction, path string }{
		{"number", "number", ".prediction"},
		{"targets", "number", `.prediction["water used"]`},
		{"quantiles", "number", `.quantiles["0.05"]`},
		{"classes", `"sorgho" | "maïs" | "blé d'hiver" | null`, ".prediction"},
		{"binary", "number", ".probabilities.maïs"},
	} {
		table := newTable(t, exporttest.Case{Shape: "gaussian", Response: c.response})
		paths := written(t, table.Form)
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
