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

// byForm predicts by the form.
func byForm(_ *testing.T, f *export.Form, cells [][]string) (y [][]float64, _ []string) {
	table := exporttest.Table{Form: f, Cells: cells}
	table.SetWant()
	return table.Want, nil
}

// The form has all that a prediction needs: evaluated literally, it predicts as the model does, and reads odd cells as
// `tskgraph predict` does.
func TestFormPredicts(t *testing.T) {
	exporttest.Hold(t, byForm, 0, exporttest.All, exporttest.Trimming, exporttest.Tables, exporttest.NoNumbers)
	cells := exporttest.NewCells(t).Of(exporttest.NoNumbers)
	for n := range cells.Cells {
		if !math.IsNaN(cells.Want[n][0]) {
			t.Errorf("%q: predicted as %v", cells.Cells[n], cells.Want[n])
		}
	}
}

// The blanks are the white space of Unicode, as tables are read.
func TestBlanks(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if unicode.IsSpace(r) != strings.ContainsRune(export.Blanks, r) {
			t.Errorf("%U is white space: %t", r, unicode.IsSpace(r))
		}
	}
}

// So does it for numbers far away.
func TestFormPredictsFarOut(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, _ *exporttest.Table) {
		table := exporttest.NewFarTable(t, m)
		y, _ := byForm(t, table.Form, table.Cells)
		table.Compare(t, y, exporttest.Tolerance)
	})
}
