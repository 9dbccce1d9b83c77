package fis

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/export"
	"github.com/tskgraph/tskgraph/internal/exporttest"
	"github.com/tskgraph/tskgraph/knowledge"
)

// A model that is written and read again predicts the same: of files without shapes of formulas, which
// are not known.
func TestRead(t *testing.T) {
	for _, w := range prepared(t, exporttest.Rows(), func([]float64) bool { return true }) {
		t.Run(filepath.Base(w.dir), func(t *testing.T) {
			b, err := knowledge.ReadFile(filepath.Join(w.dir, "model.fis"))
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
			f, err := export.New(m)
			if err != nil {
				t.Fatal(err)
			}
			var got [][]float64
			for _, cells := range w.table.Cells {
				var row []string
				for _, c := range f.Columns {
					row = append(row, cells[slices.Index(w.table.Header, c.Name)])
				}
				got = append(got, f.Predict(f.Encode(row)))
			}
			w.table.Compare(t, got, exporttest.Tolerance)
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
	path := filepath.Join("..", "..", "knowledge", "fis", "testdata", "tip.fis")
	b, err := knowledge.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.Model(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]float64{{0, 0}, {3, 8}, {10, 10}, {7.5, 2}, {9.9, 0.1}}
	dir := t.TempDir()
	w := &written{dir: dir, table: &exporttest.Table{Form: f}}
	var text strings.Builder
	for _, row := range rows {
		w.table.Want, w.table.Cells = append(w.table.Want, f.Predict(row)), append(w.table.Cells, nil)
		text.WriteString(figure(row[0]) + " " + figure(row[1]) + "\n")
	}
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"model.fis": original, "rows.txt": []byte(text.String())} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run(t, exporttest.Tool(t, "octave-cli"), "--quiet", "--no-init-file", "--eval", octaveScript([]*written{w}))
	w.compare(t, "octave.txt", exporttest.Tolerance)
}
