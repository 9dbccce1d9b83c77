package onnx

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

// consumers are ONNX's own checker and a runtime.
type consumers struct{ checker, runtime *exporttest.Worker }

func newConsumers(t *testing.T) consumers {
	t.Helper()
	modules, python := exporttest.NodeModules(t, "onnxruntime-node"), exporttest.Python(t, "onnx")
	return consumers{exporttest.Start(t, python, "testdata/check.py"), exporttest.Start(t, exporttest.Tool(t, "node"), "testdata/run.cjs", modules)}
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
	result, err := Target{}.Write(f, o)
	if err != nil {
		t.Fatal(err)
	}
	w := written{form: f, options: o, path: filepath.Join(t.TempDir(), "model.onnx")}
	if err := os.WriteFile(w.path, result.Files[0].Data, 0o600); err != nil {
		t.Fatal(err)
	}
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
		for i, cell := range got.Cells {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			y[i/dims[1]] = append(y[i/dims[1]], v)
		}
	}
	return y, labels
}
