package exporttest_test

import (
	"math"
	"strings"
	"testing"
	"unicode"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// The form has all that a prediction needs: evaluated literally, it predicts as the model does.
func TestFormPredicts(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		var got [][]float64
		for n := range table.Cells {
			got = append(got, table.Form.Predict(table.Features(n)))
		}
		table.Compare(t, got, exporttest.Tolerance)
	})
}

// The blanks are the white space of Unicode, as tables are read.
func TestBlanks(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if unicode.IsSpace(r) != strings.ContainsRune(export.Blanks, r) {
			t.Errorf("%U is white space: %t", r, unicode.IsSpace(r))
		}
	}
}

// The form reads odd cells as `tskgraph predict` does.
func TestFormReadsCells(t *testing.T) {
	cells := exporttest.NewCells(t)
	var got [][]float64
	for n := range cells.Cells {
		got = append(got, cells.Form.Predict(cells.Features(n)))
		if cells.Reads[n] == exporttest.NoNumbers && !math.IsNaN(cells.Want[n][0]) {
			t.Errorf("%q: predicted as %v", cells.Cells[n], cells.Want[n])
		}
	}
	cells.Compare(t, got, exporttest.Tolerance)
}

// So does it for numbers far away.
func TestFormPredictsFarOut(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, _ *exporttest.Table) {
		table, err := exporttest.NewFarTable(m)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]float64
		for n := range table.Cells {
			got = append(got, table.Form.Predict(table.Features(n)))
		}
		table.Compare(t, got, exporttest.Tolerance)
	})
}
