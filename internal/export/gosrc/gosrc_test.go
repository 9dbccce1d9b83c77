package gosrc_test

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"go/format"
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
	"github.com/tskgraph/tskgraph/internal/test/testenv"
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
	code, err := os.ReadFile(exporttest.Written(t, gosrc.Write, f, export.Options{Name: name}, "model.go")[0])
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(code); err != nil || !bytes.Equal(formatted, code) {
		t.Errorf("not formatted: %v", err)
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
//
//go:embed testdata/main.go.txt
var command string

// run compiles the packages, vets them under CI=true, and runs the command.
func (p *program) run(t *testing.T) {
	t.Helper()
	p.write(t, "go.mod", "module predictors\n\ngo 1.21\n")
	p.write(t, "main.go", fmt.Sprintf(command, &p.imports, &p.cases))
	commands := [][]string{{"go", "build", "-o", "predict", "."}, {"./predict"}, {"go", "vet", "./p..."}}
	for _, arguments := range commands[:2+testenv.Cases(0, 1)] {
		cmd := exec.CommandContext(t.Context(), arguments[0], arguments[1:]...)
		cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOWORK=off") // flags of the tests' own, so that the standard library is compiled
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
	for n, row := range rows {
		classes, rows[n] = append(classes, row[0]), row[1:]
	}
	return classes, exporttest.Numbers(t, rows)
}

// TestPredicts compiles all models once: those of all cases, odd cells, and odd models, of which infinite numbers have no prediction,
// names become fields that differ, and members may have different formulas.
func TestPredicts(t *testing.T) {
	p := &program{dir: t.TempDir()}
	tables := map[string]*exporttest.Table{}
	var names []string
	add := func(name string, table *exporttest.Table) {
		p.add(t, table.Form, table.CSV(false))
		names, tables[name] = append(names, name), table
	}
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, _ *model.Model, table *exporttest.Table) { add(c.Name(), table) })
	add("cells", exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming))
	odd := func(c exporttest.Case, change func(f *export.Form), cells ...[]string) {
		table := &exporttest.Table{Form: c.Form(t), Cells: cells}
		change(table.Form)
		table.SetWant()
		add("odd "+c.Name(), table)
	}
	odd(exporttest.Case{Shape: "gaussian", Response: "number"}, func(*export.Form) {}, []string{"Inf", "1", "O'Hare", "small", "-41"},
		[]string{"1", "-Inf", "O'Hare", "small", "-41"}, []string{"1", "1", "O'Hare", "small", "1e308"}, // too far away
		[]string{"1", "1", "Inf", "Inf", "-41"}) // of a category Inf is a text
	odd(exporttest.Case{Shape: "gaussian", Response: "classes", Committee: true}, func(*export.Form) {},
		[]string{"Inf", "1", "O'Hare", "small", "-41"})
	odd(exporttest.Case{Shape: "trapezoid", Response: "targets"}, func(f *export.Form) {
		for i, name := range []string{"a b", "a-b", "type", "*/ // `\n\u2028\u202e\x00", "1st"} {
			f.Columns[i].Name, f.Columns[i].Unit = name, "\n\"`"
		}
		f.Outputs[0].Name, f.Outputs[1].Name, f.Target = "A_B", "a b", "y\nimport \"os\""
	}, []string{"1", "1", "mon", "small", "-41"})
	odd(exporttest.Case{Shape: "gaussian", Response: "number", Committee: true}, func(f *export.Form) {
		f.Members[1] = exporttest.Case{Shape: "trapezoid", Response: "number", Defuzz: "htsk"}.Form(t).Members[0]
	}, []string{"20", "2", "O'Hare", "middle", "-42"}, []string{"-3", "", "=wed", "none", ""})
	p.run(t)
	for n, name := range names {
		t.Run(name, func(t *testing.T) {
			classes, y := p.outputs(t, n)
			tables[name].Compare(t, y, exporttest.Tolerance)
			if tables[name].Form.Kind == export.Classes {
				tables[name].CompareChoices(t, y, classes)
			}
		})
	}
}

func TestPackageName(t *testing.T) {
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	for _, name := range []string{"Model", "my-model", "9lives", "func", "a b", "größe", "x\n"} {
		var wrong *export.OptionError
		if _, err := gosrc.Write(f, export.Options{Name: name}); !errors.As(err, &wrong) || wrong.Option != export.OptionName {
			t.Errorf("%q: %v", name, err)
		}
	}
	r, err := gosrc.Write(f, export.Options{})
	if err != nil || !strings.Contains(string(r.Files[0].Data), "\npackage predictor\n") {
		t.Errorf("no package predictor, %v", err)
	}
}
