package c_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// strict are the warnings of which a source has none.
var strict = []string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Wcast-qual"}

// write exports a form into a new directory and returns the path of the source.
func write(t testing.TB, f *export.Form, o export.Options) string {
	t.Helper()
	r, err := c.Target{}.Write(f, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "model.c")
	for _, file := range r.Files {
		name := file.Name
		if name == "" {
			name = "model.c"
		}
		if !bytes.Contains(file.Data[:min(len(file.Data), 1024)], []byte(export.Marker)) {
			t.Errorf("%s does not say who wrote it", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// compile compiles with warnings as errors and returns the path of the program.
func compile(t testing.TB, arguments ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	run(t, exporttest.Tool(t, "gcc", "cc"), append(append(strict, "-o", program), append(arguments, "-lm")...)...)
	return program
}

func run(t testing.TB, program string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// filter runs a compiled filter.
func filter(t testing.TB, program, input string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs strings.Builder
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// predictions runs a compiled filter on a table and reads the outputs.
func predictions(t testing.TB, program string, table *exporttest.Table) [][]float64 {
	t.Helper()
	stdout, stderr, err := filter(t, program, table.CSV(false))
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for n, row := range rows {
		if table.Form.Kind == export.Classes {
			checkClass(t, table, n, row[0])
			row = row[1:]
		}
		var y []float64
		for _, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			y = append(y, v)
		}
		got = append(got, y)
	}
	return got
}

// checkClass checks the class of a row: the first of the most probable ones, up to rounding.
func checkClass(t testing.TB, table *exporttest.Table, n int, class string) {
	t.Helper()
	most, p := 0.0, -1.0
	for j, v := range table.Want[n] {
		if most = max(most, v); table.Form.Outputs[j].Name == class {
			p = v
		}
	}
	if !(p >= most-1e-4) {
		t.Errorf("row %d: class %q of probabilities %v", n+1, class, table.Want[n])
	}
}

func TestFilterPredicts(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		program := compile(t, "-O2", "-DTSK_MAIN", write(t, table.Form, export.Options{}))
		table.Compare(t, predictions(t, program, table), exporttest.Tolerance)
	})
}
