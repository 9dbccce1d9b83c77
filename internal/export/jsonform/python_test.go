package jsonform

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// startPackage starts testdata/run.py with the Python package of this repository.
func startPackage(t *testing.T) *exporttest.Worker {
	t.Helper()
	python := exporttest.Python(t, "numpy")
	path, err := filepath.Abs("../../python")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Glob(filepath.Join(path, "tskgraph", "*.py"))
	if err != nil || len(modules) == 0 {
		t.Fatal("no modules", err)
	}
	for _, module := range modules { // go test caches a result until a file changes that the test has read
		if _, err := os.ReadFile(module); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", path)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return exporttest.Start(t, python, "testdata/run.py")
}

// askPackage predicts cells [N] by the Python package.
func askPackage(t *testing.T, w *exporttest.Worker, m *model.Model, table *exporttest.Table, cells [][]string) (y [][]float64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "predictor.json")
	if err := os.WriteFile(path, written(t, m), 0o600); err != nil {
		t.Fatal(err)
	}
	var answer [][]string
	w.Ask(t, map[string]any{"path": path, "header": table.Header, "rows": cells}, &answer)
	for _, texts := range answer {
		var row []float64
		for _, text := range texts {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		y = append(y, row)
	}
	return y
}

// TestPackage: the Python package predicts what the model predicts.
func TestPackage(t *testing.T) {
	w := startPackage(t)
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, m *model.Model, table *exporttest.Table) {
		table.Compare(t, askPackage(t, w, m, table, table.Cells), exporttest.Tolerance)
	})
}

// TestPackageBlocks: more rows than those of a block are predicted as one by one.
func TestPackageBlocks(t *testing.T) {
	m, err := exporttest.Case{Shape: "trapezoid", Response: "targets", Transform: true}.Model()
	if err != nil {
		t.Fatal(err)
	}
	table, err := exporttest.NewTable(m, 2*4096+300)
	if err != nil {
		t.Fatal(err)
	}
	table.Compare(t, askPackage(t, startPackage(t), m, table, table.Cells), exporttest.Tolerance)
}

// TestPackageInfinite: a row with an infinite number has no prediction, and no effect on others.
func TestPackageInfinite(t *testing.T) {
	w := startPackage(t)
	for _, c := range []exporttest.Case{
		{Shape: "gaussian", Response: "number", Transform: true}, {Shape: "trapezoid", Response: "classes", Committee: true}, {Shape: "sigmoid", Response: "targets", Components: true},
	} {
		m, err := c.Model()
		if err != nil {
			t.Fatal(err)
		}
		table, err := exporttest.NewTable(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		table.Cells[1][0] = "inf"
		y := askPackage(t, w, m, table, table.Cells)
		for j := range y[1] {
			if !math.IsNaN(y[1][j]) || math.IsNaN(y[0][j]) || math.IsNaN(y[2][j]) {
				t.Errorf("%s: %v", c.Name(), y)
			}
		}
	}
}

// TestPackageCells: numbers far away, and texts with blanks around them, are read as predict does.
func TestPackageCells(t *testing.T) {
	table := exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming)
	table.Compare(t, askPackage(t, startPackage(t), table.Form.Model, table, table.Cells), exporttest.Tolerance)
}
