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

// written returns the path of the document of a form.
func written(t *testing.T, f *export.Form, o export.Options) string {
	t.Helper()
	return exporttest.Written(t, Write, f, o, "predictor.json")[0]
}

// TestDocument: the model file in a document is that of the model, and loads. The words are those that show prints, of each member too.
func TestDocument(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, table *exporttest.Table) {
		described := words.Model(m)
		described.Samples = 17
		text, err := os.ReadFile(written(t, table.Form, export.Options{Described: &described}))
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Model       string
			Description struct {
				Samples int
				Wording words.Wording
			}
		}
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := m.Encode(&want); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Decode(strings.NewReader(d.Model)); err != nil || d.Model != want.String() {
			t.Errorf("another model file: %v", err)
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
	got, err := json.Marshal(program(p))
	const want = `{"arguments":2,"result":19,"steps":[["add",0,1],["sub",2,1],["mul",3,1],["div",4,1],["min",5,1],["max",6,1],` +
		`["neg",7],["square",8],["exp",9],["log",10],["sqrt",11],["abs",12],["relu",13],["tanh",14],["cos",15],["sigmoid",16],["const",-0.0],` +
		`["mul",17,18]]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
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
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t, func(m *model.Model) {
		m.Schema.NA = data.NA{"*": {"-99"}, "x": {"-1,5", "none"}}
	})
	for i, c := range f.Columns {
		got := marksOf(f, c.Name)
		want := marks{[]string{"-99"}, []number{-99}}
		if i == 0 {
			want = marks{[]string{"-1,5", "-99", "none"}, []number{-1.5, -99}}
		}
		if !slices.Equal(got.Texts, want.Texts) || !slices.Equal(got.Numbers, want.Numbers) {
			t.Errorf("%s: %v, want %v", c.Name, got, want)
		}
	}
}

// TestCalibration: residuals have the units of the model's response.
func TestCalibration(t *testing.T) {
	for response, want := range map[string]calibration{
		"number": {}, "count": {Power: 0.5}, "targets": {Scales: []number{0, 2400}}, "classes": {}, "quantiles": {},
	} {
		m := exporttest.Case{Shape: "gaussian", Response: response}.Model(t)
		if newCalibration(&export.Form{Model: m}) != nil {
			t.Errorf("%s: a calibration of a model without one", response)
		}
		m.Calibration = &model.Calibration{Samples: 2, Residuals: []float64{0.25, 0.5}}
		got := newCalibration(&export.Form{Model: m})
		if want.Scales != nil {
			want.Scales[0] = number(m.Target.Scaling())
		}
		if got.Samples != 2 || !slices.Equal(got.Residuals, []number{0.25, 0.5}) || got.Power != want.Power ||
			!slices.Equal(got.Scales, want.Scales) || (got.Minimum > 0) != (response == "count") {
			t.Errorf("%s: %+v", response, *got)
		}
	}
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

// TestPackage: the Python package predicts what the model predicts.
func TestPackage(t *testing.T) {
	w := startPackage(t)
	exporttest.Hold(t, func(t *testing.T, f *export.Form, cells [][]string) ([][]float64, []string) {
		var header []string
		for _, c := range f.Columns {
			header = append(header, c.Name)
		}
		var answer [][]string
		w.Ask(t, map[string]any{"path": written(t, f, export.Options{}), "header": header, "rows": cells}, &answer)
		return exporttest.Numbers(t, answer), nil
	}, 4096, exporttest.All, exporttest.Trimming)
}
