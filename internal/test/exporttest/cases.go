package exporttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// Responses are the values of Case.Response in the matrix.
var Responses = []string{"number", "classes", "targets", "quantiles"}

// formulas are shapes that are not built in: without and with a logarithm, of all functions.
var formulas = []membership.Formula{
	{Name: "waves", Expr: "clamp(1 - abs(x-c)/(4*s), 0, 1)*(0.75 + 0.25*cos(x-c)) + relu(tanh(s) - 2)",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}},
	{Name: "softbox", Expr: "sigmoid((x-a)/s)*sigmoid((b-x)/s)", LogExpr: "log(sigmoid((x-a)/s)) + log(sigmoid((b-x)/s))",
		Params: []membership.FormulaParam{{Name: "a", Init: "center - spread"}, {Name: "b", Init: "center + spread"},
			{Name: "s", Init: "0.4*spread"}}},
}

// Matrix reports whether make export-matrix or make matrix asks for the whole matrix.
func Matrix() bool { return testenv.AllCases() }

// Rows is the number of rows that each case is tested on.
func Rows() int { return testenv.CaseNumber(100, 150, 20_000) }

// Cases returns the cases to test: with [Matrix] every shape with every combination of the first
// fields and those of the other fields; under CI=true a few, in which each field, link and operation of a formula occurs; else every second
// of these from start on.
func Cases(start int) []Case {
	all := testenv.Draw(few, 2, 1, start)
	if !Matrix() {
		return all
	}
	for _, shape := range shapeNames() {
		for _, response := range Responses {
			for bits := range 8 {
				all = append(all, Case{Shape: shape, Transform: bits&1 != 0, Committee: bits&2 != 0, Components: bits&4 != 0, Response: response})
			}
		}
	}
	for _, c := range others {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

var few = []Case{
	{Shape: "gaussian", Response: "number", Transform: true, Unlimited: true, ImputeMeans: true},
	{Shape: "gaussian", Response: "number", Committee: true, Curves: "own", ImputeMeans: true, Own: true},
	{Shape: "ramp", Response: "number", ImputeMeans: true, Own: true, Page: true},
	{Shape: "waves", Response: "number", Committee: true, Components: true},
	{Shape: "gaussian", Response: "number", Transform: true, Limited: true},
	{Shape: "softbox", Response: "binary"},
	{Shape: "gaussian", Response: "quantiles", Curves: "own", Committee: true},
	{Shape: "gaussian", Response: "classes", Curves: "shared", Components: true},
	{Shape: "gaussian", Response: "count", Transform: true},
	{Shape: "triangular", Response: "targets", TNorm: "lukasiewicz"},
	{Shape: "trapezoid", Response: "number", TNorm: "minimum", Defuzz: "htsk"},
	{Shape: "gaussian", Response: "classes", Defuzz: "logtsk"},
	{Shape: "sigmoid", Response: "number", Transform: true, Open: true},
	{Shape: "ramp", Response: "number", ImputeMeans: true, Page: true},
	{Shape: "ramp", Response: "number", Page: true},
	{Shape: "ramp", Response: "number", ImputeMeans: true, Page: true, Factors: true},
	{Shape: "ramp", Response: "targets", Page: true},
}

// others are cases of the other fields.
var others = []Case{
	{Shape: "trapezoid", Response: "targets", Curves: "own", Committee: true, Components: true, ImputeMeans: true, Limited: true},
	{Shape: "ramp", Response: "number", Page: true, Limited: true},
	{Shape: "gaussian", Response: "number"},
	{Shape: "gaussian", Response: "number", Components: true, Committee: true, ImputeMeans: true},
	{Shape: "sigmoid", Response: "binary"},
	{Shape: "trapezoid", Response: "number", Curves: "shared"},
	{Shape: "gaussian", Response: "number", TNorm: "minimum"},
	{Shape: "gbell", Response: "number", Defuzz: "htsk"},
	{Shape: "trapezoid", Response: "number", Open: true},
	{Shape: "gauss2", Response: "classes", Open: true},
	{Shape: "pi", Response: "number", Open: true},
	{Shape: "ramp", Response: "number", Transform: true, Open: true},
	{Shape: "ramp", Response: "classes", Page: true},
	{Shape: "ramp", Response: "binary", Page: true, Factors: true},
	{Shape: "ramp", Response: "quantiles", Page: true},
}

func shapeNames() []string {
	names := membership.Names()
	for _, f := range formulas {
		names = append(names, f.Name)
	}
	return names
}

func lookupShape(name string) (membership.Function, error) {
	for _, f := range formulas {
		if f.Name == name {
			return f.Shape()
		}
	}
	return membership.Lookup(name)
}

// Each runs a subtest for each case, with its model and a table for it.
func Each(t *testing.T, test func(t *testing.T, c Case, m *model.Model, table *Table)) {
	t.Helper()
	for _, c := range Cases(len(t.Name())) {
		t.Run(c.Name(), func(t *testing.T) {
			m := c.Model(t)
			test(t, c, m, NewTable(t, m, Rows()))
		})
	}
}

// Consumer predicts the rows of cells by what a target writes of a form: the outputs [N][J] and, if it has them, the choices [N] of
// [Table.CompareChoices].
type Consumer func(t *testing.T, f *export.Form, cells [][]string) (y [][]float64, choices []string)

// Hold holds a consumer to the predictions of the model: of each case, of odd cells that it reads, and without one where a number is
// infinite, which the consumer reads as "inf"; block is the number of rows that it predicts at once, 0: any.
func Hold(t *testing.T, predict Consumer, block int, reads ...Reads) {
	check := func(t *testing.T, table *Table) {
		t.Helper()
		y, choices := predict(t, table.Form, table.Cells)
		table.Compare(t, y, Tolerance)
		table.CompareChoices(t, y, choices)
	}
	t.Run("cases", func(t *testing.T) {
		Each(t, func(t *testing.T, _ Case, _ *model.Model, table *Table) { check(t, table) })
	})
	t.Run("cells", func(t *testing.T) { check(t, NewCells(t).Of(reads...)) })
	t.Run("infinite", func(t *testing.T) {
		for _, c := range []Case{{Shape: "gaussian", Response: "number", Transform: true},
			{Shape: "trapezoid", Response: "classes", Committee: true},
			{Shape: "sigmoid", Response: "targets", Components: true}} {
			table := c.Table(t, 3)
			table.Cells[1][0] = "inf"
			table.SetWant()
			check(t, table)
		}
	})
	if block > 0 {
		t.Run("blocks", func(t *testing.T) {
			check(t, Case{Shape: "trapezoid", Response: "targets", Transform: true}.Table(t, 2*block+300))
		})
	}
}

// Written writes the files of a form to a directory of its own, the first one under a name, and returns their paths. The files must be the
// same the second time, and say what wrote them.
func Written(tb testing.TB, target func(*export.Form, export.Options) (*export.Result, error), f *export.Form, o export.Options,
	first string) (paths []string) {
	tb.Helper()
	result, again := must[*export.Result](tb)(target(f, o)), must[*export.Result](tb)(target(f, o))
	dir := tb.TempDir()
	result.Files[0].Name = first
	for i, file := range result.Files {
		if !bytes.Equal(file.Data, again.Files[i].Data) || !bytes.Contains(file.Data[:min(len(file.Data), 1024)], []byte(export.Marker)) {
			tb.Errorf("%s is not the same the second time, or has no marker", file.Name)
		}
		paths = append(paths, filepath.Join(dir, file.Name))
		if err := os.WriteFile(paths[i], file.Data, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return paths
}

// Numbers returns texts [N][J] as numbers.
func Numbers(tb testing.TB, texts [][]string) [][]float64 {
	tb.Helper()
	all := make([][]float64, len(texts))
	for n, row := range texts {
		for _, text := range row {
			all[n] = append(all[n], must[float64](tb)(strconv.ParseFloat(text, 64)))
		}
	}
	return all
}

// Tool returns the path of the first of some programs that is installed. Without one the test is
// skipped, and fails under CI=true.
func Tool(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, names[0])
	return ""
}

// NodeModules returns the directory of node's packages that TSKGRAPH_NODE_MODULES names, if it has
// the package. Otherwise the test is skipped, and fails under CI=true.
func NodeModules(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("TSKGRAPH_NODE_MODULES")
	if info, err := os.Stat(filepath.Join(dir, name)); dir == "" || err != nil || !info.IsDir() {
		missing(t, name)
	}
	return dir
}

// pythons are the Pythons that were found, by the modules that they import.
var pythons = map[string]string{}

// Python returns a Python that can import the modules. Without one the test is skipped, and fails
// under CI=true.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	script := "import " + strings.Join(append(modules, "sys"), ", ")
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if pythons[script] == "" && exec.CommandContext(t.Context(), name, "-c", script).Run() == nil {
			pythons[script] = name
		}
	}
	if pythons[script] == "" {
		missing(t, "python3")
	}
	return pythons[script]
}

func missing(t testing.TB, name string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: .ci/run installs it", name)
	}
	t.Skipf("%s is not installed", name)
}

// Worker is a process that answers each line of JSON with one, so that a program that starts
// slowly runs once for many cases.
type Worker struct {
	in  io.Writer
	out *bufio.Reader
}

// Start starts a process, which ends with the test.
func Start(t *testing.T, name string, args ...string) *Worker {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // ended by the context, if not by the end of its input
	})
	return &Worker{in, bufio.NewReader(out)}
}

// Ask sends a question as JSON and reads the answer into the value that answer points to.
func (w *Worker) Ask(t *testing.T, question, answer any) {
	t.Helper()
	line, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	if line, err = w.out.ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		t.Fatalf("%v in %.200q", err, line)
	}
}
