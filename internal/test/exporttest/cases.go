package exporttest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

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

// Rows is the number of rows that each case is tested on: 20,000 of the matrix, else 400.
func Rows() int {
	if Matrix() {
		return 20_000
	}
	return 400
}

// Cases returns the cases to test: with [Matrix] every shape with every combination of the first
// fields and those of the other fields; else a few, in which each field, link and operation of a formula occurs.
func Cases() []Case {
	if !Matrix() {
		return few
	}
	all := slices.Clone(few)
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
	{Shape: "waves", Response: "number", Committee: true, Components: true},
	{Shape: "softbox", Response: "binary"},
	{Shape: "gaussian", Response: "quantiles", Curves: "own", Committee: true},
	{Shape: "gaussian", Response: "classes", Curves: "shared", Components: true},
	{Shape: "gaussian", Response: "count", Transform: true},
	{Shape: "triangular", Response: "targets", TNorm: "lukasiewicz"},
	{Shape: "trapezoid", Response: "number", TNorm: "minimum", Defuzz: "htsk"},
	{Shape: "gaussian", Response: "classes", Defuzz: "logtsk"},
	{Shape: "sigmoid", Response: "number", Transform: true, Open: true},
}

// others are cases of the other fields.
var others = []Case{
	{Shape: "gaussian", Response: "number"},
	{Shape: "gaussian", Response: "number", Components: true, Committee: true, ImputeMeans: true},
	{Shape: "sigmoid", Response: "binary"},
	{Shape: "trapezoid", Response: "number", Curves: "shared"},
	{Shape: "gaussian", Response: "number", TNorm: "minimum"},
	{Shape: "gbell", Response: "number", Defuzz: "htsk"},
	{Shape: "trapezoid", Response: "number", Open: true},
	{Shape: "gauss2", Response: "classes", Open: true},
	{Shape: "pi", Response: "number", Open: true},
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
	for _, c := range Cases() {
		t.Run(c.Name(), func(t *testing.T) {
			m, err := c.Model()
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", c.Name(), err))
			}
			table, err := NewTable(m, Rows())
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", c.Name(), err))
			}
			test(t, c, m, table)
		})
	}
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

// Python returns a Python that can import the modules. Without one the test is skipped, and fails
// under CI=true.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		script := "import sys"
		for _, module := range modules {
			script += ", " + module
		}
		if exec.CommandContext(t.Context(), name, "-c", script).Run() == nil {
			return name
		}
	}
	missing(t, "python3")
	return ""
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
