package gosrc_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"go/format"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/gosrc"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// program is a module with a package for each exported model, and a command that reads their rows
// from CSV files p0.csv, p1.csv, ... and writes the outputs to p0.out, p1.out, ...
type program struct {
	dir            string
	imports, cases strings.Builder
	n              int
}

// add exports a form as package p<n> and writes rows for it.
func (p *program) add(t *testing.T, f *export.Form, rows string) {
	t.Helper()
	name := fmt.Sprintf("p%d", p.n)
	r, err := gosrc.Write(f, export.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	code := r.Files[0].Data
	if formatted, err := format.Source(code); err != nil || !bytes.Equal(formatted, code) {
		t.Errorf("not formatted: %v", err)
	}
	if !bytes.Contains(code[:1024], []byte(export.Marker)) {
		t.Error("the file does not say who wrote it")
	}
	p.write(t, filepath.Join(name, "model.go"), string(code))
	p.write(t, name+".csv", rows)
	var cells, outputs []string
	for i, c := range f.Columns {
		cell := fmt.Sprintf("number(c[%d])", i)
		if c.Encoding != data.Numeric {
			cell = fmt.Sprintf("c[%d]", i)
		}
		cells = append(cells, cell)
	}
	for j := range f.Outputs {
		output := fmt.Sprintf("y.Probabilities[%d]", j)
		if f.Kind != export.Classes {
			output = "reflect.ValueOf(y).Field(" + strconv.Itoa(j) + ").Float()"
		}
		outputs = append(outputs, output)
	}
	class := `""`
	if f.Kind == export.Classes {
		class = "y.Class"
	}
	fmt.Fprintf(&p.imports, "\t%q\n", "predictors/"+name)
	fmt.Fprintf(&p.cases,
		"\trun(%q, func(c []string) (string, []float64) {\n\t\ty := %s.Predict(%s.Row{%s})\n\t\treturn %s, []float64{%s}\n\t})\n",
		name, name, name, strings.Join(cells, ", "), class, strings.Join(outputs, ", "))
	p.n++
}

func (p *program) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// command is the command, with places for imports and calls of run.
const command = `package main

import (
	"encoding/csv"
	"math"
	"os"
	"reflect"
	"strconv"

%s)

var _ = reflect.ValueOf // not used if all models predict classes

func main() {
%s}

func number(cell string) float64 {
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return v
	}
	return math.NaN()
}

func run(name string, predict func(c []string) (string, []float64)) {
	in, err := os.Open(name + ".csv")
	check(err)
	rows, err := csv.NewReader(in).ReadAll()
	check(err)
	out, err := os.Create(name + ".out")
	check(err)
	w := csv.NewWriter(out)
	for _, row := range rows {
		class, y := predict(row)
		line := []string{class}
		for _, v := range y {
			line = append(line, strconv.FormatFloat(v, 'g', -1, 64))
		}
		check(w.Write(line))
	}
	w.Flush()
	check(w.Error())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
`

// run compiles the packages, vets them, and runs the command.
func (p *program) run(t *testing.T) {
	t.Helper()
	p.write(t, "go.mod", "module predictors\n\ngo 1.21\n")
	p.write(t, "main.go", fmt.Sprintf(command, &p.imports, &p.cases))
	for _, arguments := range [][]string{{"go", "build", "-o", "predict", "."}, {"go", "vet", "./p..."}, {"./predict"}} {
		cmd := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%.2000s", arguments, err, out)
		}
	}
}

// outputs returns the classes and outputs of package p<n>.
func (p *program) outputs(t *testing.T, n int) (classes []string, y [][]float64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, fmt.Sprintf("p%d.out", n)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var one []float64
		for _, cell := range row[1:] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			one = append(one, v)
		}
		classes, y = append(classes, row[0]), append(y, one)
	}
	return classes, y
}

func TestPredicts(t *testing.T) {
	p := &program{dir: t.TempDir()}
	var tables []*exporttest.Table
	var names []string
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, _ *model.Model, table *exporttest.Table) {
		p.add(t, table.Form, table.CSV(false))
		names, tables = append(names, c.Name()), append(tables, table)
	})
	cells := exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming)
	p.add(t, cells.Form, cells.CSV(false))
	names, tables = append(names, "cells"), append(tables, cells)
	p.run(t)
	for n, table := range tables {
		t.Run(names[n], func(t *testing.T) {
			classes, y := p.outputs(t, n)
			table.Compare(t, y, exporttest.Tolerance)
			for i, class := range classes {
				if want := mostProbable(table.Form, y[i]); class != want {
					t.Fatalf("row %d: class %q, want %q of %v", i+1, class, want, y[i])
				}
			}
		})
	}
}

// mostProbable returns the first of the most probable classes; "" if the outputs are no probabilities.
func mostProbable(f *export.Form, y []float64) string {
	if f.Kind != export.Classes || math.IsNaN(y[0]) {
		return ""
	}
	best := 0
	for j := range y {
		if y[j] > y[best] {
			best = j
		}
	}
	return f.Outputs[best].Name
}

func form(t *testing.T, c exporttest.Case) *export.Form {
	t.Helper()
	m, err := c.Model()
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPackageName(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	for _, name := range []string{"Model", "my-model", "9lives", "func", "a b", "größe", "x\n"} {
		var wrong *export.OptionError
		if _, err := gosrc.Write(f, export.Options{Name: name}); !errors.As(err, &wrong) || wrong.Option != export.OptionName {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{"": "predictor", "no2": "no2"} {
		r, err := gosrc.Write(f, export.Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(r.Files[0].Data), "\npackage "+want+"\n") {
			t.Errorf("%q: no package %s", name, want)
		}
		again, err := gosrc.Write(f, export.Options{Name: name})
		if err != nil || string(again.Files[0].Data) != string(r.Files[0].Data) {
			t.Errorf("%q: written twice, the files differ (%v)", name, err)
		}
	}
}

// TestOddModels: infinite numbers have no prediction, names become fields that differ, and members
// may have different formulas.
func TestOddModels(t *testing.T) {
	p := &program{dir: t.TempDir()}
	infinite := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	p.add(t, infinite, "Inf,1,O'Hare,small,-41\n1,-Inf,O'Hare,small,-41\n1,1,O'Hare,small,1e308\n1,1,Inf,Inf,-41\n")
	classes := form(t, exporttest.Case{Shape: "gaussian", Response: "classes", Committee: true})
	p.add(t, classes, "Inf,1,O'Hare,small,-41\n")
	hostile := form(t, exporttest.Case{Shape: "trapezoid", Response: "targets"})
	for i, name := range []string{"a b", "a-b", "type", "*/ // `\n\u2028\u202e\x00", "1st"} {
		hostile.Columns[i].Name, hostile.Columns[i].Unit = name, "\n\"`"
	}
	hostile.Outputs[0].Name, hostile.Outputs[1].Name, hostile.Target = "A_B", "a b", "y\nimport \"os\""
	p.add(t, hostile, "1,1,mon,small,-41\n")
	two := form(t, exporttest.Case{Shape: "gaussian", Response: "number", Committee: true})
	two.Members[1] = form(t, exporttest.Case{Shape: "trapezoid", Response: "number", Defuzz: "htsk"}).Members[0]
	p.add(t, two, "20,2,O'Hare,middle,-42\n-3,,\"=wed\",none,\n")
	p.run(t)
	_, y := p.outputs(t, 0)
	for n, want := range []bool{true, true, true, false} { // 1e308 is too far away; of a category Inf is a text
		if math.IsNaN(y[n][0]) != want {
			t.Errorf("row %d: %v", n+1, y[n])
		}
	}
	class, y := p.outputs(t, 1)
	if class[0] != "" || !math.IsNaN(y[0][0]+y[0][1]+y[0][2]) {
		t.Errorf("class %q, probabilities %v of an infinite number", class[0], y[0])
	}
	_, y = p.outputs(t, 3)
	for n, cells := range [][]string{{"20", "2", "O'Hare", "middle", "-42"}, {"-3", "", "=wed", "none", ""}} {
		if want := two.Predict(two.Encode(cells))[0]; !(math.Abs(y[n][0]-want) < 1e-10) {
			t.Errorf("members of two shapes: %v, want %v", y[n][0], want)
		}
	}
}
