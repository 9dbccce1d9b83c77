package jsonform

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// written returns the document of a model, which must be the same the second time.
func written(t *testing.T, m *model.Model) []byte {
	t.Helper()
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var files [2][]byte
	for i := range files {
		result, err := Write(f, export.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files[i] = result.Files[0].Data
	}
	if !bytes.Equal(files[0], files[1]) || !strings.Contains(string(files[0][:1024]), export.Marker) {
		t.Error("the document differs the second time, or has no marker")
	}
	return files[0]
}

// TestModelFile: the model file in a document is that of the model, and loads.
func TestModelFile(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, _ *exporttest.Table) {
		var d struct{ Model string }
		if err := json.Unmarshal(written(t, m), &d); err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := m.Encode(&want); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Decode(strings.NewReader(d.Model)); err != nil || d.Model != want.String() {
			t.Errorf("another model file: %v", err)
		}
	})
}

// TestOperations: every operation that a formula can have is written with its operands.
func TestOperations(t *testing.T) {
	p := export.Record(2, func(b membership.Builder, a []membership.Term) membership.Term {
		x, y := a[0], a[1]
		for _, two := range []func(x, y membership.Term) membership.Term{b.Add, b.Sub, b.Mul, b.Div, b.Min, b.Max} {
			x = two(x, y)
		}
		for _, one := range []func(x membership.Term) membership.Term{b.Neg, b.Square, b.Exp, b.Log, b.Sqrt, b.Abs, b.Relu, b.Tanh, b.Cos,
			b.Sigmoid} {
			x = one(x)
		}
		return b.Mul(x, b.Const(math.Copysign(0, -1)))
	})
	got, err := json.Marshal(newProgram(p))
	const want = `{"arguments":2,"steps":[["add",0,1],["sub",2,1],["mul",3,1],["div",4,1],["min",5,1],["max",6,1],` +
		`["neg",7],["square",8],["exp",9],["log",10],["sqrt",11],["abs",12],["relu",13],["tanh",14],["cos",15],["sigmoid",16],["const",-0.0],["mul",17,18]],"result":19}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if len(operations) != int(export.Sigmoid) {
		t.Errorf("%d names of %d operations", len(operations), int(export.Sigmoid))
	}
}

// TestNumbers: numbers read back to the same bits; what is not finite is a text.
func TestNumbers(t *testing.T) {
	values := []float64{0, 7, 0.1, -1.0 / 3, 1e21, 1e300, 5e-324, math.MaxFloat64, math.Copysign(0, -1), 1 << 60}
	text, err := json.Marshal(numbers(values))
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range strings.Split(strings.Trim(string(text), "[]"), ",") {
		if v, err := strconv.ParseFloat(cell, 64); err != nil || math.Float64bits(v) != math.Float64bits(values[i]) ||
			!strings.ContainsAny(cell, ".e") {
			t.Errorf("%v is written as %s", values[i], cell)
		}
	}
	text, err = json.Marshal(numbers([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}))
	if err != nil || string(text) != `["NaN","Infinity","-Infinity"]` {
		t.Errorf("%s, %v", text, err)
	}
}

// TestMarks: a column has the marks of missing values that are its own or those of all columns.
func TestMarks(t *testing.T) {
	m, err := exporttest.Case{Shape: "gaussian", Response: "number"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	m.Schema.NA = data.NA{"*": {"-99"}, "x": {"-1,5", "none"}}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range columns(f) {
		want := marks{[]string{"-99"}, []number{-99}}
		if i == 0 {
			want = marks{[]string{"-1,5", "-99", "none"}, []number{-1.5, -99}}
		}
		if !slices.Equal(c.Marks.Texts, want.Texts) || !slices.Equal(c.Marks.Numbers, want.Numbers) {
			t.Errorf("%s: %v, want %v", c.Name, c.Marks, want)
		}
	}
}

// TestCalibration: residuals have the units of the model's response.
func TestCalibration(t *testing.T) {
	for response, want := range map[string]calibration{
		"number": {}, "count": {Power: 0.5}, "targets": {Scales: []number{0, 2400}}, "classes": {}, "quantiles": {},
	} {
		m, err := exporttest.Case{Shape: "gaussian", Response: response}.Model()
		if err != nil {
			t.Fatal(err)
		}
		if newCalibration(m) != nil {
			t.Errorf("%s: a calibration of a model without one", response)
		}
		m.Calibration = &model.Calibration{Samples: 2, Residuals: []float64{0.25, 0.5}}
		got := newCalibration(m)
		if want.Scales != nil {
			want.Scales[0] = number(m.Target.Scaling())
		}
		if got.Samples != 2 || !slices.Equal(got.Residuals, []number{0.25, 0.5}) || got.Power != want.Power ||
			!slices.Equal(got.Scales, want.Scales) || (got.Minimum > 0) != (response == "count") {
			t.Errorf("%s: %+v", response, *got)
		}
	}
}

// TestDescription: a document has the words that show prints, of each member too.
func TestDescription(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, _ *exporttest.Table) {
		form, err := export.New(m)
		if err != nil {
			t.Fatal(err)
		}
		described := words.Model(m)
		described.Samples = 17
		result, err := Write(form, export.Options{Described: &described})
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Description struct {
				Samples int
				Wording words.Wording
			}
		}
		if err := json.Unmarshal(result.Files[0].Data, &d); err != nil {
			t.Fatal(err)
		}
		var printed strings.Builder
		if err := described.WriteWords(&printed); err != nil {
			t.Fatal(err)
		}
		if got := d.Description; got.Wording.Text != printed.String() || got.Samples != 17 || len(got.Wording.Members) != len(m.Members) {
			t.Errorf("%d samples, %d members, %q", got.Samples, len(got.Wording.Members), got.Wording.Text)
		}
		for _, one := range append(d.Description.Wording.Members, d.Description.Wording) {
			for _, r := range one.Rules {
				if !r.Idle && !strings.Contains(printed.String(), r.Text) {
					t.Errorf("not printed: %s", r.Text)
				}
			}
		}
	})
}

// startPackage starts testdata/run.py with the Python package of this repository.
func startPackage(t *testing.T) *exporttest.Worker {
	t.Helper()
	python := exporttest.Python(t, "numpy")
	path, err := filepath.Abs("../../../python")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Glob(filepath.Join(path, "tskgraph", "*.py"))
	if err != nil || len(modules) == 0 {
		t.Fatal("no modules", err)
	}
	for _, module := range modules { // go test caches a result until a file changes that the test has read
		if _, err := os.ReadFile(module); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", path)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return exporttest.Start(t, python, "testdata/run.py")
}

// askPackage predicts cells [N] by the Python package.
func askPackage(t *testing.T, w *exporttest.Worker, m *model.Model, table *exporttest.Table, cells [][]string) (y [][]float64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "predictor.json")
	if err := os.WriteFile(path, written(t, m), 0o600); err != nil {
		t.Fatal(err)
	}
	var answer [][]string
	w.Ask(t, map[string]any{"path": path, "header": table.Header, "rows": cells}, &answer)
	for _, texts := range answer {
		var row []float64
		for _, text := range texts {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		y = append(y, row)
	}
	return y
}

// TestPackage: the Python package predicts what the model predicts.
func TestPackage(t *testing.T) {
	w := startPackage(t)
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, table *exporttest.Table) {
		table.Compare(t, askPackage(t, w, m, table, table.Cells), exporttest.Tolerance)
	})
}

// TestPackageBlocks: more rows than those of a block are predicted as one by one.
func TestPackageBlocks(t *testing.T) {
	m, err := exporttest.Case{Shape: "trapezoid", Response: "targets", Transform: true}.Model()
	if err != nil {
		t.Fatal(err)
	}
	table, err := exporttest.NewTable(m, 2*4096+300)
	if err != nil {
		t.Fatal(err)
	}
	table.Compare(t, askPackage(t, startPackage(t), m, table, table.Cells), exporttest.Tolerance)
}

// TestPackageInfinite: a row with an infinite number has no prediction, and no effect on others.
func TestPackageInfinite(t *testing.T) {
	w := startPackage(t)
	for _, c := range []exporttest.Case{
		{Shape: "gaussian", Response: "number", Transform: true}, {Shape: "trapezoid", Response: "classes", Committee: true},
		{Shape: "sigmoid", Response: "targets", Components: true},
	} {
		m, err := c.Model()
		if err != nil {
			t.Fatal(err)
		}
		table, err := exporttest.NewTable(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		table.Cells[1][0] = "inf"
		y := askPackage(t, w, m, table, table.Cells)
		for j := range y[1] {
			if !math.IsNaN(y[1][j]) || math.IsNaN(y[0][j]) || math.IsNaN(y[2][j]) {
				t.Errorf("%s: %v", c.Name(), y)
			}
		}
	}
}

// TestPackageCells: numbers far away, and texts with blanks around them, are read as predict does.
func TestPackageCells(t *testing.T) {
	table := exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming)
	table.Compare(t, askPackage(t, startPackage(t), table.Form.Model, table, table.Cells), exporttest.Tolerance)
}
