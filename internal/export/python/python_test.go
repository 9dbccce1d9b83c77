package python

import (
	"bytes"
	"encoding/csv"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// question is a line for testdata/run.py.
type question struct {
	Path  string         `json:"path"`
	Rows  [][]string     `json:"rows"`
	Form  int            `json:"form"`            // of the columns
	Given map[string]any `json:"given,omitempty"` // instead of Rows
	Texts []string       `json:"texts,omitempty"` // instead of Rows: cells of a column of numbers
}

// answer is its answer, with numbers as text.
type answer struct {
	Values  [][]string
	Classes []string // empty for a row without a prediction
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
	return exporttest.Written(t, Write, f, export.Options{}, "model.py")[0]
}

// by predicts by the file of a form, for columns in all forms.
func by(w *exporttest.Worker) exporttest.Consumer {
	form := 0
	return func(t *testing.T, f *export.Form, cells [][]string) (y [][]float64, classes []string) {
		t.Helper()
		form++
		var a answer
		if w.Ask(t, question{Path: written(t, f), Rows: cells, Form: form}, &a); a.Error != "" {
			t.Fatal(a.Error)
		}
		return exporttest.Numbers(t, a.Values), a.Classes
	}
}

// ofNumber is the form of most tests.
func ofNumber(t *testing.T) *export.Form {
	t.Helper()
	return exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
}

func TestPredictions(t *testing.T) {
	w := start(t)
	exporttest.Hold(t, by(w), 8192, exporttest.All, exporttest.Trimming)
	t.Run("errors", func(t *testing.T) { testErrors(t, w) })
	t.Run("hostile names", func(t *testing.T) { testHostileNames(t, w) })
	t.Run("refused", func(t *testing.T) { testRefused(t, w) })
}

// Faulty columns are errors that name them.
func testErrors(t *testing.T, w *exporttest.Worker) {
	path := written(t, ofNumber(t))
	for want, change := range map[string]func(columns map[string]any){
		`KeyError: no column "x"; did you mean "X" there?`:      func(c map[string]any) { c["X"] = c["x"]; delete(c, "x") },
		`ValueError: column "day" has 1 rows, column "x" has 2`: func(c map[string]any) { c["day"] = []string{"=wed"} },
		`TypeError: column "x", row 2: expected a number, ` +
			`got the text '12': convert the column to numbers`: func(c map[string]any) { c["x"] = []any{3, "12"} },
		`TypeError: column "x": expected a list or an array of one dimension, ` +
			`got float of shape ()`: func(c map[string]any) { c["x"] = 3.5 },
		`TypeError: column "day": expected a list or an array of one dimension, ` +
			`got str of shape ()`: func(c map[string]any) { c["day"] = "=wed" },
		`TypeError: column "wind \"speed\", m/s", row 1: expected a number, ` +
			`got {}`: func(c map[string]any) { c[`wind "speed", m/s`] = []any{map[string]any{}, 1} },
		`TypeError: column "day", row 2: expected the text of a category, ` +
			`got True`: func(c map[string]any) { c["day"] = []any{nil, true} },
		`TypeError: column "select": expected a list or an array of one dimension, got list of shape (2, ` +
			`2)`: func(c map[string]any) { c["select"] = []any{[]int{1, 2}, []int{1, 2}} },
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
	path := written(t, exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t, func(m *model.Model) {
		m.Schema.Columns[2].Levels = []string{"1", "2", "2.5"}
	}))
	cmd := exec.CommandContext(t.Context(), exporttest.Python(t, "numpy"), "-W", "error", "testdata/categories.py", path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// filtered runs the file of a form as a program on a table, and returns its rows.
func filtered(t *testing.T, f *export.Form, text string) [][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), exporttest.Python(t, "numpy"), "-W", "error", written(t, f))
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(text), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	read, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestFilter: as a program, the file adds to a table the columns that `tskgraph predict` adds.
func TestFilter(t *testing.T) {
	for _, response := range exporttest.Responses {
		table := exporttest.Case{Shape: "gaussian", Response: response, Transform: true}.Table(t, 40)
		marks := []string{"", "NA", "n/a", "?", "NULL", "nan"}
		for n, row := range table.Cells {
			for i, cell := range row {
				if cell == "" {
					row[i] = marks[n/8%len(marks)]
				}
			}
		}
		read := filtered(t, table.Form, "\ufeff"+table.CSV(true)+"\n")
		if want := slices.Concat(table.Header, model.PredictedColumns(table.Form.Model)); !slices.Equal(read[0], want) {
			t.Fatalf("columns %q, want %q", read[0], want)
		}
		var outputs [][]string
		var choices []string
		for n, row := range read[1:] {
			if !slices.Equal(row[:len(table.Header)], table.Cells[n]) {
				t.Fatalf("row %d: %q, want %q", n+1, row, table.Cells[n])
			}
			outputs, choices = append(outputs, row[len(row)-len(table.Form.Outputs):]), append(choices, row[len(table.Header)])
		}
		y := exporttest.Numbers(t, outputs)
		table.Compare(t, y, exporttest.Tolerance)
		table.CompareChoices(t, y, choices)
	}
}

// TestFilterErrors: faults of a table are errors in a line.
func TestFilterErrors(t *testing.T) {
	python, path := exporttest.Python(t, "numpy"), written(t, ofNumber(t))
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

// Names from the data are data.
func testHostileNames(t *testing.T, w *exporttest.Worker) {
	table := &exporttest.Table{Form: exporttest.Case{Shape: "gaussian", Response: "classes"}.Form(t, func(m *model.Model) {
		s := &m.Schema
		s.Target, s.Columns[0].Name, s.Columns[0].Unit = "\u2028raise 1;\n\"\"\"\nraise 2", "\"\"\"\nraise 3\n\"\"\"", "{1/0}%s\r\n\x00raise 4"
		s.Columns[2].Name, s.Columns[2].Levels = "'\\", []string{`"+1/0+"`, `\`, "\u202e\U000e0001"}
		s.Classes = []string{"__class__", "2\r", "a\nb"}
		for k, name := range s.Classes {
			m.Response.Classes[k].Name = name
		}
	})}
	for _, level := range append(table.Form.Columns[2].Levels, "other") {
		table.Cells = append(table.Cells, []string{"20", "1", level, "small", "-41"})
	}
	table.SetWant()
	y, classes := by(w)(t, table.Form, table.Cells)
	table.Compare(t, y, exporttest.Tolerance)
	table.CompareChoices(t, y, classes)
}

// TestFilterCells: the filter reads odd cells as predict does.
func TestFilterCells(t *testing.T) {
	table := exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming, exporttest.Tables)
	var outputs [][]string
	for _, row := range filtered(t, table.Form, table.CSV(true))[1:] {
		outputs = append(outputs, row[len(row)-1:])
	}
	table.Compare(t, exporttest.Numbers(t, outputs), exporttest.Tolerance)
}

// The filter refuses texts that are no numbers.
func testRefused(t *testing.T, w *exporttest.Worker) {
	var texts []string
	for _, row := range exporttest.NewCells(t).Of(exporttest.NoNumbers).Cells {
		texts = append(texts, row[0])
	}
	var a answer
	if w.Ask(t, question{Path: written(t, ofNumber(t)), Texts: texts}, &a); a.Error != "" || len(a.Refused) != len(texts) {
		t.Errorf("refused %q of %q: %s", a.Refused, texts, a.Error)
	}
}
