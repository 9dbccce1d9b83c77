package python

import (
	"bytes"
	"encoding/csv"
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

// question is a line for testdata/run.py.
type question struct {
	Path     string         `json:"path"`
	Rows     [][]string     `json:"rows"`
	Form     int            `json:"form"` // of the columns
	Infinite bool           `json:"infinite"`
	Given    map[string]any `json:"given,omitempty"` // instead of Rows
	Texts    []string       `json:"texts,omitempty"` // instead of Rows: cells of a column of numbers
}

// answer is its answer, with numbers as text.
type answer struct {
	Values  [][]string
	Classes []*string
	Refused []string // of Texts
	Error   string
}

func start(t *testing.T) *exporttest.Worker {
	t.Helper()
	return exporttest.Start(t, exporttest.Python(t, "numpy"), "testdata/run.py")
}

// written writes a form and returns the path of the file.
func written(t *testing.T, f *export.Form) string {
	t.Helper()
	var files [2][]byte
	for i := range files {
		result, err := Write(f, export.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files[i] = result.Files[0].Data
	}
	if !bytes.Equal(files[0], files[1]) || !strings.Contains(string(files[0][:1024]), export.Marker) {
		t.Error("the file is not the same the second time, or has no marker")
	}
	path := filepath.Join(t.TempDir(), "model.py")
	if err := os.WriteFile(path, files[0], 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// ask predicts by the file of a form.
func ask(t *testing.T, w *exporttest.Worker, f *export.Form, q question) (values [][]float64, classes []*string) {
	t.Helper()
	q.Path = written(t, f)
	var a answer
	if w.Ask(t, q, &a); a.Error != "" {
		t.Fatal(a.Error)
	}
	for _, texts := range a.Values {
		values = append(values, numbers(t, texts))
	}
	return values, a.Classes
}

func numbers(t *testing.T, texts []string) (row []float64) {
	t.Helper()
	for _, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		row = append(row, v)
	}
	return row
}

// TestPredictions: the file predicts what the model predicts, for columns in all forms.
func TestPredictions(t *testing.T) {
	w, form := start(t), 0
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		form++
		got, classes := ask(t, w, table.Form, question{Rows: table.Cells, Form: form})
		table.Compare(t, got, exporttest.Tolerance)
		for n, class := range classes {
			if want := table.Form.Outputs[slices.Index(got[n], slices.Max(got[n]))].Name; *class != want {
				t.Fatalf("row %d: class %s of %v", n+1, *class, got[n])
			}
		}
	})
}

// TestBlocks: more rows than those of a block are predicted as one by one.
func TestBlocks(t *testing.T) {
	m, err := exporttest.Case{Shape: "trapezoid", Response: "targets", Transform: true}.Model()
	if err != nil {
		t.Fatal(err)
	}
	table, err := exporttest.NewTable(m, 8192+300)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := ask(t, start(t), table.Form, question{Rows: table.Cells})
	table.Compare(t, got, exporttest.Tolerance)
}

// TestInfinite: a row with an infinite number has no prediction.
func TestInfinite(t *testing.T) {
	w := start(t)
	for _, c := range []exporttest.Case{
		{Shape: "gaussian", Response: "number", Transform: true}, {Shape: "trapezoid", Response: "classes", Committee: true},
		{Shape: "sigmoid", Response: "targets", Components: true},
	} {
		table := newTable(t, c)
		got, classes := ask(t, w, table.Form, question{Rows: table.Cells[:1], Infinite: true})
		for _, v := range got[0] {
			if !math.IsNaN(v) {
				t.Errorf("%s: %v", c.Name(), got)
			}
		}
		if c.Response == "classes" && classes[0] != nil {
			t.Errorf("class %q", *classes[0])
		}
	}
}

// TestErrors: faulty columns are errors that name them.
func TestErrors(t *testing.T) {
	w := start(t)
	path := written(t, newTable(t, exporttest.Case{Shape: "gaussian", Response: "number"}).Form)
	for want, change := range map[string]func(columns map[string]any){
		`KeyError: no column "x"; did you mean "X" there?`:                                                   func(c map[string]any) { c["X"] = c["x"]; delete(c, "x") },
		`ValueError: column "day" has 1 rows, column "x" has 2`:                                              func(c map[string]any) { c["day"] = []string{"=wed"} },
		`TypeError: column "x", row 2: expected a number, got the text '12': convert the column to numbers`:  func(c map[string]any) { c["x"] = []any{3, "12"} },
		`TypeError: column "x": expected a list or an array of one dimension, got float of shape ()`:         func(c map[string]any) { c["x"] = 3.5 },
		`TypeError: column "day": expected a list or an array of one dimension, got str of shape ()`:         func(c map[string]any) { c["day"] = "=wed" },
		`TypeError: column "wind \"speed\", m/s", row 1: expected a number, got {}`:                          func(c map[string]any) { c[`wind "speed", m/s`] = []any{map[string]any{}, 1} },
		`TypeError: column "day", row 2: expected the text of a category, got True`:                          func(c map[string]any) { c["day"] = []any{nil, true} },
		`TypeError: column "select": expected a list or an array of one dimension, got list of shape (2, 2)`: func(c map[string]any) { c["select"] = []any{[]int{1, 2}, []int{1, 2}} },
	} {
		columns := map[string]any{"x": []int{1, 2}, `wind "speed", m/s`: []any{nil, 2}, "day": []any{"O'Hare", nil},
			"größe 100%": []any{"", "other"}, "select": []float64{3.5, 4}}
		change(columns)
		var a answer
		if w.Ask(t, question{Path: path, Given: columns}, &a); a.Error != want {
			t.Errorf("error %q, want %q", a.Error, want)
		}
	}
}

// TestNumbersAsCategories: a number counts as the category with its text.
func TestNumbersAsCategories(t *testing.T) {
	m, err := exporttest.Case{Shape: "gaussian", Response: "number"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	m.Schema.Columns[2].Levels = []string{"1", "2", "2.5"}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	path := written(t, f)
	script := `import sys, runpy, numpy as np
p = runpy.run_path(sys.argv[1])["predict"]
def of(day): return p({"x": [3] * 4, 'wind "speed", m/s': [1] * 4, "day": day, "größe 100%": [None] * 4, "select": [-41] * 4}).tolist()
texts = of(["1", "2", "2.5", None])
assert len(set(texts[:3])) == 3, texts
for day in ([1, 2, 2.5, None], np.array([1, 2, 2.5, np.nan]), np.array([np.int64(1), 2, 2.5, float("nan")], dtype=object), [" 1", "2 ", "2.5", " "]):
    assert of(day) == texts, (day, of(day), texts)
`
	if out, err := exec.CommandContext(t.Context(), exporttest.Python(t, "numpy"), "-W", "error", "-c", script,
		path).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFilter: as a program, the file adds to a table the columns that `tskgraph predict` adds.
func TestFilter(t *testing.T) {
	python := exporttest.Python(t, "numpy")
	for _, response := range exporttest.Responses {
		table := newTable(t, exporttest.Case{Shape: "gaussian", Response: response, Transform: true})
		marks := []string{"", "NA", "n/a", "?", "NULL", "nan"}
		for n, row := range table.Cells {
			for i, cell := range row {
				if cell == "" {
					row[i] = marks[n/8%len(marks)]
				}
			}
		}
		cmd := exec.CommandContext(t.Context(), python, "-W", "error", written(t, table.Form))
		var stderr bytes.Buffer
		cmd.Stdin, cmd.Stderr = strings.NewReader("\ufeff"+table.CSV(true)+"\n"), &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		read, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		added := model.PredictedColumns(table.Form.Model)
		if want := slices.Concat(table.Header, added); !slices.Equal(read[0], want) {
			t.Fatalf("columns %q, want %q", read[0], want)
		}
		var got [][]float64
		for n, row := range read[1:] {
			if !slices.Equal(row[:len(table.Header)], table.Cells[n]) {
				t.Fatalf("row %d: %q, want %q", n+1, row, table.Cells[n])
			}
			y := numbers(t, row[len(row)-len(table.Form.Outputs):])
			got = append(got, y)
			first := row[len(table.Header)]
			if response == "quantiles" && first != row[len(table.Header)+2] || response == "classes" &&
				first != table.Form.Outputs[slices.Index(y, slices.Max(y))].Name {
				t.Errorf("row %d: first %q of %q", n+1, first, row[len(table.Header):])
			}
		}
		table.Compare(t, got, exporttest.Tolerance)
	}
}

// TestFilterErrors: faults of a table are errors in a line.
func TestFilterErrors(t *testing.T) {
	python, path := exporttest.Python(t, "numpy"), written(t, newTable(t, exporttest.Case{Shape: "gaussian", Response: "number"}).Form)
	for table, want := range map[string]string{
		"":                     "model.py: no header on standard input\n",
		"x,y\n1,2\n\n3\n":      "model.py: near line 4: a row of 1 cells; the header has 2\n",
		"x,x\n1,2\n":           "model.py: column 'x' exists twice: rename or remove it\n",
		"yield_predicted\n1\n": "model.py: column 'yield_predicted' already exists: rename or remove it\n",
		"x,y\n1,2\n":           "model.py: no column \"wind \\\"speed\\\", m/s\"\n",
		"x,y\n1_0,2\n":         "model.py: up to line 2, column x: '1_0' is not a number\n",
		"x,y\n\"1\"2,3\n":      "model.py: ',' expected after '\"'\n",
	} {
		cmd := exec.CommandContext(t.Context(), python, path)
		var stderr strings.Builder
		cmd.Stdin, cmd.Stderr = strings.NewReader(table), &stderr
		if err := cmd.Run(); err == nil || !strings.HasSuffix(stderr.String(), want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%q: error %v, %q", table, err, stderr.String())
		}
	}
}

// TestHostileNames: names from the data are data.
func TestHostileNames(t *testing.T) {
	m, err := exporttest.Case{Shape: "gaussian", Response: "classes"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Schema
	s.Target, s.Columns[0].Name, s.Columns[0].Unit = "\u2028raise 1;\n\"\"\"\nraise 2", "\"\"\"\nraise 3\n\"\"\"", "{1/0}%s\r\n\x00raise 4"
	s.Columns[2].Name, s.Columns[2].Levels = "'\\", []string{`"+1/0+"`, `\`, "\u202e\U000e0001"}
	s.Classes = []string{"__class__", "2\r", "a\nb"}
	for k, name := range s.Classes {
		m.Response.Classes[k].Name = name
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	w := start(t)
	for _, level := range append(s.Columns[2].Levels, "other") {
		cells := []string{"20", "1", level, "small", "-41"}
		got, classes := ask(t, w, f, question{Rows: [][]string{cells}})
		want := f.Predict(f.Encode(cells))
		for j, v := range want {
			if math.Abs(got[0][j]-v) > exporttest.Tolerance {
				t.Errorf("probabilities %v, want %v", got[0], want)
			}
		}
		if *classes[0] != s.Classes[slices.Index(want, slices.Max(want))] {
			t.Errorf("class %q of %v", *classes[0], want)
		}
	}
}

func newTable(t *testing.T, c exporttest.Case) *exporttest.Table {
	t.Helper()
	m, err := c.Model()
	if err != nil {
		t.Fatal(err)
	}
	table, err := exporttest.NewTable(m, 40)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestCells: predict and the filter read odd cells as predict does, and the filter refuses texts that are no numbers.
func TestCells(t *testing.T) {
	cells, w := exporttest.NewCells(t), start(t)
	typed := cells.Of(exporttest.All, exporttest.Trimming)
	got, _ := ask(t, w, typed.Form, question{Rows: typed.Cells})
	typed.Compare(t, got, exporttest.Tolerance)
	table := cells.Of(exporttest.All, exporttest.Trimming, exporttest.Tables)
	path := written(t, table.Form)
	cmd := exec.CommandContext(t.Context(), exporttest.Python(t, "numpy"), "-W", "error", path)
	cmd.Stdin = strings.NewReader(table.CSV(true))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, row := range read[1:] {
		got = append(got, numbers(t, row[len(row)-1:]))
	}
	table.Compare(t, got, exporttest.Tolerance)
	var texts []string
	for _, row := range cells.Of(exporttest.NoNumbers).Cells {
		texts = append(texts, row[0])
	}
	var a answer
	if w.Ask(t, question{Path: path, Texts: texts}, &a); a.Error != "" || len(a.Refused) != len(texts) {
		t.Errorf("refused %q of %q: %s", a.Refused, texts, a.Error)
	}
}
