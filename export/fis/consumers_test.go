package fis

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/export"
	"github.com/tskgraph/tskgraph/internal/exporttest"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// written is a case in a directory of its own: model.fis with its functions, rows of inputs that the
// format can express, and the unlimited predictions for them.
type written struct {
	dir       string
	table     *exporttest.Table // of these rows; Want has no limits
	functions bool
}

// prepared returns all cases that are not refused, at most so many rows of each. keep selects rows by
// the firing levels of the rules.
func prepared(t *testing.T, most int, keep func(levels []float64) bool) []*written {
	var all []*written
	dir := t.TempDir()
	each := func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		result, err := Target{}.Write(table.Form, export.Options{})
		if reason := refused(c); reason != "" || err != nil {
			if err == nil || !strings.Contains(err.Error(), reason) || reason == "" {
				t.Fatalf("error %v, want one with %q", err, reason)
			}
			return
		}
		w := &written{filepath.Join(dir, c.Name()), restricted(table, most, keep), len(result.Files) > 1}
		if err := os.Mkdir(w.dir, 0o777); err != nil {
			t.Fatal(err)
		}
		var rows bytes.Buffer
		for n := range w.table.Cells {
			for i, v := range inputs(w.table, n) {
				fmt.Fprintf(&rows, "%s%v", []string{"", " "}[min(i, 1)], v)
			}
			rows.WriteByte('\n')
		}
		result.Files[0].Name = "model.fis"
		for _, f := range append(result.Files, export.File{Name: "rows.txt", Data: rows.Bytes()}) {
			if err := os.WriteFile(filepath.Join(w.dir, f.Name), f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, w)
	}
	exporttest.Each(t, each)
	if !exporttest.Matrix() { // it has these
		for i, shape := range membership.Names() {
			c := exporttest.Case{Shape: shape, Transform: i%2 == 0, Response: []string{"number", "targets"}[i/2%2]}
			t.Run(c.Name(), func(t *testing.T) {
				m, err := c.Model()
				if err != nil {
					t.Fatal(err)
				}
				table, err := exporttest.NewTable(m, exporttest.Rows())
				if err != nil {
					t.Fatal(err)
				}
				each(t, c, m, table)
			})
		}
	}
	return all
}

// refused returns words of the reason for which a case is refused; "" if it is not.
func refused(c exporttest.Case) string {
	switch {
	case c.Committee:
		return "committee of 3 members"
	case c.Components:
		return "principal components"
	case c.Response == "classes", c.Response == "binary", c.Response == "count":
		return "are the " + map[string]string{"classes": "softmax", "binary": "logit", "count": "log"}[c.Response] + " link"
	case c.Response == "quantiles":
		return "the 3 quantiles"
	case c.Curves != "":
		return "the rules have curves"
	case c.Defuzz != "":
		return "the defuzzification is " + c.Defuzz
	case c.TNorm == "lukasiewicz":
		return "the t-norm is lukasiewicz"
	}
	return ""
}

// inputs returns the inputs of the system for a row.
func inputs(table *exporttest.Table, n int) []float64 {
	features := table.Features(n)
	var x []float64
	for _, in := range table.Form.Members[0].Inputs {
		x = append(x, features[in.Feature])
	}
	return x
}

// restricted returns a table of the rows without missing values that keep selects by the levels of the
// rules. It wants the predictions of the model without limits.
func restricted(table *exporttest.Table, most int, keep func(levels []float64) bool) *exporttest.Table {
	part := *table
	form := *table.Form
	m := form.Members[0]
	m.Low, m.High = make([]float64, m.Outputs), make([]float64, m.Outputs)
	for c := range m.Low {
		m.Low[c], m.High[c] = math.Inf(-1), math.Inf(1)
	}
	form.Members = []export.Member{m}
	part.Form, part.Cells, part.Want = &form, nil, nil
	for n, cells := range table.Cells {
		x := inputs(table, n)
		u, missing := make([]float64, len(x)), false
		for i, in := range m.Inputs {
			missing = missing || math.IsNaN(x[i])
			if u[i] = (x[i] - in.Mean) / in.SD; in.Power != nil {
				u[i] = in.Power.Value(u[i])
			}
		}
		if !missing && len(part.Cells) < most && keep(levels(&m, u)) {
			part.Cells, part.Want = append(part.Cells, cells), append(part.Want, form.Predict(table.Features(n)))
		}
	}
	return &part
}

// compare reads predictions, a line for each row, and compares them.
func (w *written) compare(t *testing.T, file string, tolerance float64) {
	text, err := os.ReadFile(filepath.Join(w.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for line := range strings.Lines(string(text)) {
		var row []float64
		for _, field := range strings.Fields(line) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		got = append(got, row)
	}
	w.table.Compare(t, got, tolerance)
}

// octaveScript evaluates the rows of each directory, also those out of range, and writes octave.txt.
func octaveScript(all []*written) string {
	var script strings.Builder
	script.WriteString("pkg load fuzzy-logic-toolkit\n")
	for _, w := range all {
		fmt.Fprintf(&script, "cd '%s'\nf = readfis('model.fis');\nfor i = 1:columns(f.input) f.input(i).range = [-Inf Inf]; end\n", w.dir)
		script.WriteString("y = evalfis(dlmread('rows.txt', ' '), f);\no = fopen('octave.txt', 'w'); fprintf(o, [repmat('%.17g ', 1, columns(y)) \"\\n\"], y'); fclose(o);\n")
	}
	return script.String()
}

// Octave predicts what the model predicts without limits, where a rule fires or the shape is zero.
func TestOctave(t *testing.T) {
	octave := exporttest.Tool(t, "octave-cli")
	most := 50 // Octave takes some 10 ms for a row
	if exporttest.Matrix() {
		most = 300
	}
	all := prepared(t, most, func(levels []float64) bool {
		sum := 0.0
		for _, level := range levels {
			sum += level
		}
		return sum == 0 || sum > 1e-280
	})
	run(t, octave, "--quiet", "--no-init-file", "--eval", octaveScript(all))
	for _, w := range all {
		t.Run(filepath.Base(w.dir), func(t *testing.T) { w.compare(t, "octave.txt", exporttest.Tolerance) })
	}
}

// fuzzylite predicts the same where the rules that fire do so at 1e-6 or above.
func TestFuzzylite(t *testing.T) {
	fuzzylite := exporttest.Tool(t, "fuzzylite")
	all := prepared(t, math.MaxInt, func(levels []float64) bool {
		most := 0.0
		for _, level := range levels {
			if most = max(most, level); level != 0 && level < leastLevel {
				return false
			}
		}
		return most > 0
	})
	rows := 0
	for _, w := range all {
		if w.functions || len(w.table.Cells) == 0 {
			continue
		}
		rows += len(w.table.Cells)
		t.Run(filepath.Base(w.dir), func(t *testing.T) {
			path := func(name string) string { return filepath.Join(w.dir, name) }
			run(t, fuzzylite, "-i", path("model.fis"), "-o", path("fuzzylite.fld"), "-d", path("rows.txt"), "-decimals", "14", "-dheader", "false", "-dinputs", "false")
			w.compare(t, "fuzzylite.fld", 1e-9)
		})
	}
	if rows < 100 {
		t.Errorf("only %d rows were compared", rows)
	}
}

func run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
