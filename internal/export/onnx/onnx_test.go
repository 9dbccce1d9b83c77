package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// floatTolerance is that of numbers of 32 bits.
const floatTolerance = 1e-4

// options are all combinations.
var options = []export.Options{{}, {Matrix: true}, {Float: true}, {Float: true, Matrix: true}}

// Tests with one process of each consumer.
func TestInRuntime(t *testing.T) {
	with := newConsumers(t)
	for name, test := range map[string]func(*testing.T, consumers){
		"Predicts": testPredicts, "Cells": testCells, "Batches": testBatches, "FarInputs": testFarInputs, "Overflow": testOverflow,
		"Nodes":      testNodes,
		"Conditions": testConditions, "Powers": testPowers, "Names": testNames, "Metadata": testMetadata,
	} {
		t.Run(name, func(t *testing.T) { test(t, with) })
	}
}

// Models of every kind predict in a runtime what they predict here. On the whole matrix, two of the
// options are enough.
func testPredicts(t *testing.T, with consumers) {
	options := options
	if exporttest.Matrix() {
		options = []export.Options{options[0], options[len(options)-1]}
	}
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		for _, o := range testenv.Draw(options, 3, 2, len(c.Name())) {
			with.compare(t, with.write(t, table.Form, o), table)
		}
	})
}

// compare compares the predictions for a table with those wanted, and the labels with these.
func (c consumers) compare(t *testing.T, w written, table *exporttest.Table) {
	t.Helper()
	y, labels := c.predict(t, w, table.Cells)
	tolerance := exporttest.Tolerance
	if w.options.Float {
		tolerance = floatTolerance
	}
	table.Compare(t, y, tolerance)
	table.CompareChoices(t, y, labels)
}

// cases are one of each kind of output.
var cases = []exporttest.Case{
	{Shape: "gaussian", Response: "number", Transform: true},
	{Shape: "trapezoid", Response: "quantiles", Committee: true},
	{Shape: "gbell", Response: "classes", Curves: "own"},
	{Shape: "gaussian", Response: "targets", Components: true},
}

// rows is the number of rows of tables.
const rows = 100

// each runs a subtest for each case with each of the options, every third by default, under CI=true every second, with a table and the
// model that is written.
func (c consumers) each(t *testing.T, all []exporttest.Case, test func(t *testing.T, w written, table *exporttest.Table)) {
	for i, one := range all {
		for _, o := range testenv.Draw(options, 3, 2, i) {
			t.Run(fmt.Sprint(one.Name(), o.Float, o.Matrix), func(t *testing.T) {
				table := one.Table(t, rows)
				test(t, c.write(t, table.Form, o), table)
			})
		}
	}
}

// A batch may have one row, or none.
func testBatches(t *testing.T, with consumers) {
	with.each(t, cases, func(t *testing.T, w written, table *exporttest.Table) {
		for n := range 2 {
			part := *table
			part.Cells, part.Want = table.Cells[:n], table.Want[:n]
			with.compare(t, w, &part)
		}
	})
}

// A number that is infinite or too far away gives no prediction: NaN in all outputs, and an empty label. A nearer
// one gives that of the model.
func testFarInputs(t *testing.T, with consumers) {
	with.each(t, cases, func(t *testing.T, w written, table *exporttest.Table) {
		far := []string{"Infinity", "-Infinity", "1e200", "-1e307"}
		if w.options.Float {
			far = append(far, "1e17", "-1e20")
		}
		cells := replaced(table, far...)
		y, labels := with.predict(t, w, cells)
		for n := range cells {
			if slices.ContainsFunc(y[n], func(v float64) bool { return !math.IsNaN(v) }) || labels != nil && labels[n] != "" {
				t.Errorf("%q: %v %q", cells[n], y[n], labels)
			}
		}
		if !w.options.Float {
			table.Cells = replaced(table, "1e50", "-1e99")
			table.SetWant()
			with.compare(t, w, table)
		}
	})
}

// replaced returns the first row with each of its numbers replaced by each of the cells.
func replaced(table *exporttest.Table, cells ...string) (rows [][]string) {
	for i, column := range table.Form.Columns {
		for _, cell := range cells {
			row := slices.Clone(table.Cells[0])
			if row[i] = cell; column.Encoding == data.Numeric {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// changed compares the predictions of a form that was changed, written with each of the options.
func (c consumers) changed(t *testing.T, table *exporttest.Table) {
	t.Helper()
	table.SetWant()
	for _, o := range testenv.Share(options, 3, len(t.Name())) {
		c.compare(t, c.write(t, table.Form, o), table)
	}
}

// Outputs and responses that overflow count as not covered.
func testOverflow(t *testing.T, with consumers) {
	for _, response := range []string{"number", "count", "classes", "quantiles"} {
		table := exporttest.Case{Shape: "gaussian", Response: response}.Table(t, rows)
		for _, rule := range table.Form.Members[0].Rules {
			rule.Weights[0][1] = 1e308
		}
		table.SetWant()
		with.compare(t, with.write(t, table.Form, export.Options{}), table)
	}
}

// More rules need no more nodes.
func testNodes(t *testing.T, with consumers) {
	with.each(t, []exporttest.Case{{Shape: "gaussian", Response: "quantiles"}}, func(t *testing.T, few written, table *exporttest.Table) {
		m := &table.Form.Members[0]
		for range 4 {
			m.Rules = append(m.Rules, m.Rules...) // the mean of all rules stays the same
		}
		many := with.write(t, table.Form, few.options)
		if few.nodes != many.nodes {
			t.Errorf("%d nodes, %d with more rules", few.nodes, many.nodes)
		}
		with.compare(t, many, table)
	})
}

// A model may have no conditions at all, or some in some rules.
func testConditions(t *testing.T, with consumers) {
	table := exporttest.Case{Shape: "triangular", Response: "number", Defuzz: "htsk"}.Table(t, rows)
	rules := table.Form.Members[0].Rules
	for most := range 4 {
		for r := range rules {
			n := min(len(rules[r].If), max(0, 3-most-r%2))
			rules[r].If, rules[r].Params = rules[r].If[:n], rules[r].Params[:n]
		}
		with.changed(t, table)
	}
}

// The transform of Yeo and Johnson loses no digits near the powers where its formula changes.
func testPowers(t *testing.T, with consumers) {
	for _, lambda := range []float64{-5, 0, 1e-300, 1e-12, -1e-9, 1e-5, 1e-3, 1, 2 - 1e-9, 2 - 1e-15, 2, 5} {
		t.Run(fmt.Sprint(lambda), func(t *testing.T) {
			table := exporttest.Case{Shape: "gaussian", Response: "number", Transform: true}.Table(t, rows)
			inputs := table.Form.Members[0].Inputs
			for i := range inputs {
				inputs[i].Power = &model.Power{Lambda: lambda, Mean: 0.25, SD: 0.5}
			}
			with.changed(t, table)
		})
	}
}

// Equal names of columns and targets, and names that the graph uses itself, become distinct.
func testNames(t *testing.T, with consumers) {
	with.each(t, cases, func(t *testing.T, w written, table *exporttest.Table) {
		f := table.Form
		for i, name := range []string{"label", "probabilities", "Add", "features", f.Outputs[0].Column} {
			f.Columns[i].Name = name
		}
		w = with.write(t, f, w.options)
		with.compare(t, w, table)
		if f.Kind == export.Classes && !w.options.Matrix && w.outputs[0].Output != "label_2" {
			t.Errorf("the label is %q", w.outputs[0].Output)
		}
	})
}

// The metadata have all that the names of inputs and outputs do not say.
func testMetadata(t *testing.T, with consumers) {
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	w := with.write(t, f, export.Options{})
	for key, want := range map[string]string{
		"columns":  `{"input":"größe 100%","column":"größe 100%","levels":["small","middle","\"big\""]}`,
		"features": `["x","wind \"speed\", m/s","day=O'Hare","day=mon, tue","day==wed","größe 100%","select"]`,
		"outputs":  `[{"output":"yield","target":"yield","unit":"kg"}]`,
		"rules":    "Rule 6:",
	} {
		if !strings.Contains(w.metadata[key], want) {
			t.Errorf("%s: %s\nwant %s", key, w.metadata[key], want)
		}
	}
	if x := w.columns[0]; x.Unit != "°C" || *x.Min != f.Columns[0].Min || *x.Max != f.Columns[0].Max {
		t.Errorf("column %+v", x)
	}
}

// A number that 32 bits cannot hold is refused.
func TestLargeNumbers(t *testing.T) {
	f := cases[0].Form(t)
	f.Members[0].Uncovered[0] = 1e39
	var wrong *export.OptionError
	if _, err := Write(f, export.Options{Float: true}); !errors.As(err, &wrong) || wrong.Option != export.OptionFloat {
		t.Errorf("%v, want an error of --float", err)
	}
	if _, err := Write(f, export.Options{}); err != nil {
		t.Error(err)
	}
}

// Numbers far away, and texts, are read as predict does.
func testCells(t *testing.T, with consumers) {
	table := exporttest.NewCells(t).Of(exporttest.All)
	with.compare(t, with.write(t, table.Form, export.Options{}), table)
}

// consumers are ONNX's own checker and a runtime.
type consumers struct{ checker, runtime *exporttest.Worker }

func newConsumers(t *testing.T) consumers {
	t.Helper()
	modules, python := exporttest.NodeModules(t, "onnxruntime-node"), exporttest.Python(t, "onnx")
	return consumers{exporttest.Start(t, python, "testdata/check.py"),
		exporttest.Start(t, exporttest.Tool(t, "node"), "testdata/run.cjs", modules)}
}

// written is a model that the checker accepted.
type written struct {
	form     *export.Form
	options  export.Options
	path     string
	nodes    int
	metadata map[string]string
	columns  []columnEntry
	outputs  []outputEntry
}

// write writes a model, which the checker must accept.
func (c consumers) write(t *testing.T, f *export.Form, o export.Options) written {
	t.Helper()
	w := written{form: f, options: o, path: exporttest.Written(t, Write, f, o, "model.onnx")[0]}
	var answer struct {
		Nodes    int
		Metadata map[string]string
		Error    string
	}
	if c.checker.Ask(t, map[string]string{"path": w.path}, &answer); answer.Error != "" {
		t.Fatal(answer.Error)
	}
	w.nodes, w.metadata = answer.Nodes, answer.Metadata
	for key, to := range map[string]any{"columns": &w.columns, "outputs": &w.outputs} {
		if err := json.Unmarshal([]byte(w.metadata[key]), to); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// feed is an input or an output; numbers are written as in a table.
type feed struct {
	Name  string   `json:"name,omitempty"`
	Text  bool     `json:"text,omitempty"`
	Dims  []int    `json:"dims"`
	Cells []string `json:"cells"`
}

// feeds returns the inputs of rows of cells.
func (w written) feeds(rows [][]string) []feed {
	f := w.form
	if w.options.Matrix {
		one := feed{Name: w.columns[0].Input, Dims: []int{len(rows), len(f.Features)}, Cells: []string{}}
		for _, row := range rows {
			for _, v := range f.Encode(row) {
				one.Cells = append(one.Cells, strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), "Inf", "Infinity", 1))
			}
		}
		return []feed{one}
	}
	var all []feed
	for i, c := range f.Columns {
		one := feed{Name: w.columns[i].Input, Text: c.Encoding != data.Numeric, Dims: []int{len(rows), 1}, Cells: []string{}}
		for _, row := range rows {
			one.Cells = append(one.Cells, row[i])
		}
		all = append(all, one)
	}
	return all
}

// predict runs a model on rows, and returns the outputs [N][J] and, of classes, the labels [N].
func (c consumers) predict(t *testing.T, w written, rows [][]string) (y [][]float64, labels []string) {
	t.Helper()
	kind := "float64"
	if w.options.Float {
		kind = "float32"
	}
	var answer struct {
		Outputs map[string]feed
		Error   string
	}
	if c.runtime.Ask(t, map[string]any{"path": w.path, "type": kind, "inputs": w.feeds(rows)}, &answer); answer.Error != "" {
		t.Fatal(answer.Error)
	}
	y = make([][]float64, len(rows))
	for j, of := range w.outputs {
		got, dims := answer.Outputs[of.Output], []int{len(rows), 1}
		switch {
		case w.form.Kind == export.Classes && j == 0:
			dims = dims[:1]
			labels = got.Cells
		case w.form.Kind == export.Classes:
			dims[1] = len(of.Classes)
		}
		if !slices.Equal(got.Dims, dims) {
			t.Fatalf("output %q has the dimensions %v, want %v", of.Output, got.Dims, dims)
		}
		if len(dims) == 1 {
			continue
		}
		for i, v := range exporttest.Numbers(t, [][]string{got.Cells})[0] {
			y[i/dims[1]] = append(y[i/dims[1]], v)
		}
	}
	return y, labels
}
