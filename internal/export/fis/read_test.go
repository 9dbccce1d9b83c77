package fis

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

// testRead reads what was written: it predicts the same, except that files do not have shapes of
// formulas.
func testRead(t *testing.T, all []*written) {
	for _, w := range all {
		t.Run(filepath.Base(w.dir), func(t *testing.T) {
			b, err := byhand.ReadFile(filepath.Join(w.dir, "model.fis"))
			if name := w.table.Form.Members[0].Shape.Name(); name == "softbox" || name == "waves" {
				if err == nil || !strings.Contains(err.Error(), "whose formula the file does not have") {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			m, err := b.Model(nil)
			if err != nil {
				t.Fatal(err)
			}
			f := exporttest.FormOf(t, m)
			table := restricted(w.table, exporttest.Rows(), func([]float64) bool { return true })
			var got [][]float64
			for _, cells := range table.Cells {
				var row []string
				for _, c := range f.Columns {
					row = append(row, cells[slices.Index(w.table.Header, c.Name)])
				}
				got = append(got, f.Predict(f.Encode(row)))
			}
			table.Compare(t, got, exporttest.Tolerance)
			for j, o := range f.Outputs {
				if want := w.table.Form.Outputs[j]; o.Name != want.Name || o.Unit != want.Unit {
					t.Errorf("output %+v, want %+v", o, want)
				}
			}
		})
	}
}

// A file of another system, with a name that is none of a column, makes a model of the same rules.
func TestReadOfOctave(t *testing.T) {
	path := filepath.Join("..", "..", "byhand", "fis", "testdata", "tip.fis")
	b, err := byhand.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.Model(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := exporttest.FormOf(t, m)
	rows := [][]float64{{0, 0}, {3, 8}, {10, 10}, {7.5, 2}, {9.9, 0.1}}
	w := &written{dir: t.TempDir()}
	table := &exporttest.Table{Form: f}
	for _, row := range rows {
		table.Want = append(table.Want, f.Predict(row))
		table.Cells = append(table.Cells, []string{export.Shortest(row[0]), export.Shortest(row[1])})
	}
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "model.fis", original)
	w.writeRows(t, table)
	run(t, exporttest.Tool(t, "octave-cli"), "--quiet", "--no-init-file", "--eval", octaveScript([]*written{w}))
	w.compare(t, "octave.txt", table, exporttest.Tolerance)
}
