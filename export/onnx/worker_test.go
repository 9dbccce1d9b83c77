package onnx

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/export"
	"github.com/tskgraph/tskgraph/internal/exporttest"
)

// worker is a process that answers each line of JSON with one.
type worker struct {
	in  io.Writer
	out *bufio.Reader
}

func start(t *testing.T, name string, args ...string) *worker {
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
	return &worker{in, bufio.NewReader(out)}
}

func (w *worker) ask(t *testing.T, question, answer any) {
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
		t.Fatal(err)
	}
}

// consumers are ONNX's own checker and a runtime.
type consumers struct{ checker, runtime *worker }

func newConsumers(t *testing.T) consumers {
	t.Helper()
	modules, python := exporttest.NodeModules(t, "onnxruntime-node"), exporttest.Python(t, "onnx")
	return consumers{start(t, python, "testdata/check.py"), start(t, exporttest.Tool(t, "node"), "testdata/run.cjs", modules)}
}

// checked is the answer of the checker.
type checked struct {
	Nodes    int
	Metadata map[string]string
	Error    string
}

// write writes a model, which the checker must accept, and returns its path.
func (c consumers) write(t *testing.T, f *export.Form, o export.Options) (path string, about checked) {
	t.Helper()
	result, err := Target{}.Write(f, o)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, result.Files[0].Data, 0o600); err != nil {
		t.Fatal(err)
	}
	c.checker.ask(t, map[string]string{"path": path}, &about)
	if about.Error != "" {
		t.Fatal(about.Error)
	}
	return path, about
}

// feed is an input or an output; numbers are written as in a table.
type feed struct {
	Name  string   `json:"name,omitempty"`
	Text  bool     `json:"text,omitempty"`
	Dims  []int    `json:"dims"`
	Cells []string `json:"cells"`
}

// feeds returns the inputs of rows of cells.
func feeds(f *export.Form, rows [][]string, o export.Options) []feed {
	if o.Matrix {
		one := feed{Name: matrixInput, Dims: []int{len(rows), len(f.Features)}, Cells: []string{}}
		for _, row := range rows {
			for _, v := range f.Encode(row) {
				one.Cells = append(one.Cells, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		return []feed{one}
	}
	var all []feed
	for i, c := range f.Columns {
		one := feed{Name: c.Name, Text: c.Encoding != data.Numeric, Dims: []int{len(rows), 1}, Cells: []string{}}
		for _, row := range rows {
			one.Cells = append(one.Cells, row[i])
		}
		all = append(all, one)
	}
	return all
}

// predict runs a model on rows, and returns the outputs [N][J] and, of classes, the labels [N].
func (c consumers) predict(t *testing.T, path string, f *export.Form, rows [][]string, o export.Options) (y [][]float64, labels []string) {
	t.Helper()
	kind := "float64"
	if o.Float {
		kind = "float32"
	}
	var answer struct {
		Outputs map[string]feed
		Error   string
	}
	c.runtime.ask(t, map[string]any{"path": path, "type": kind, "inputs": feeds(f, rows, o)}, &answer)
	if answer.Error != "" {
		t.Fatal(answer.Error)
	}
	y = make([][]float64, len(rows))
	add := func(name string, dims ...int) {
		of, ok := answer.Outputs[name]
		if !ok || !slices.Equal(of.Dims, append([]int{len(rows)}, dims...)) {
			t.Fatalf("output %q has the dimensions %v, want %v of %d rows", name, of.Dims, dims, len(rows))
		}
		for i, cell := range of.Cells {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			n := i / dims[0]
			y[n] = append(y[n], v)
		}
	}
	switch f.Kind {
	case export.Classes:
		add(probabilitiesOutput, len(f.Outputs))
		return y, answer.Outputs[labelOutput].Cells
	case export.Quantiles:
		for _, of := range f.Outputs {
			add(of.Column, 1)
		}
	default:
		for _, of := range f.Outputs {
			add(of.Name, 1)
		}
	}
	return y, nil
}
