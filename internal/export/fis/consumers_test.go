package fis

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// written is a case in a directory of its own: model.fis with its functions.
type written struct {
	dir       string
	table     *exporttest.Table
	functions bool
}

// Each consumer predicts what the model predicts, of rows and models that it can express.
func TestConsumers(t *testing.T) {
	all := prepared(t)
	t.Run("octave", func(t *testing.T) { testOctave(t, all) })
	t.Run("fuzzylite", func(t *testing.T) { testFuzzylite(t, all) })
	t.Run("read", func(t *testing.T) { testRead(t, all) })
}

// prepared writes all cases that are not refused.
func prepared(t *testing.T) []*written {
	var all []*written
	dir := t.TempDir()
	each := func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		result, err := Write(table.Form, export.Options{})
		if reason := refused(c); reason != "" || err != nil {
			if err == nil || !strings.Contains(err.Error(), reason) || reason == "" {
				t.Fatalf("error %v, want one with %q", err, reason)
			}
			return
		}
		w := &written{filepath.Join(dir, filepath.Base(t.Name())), table, len(result.Files) > 1}
		if err := os.Mkdir(w.dir, 0o777); err != nil {
			t.Fatal(err)
		}
		result.Files[0].Name = "model.fis"
		for _, f := range result.Files {
			w.write(t, f.Name, f.Data)
		}
		all = append(all, w)
	}
	exporttest.Each(t, each)
	if exporttest.Matrix() { // it has the next
		return all
	}
	for i, shape := range testenv.Draw(membership.Names(), 3, 2, 1) {
		c := exporttest.Case{Shape: shape, Transform: i%2 == 0, Response: []string{"number", "targets"}[i/2%2]}
		t.Run(c.Name(), func(t *testing.T) { each(t, c, nil, c.Table(t, exporttest.Rows())) })
	}
	return all
}

func (w *written) write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// writeRows writes rows.txt, the inputs of the system for each row of a table.
func (w *written) writeRows(t *testing.T, table *exporttest.Table) {
	var rows bytes.Buffer
	for n := range table.Cells {
		for i, v := range inputs(table, n) {
			fmt.Fprintf(&rows, "%s%v", []string{"", " "}[min(i, 1)], v)
		}
		rows.WriteByte('\n')
	}
	w.write(t, "rows.txt", rows.Bytes())
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
	case c.Own:
		return "rules ask whether a cell is missing"
	case c.Curves != "", c.Page:
		return "the rules have curves"
	case c.Limited:
		return "columns have limits"
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

// compare compares predictions in a file, a line for each row.
func (w *written) compare(t *testing.T, file string, table *exporttest.Table, tolerance float64) {
	text, err := os.ReadFile(filepath.Join(w.dir, file))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Fields(line))
	}
	table.Compare(t, exporttest.Numbers(t, rows), tolerance)
}

// octaveScript evaluates the rows of each directory, also those out of range, and writes octave.txt.
func octaveScript(all []*written) string {
	var script strings.Builder
	script.WriteString("pkg load fuzzy-logic-toolkit\n")
	for _, w := range all {
		fmt.Fprintf(&script, "cd '%s'\nf = readfis('model.fis');\nfor i = 1:columns(f.input) f.input(i).range = [-Inf Inf]; end\n", w.dir)
		script.WriteString("y = evalfis(dlmread('rows.txt', ' '), f);\no = fopen('octave.txt', 'w'); fprintf(o, [repmat('%.17g ', 1, " +
			"columns(y)) \"\\n\"], y'); fclose(o);\n")
	}
	return script.String()
}

// testOctave runs Octave on rows where a rule fires, or the shape is zero.
func testOctave(t *testing.T, all []*written) {
	octave := exporttest.Tool(t, "octave-cli")
	most := testenv.CaseNumber(5, 20, 300) // Octave takes some 10 ms for a row
	var tables []*exporttest.Table
	for _, w := range all {
		table := restricted(w.table, most, func(levels []float64) bool {
			sum := 0.0
			for _, level := range levels {
				sum += level
			}
			return sum == 0 || sum > 1e-280
		})
		w.writeRows(t, table)
		tables = append(tables, table)
	}
	run(t, octave, "--quiet", "--no-init-file", "--eval", octaveScript(all))
	for i, w := range all {
		t.Run(filepath.Base(w.dir), func(t *testing.T) { w.compare(t, "octave.txt", tables[i], exporttest.Tolerance) })
	}
}

// testFuzzylite runs fuzzylite on rows where all rules that fire do so at 1e-6 or above.
func testFuzzylite(t *testing.T, all []*written) {
	fuzzylite := exporttest.Tool(t, "fuzzylite")
	rows := 0
	for _, w := range all {
		table := restricted(w.table, math.MaxInt, func(levels []float64) bool {
			most := 0.0
			for _, level := range levels {
				if most = max(most, level); level != 0 && level < leastLevel {
					return false
				}
			}
			return most > 0
		})
		if w.functions || len(table.Cells) == 0 {
			continue
		}
		rows += len(table.Cells)
		t.Run(filepath.Base(w.dir), func(t *testing.T) {
			w.writeRows(t, table)
			path := func(name string) string { return filepath.Join(w.dir, name) }
			run(t, fuzzylite, "-i", path("model.fis"), "-o", path("fuzzylite.fld"), "-d", path("rows.txt"), "-decimals", "14", "-dheader", "false",
				"-dinputs", "false")
			w.compare(t, "fuzzylite.fld", table, 1e-9)
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
