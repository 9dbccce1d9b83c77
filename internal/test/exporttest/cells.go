package exporttest

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// Reads says which targets read a cell.
type Reads int

const (
	All       Reads = iota // all that predict: a number, a text of a category, or nothing
	Trimming               // all that remove blanks around texts
	Tables                 // those that read tables: a number or a missing value as text
	NoNumbers              // those that read tables refuse it: a text in a column of numbers
)

// Cells is a table of odd cells, one in each row. Want is NaN in rows that `tskgraph predict` refuses.
type Cells struct {
	*Table
	Reads []Reads // [N]
}

// usual are cells of the columns of the model of NewCells.
var usual = []string{"15.5", "2", "work day", "middle", "-42"}

// NewCells returns the matrix of cells that every target reads as `tskgraph predict` does.
func NewCells(t *testing.T) *Cells {
	t.Helper()
	m, err := Case{Shape: "gaussian", Response: "number"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	levels := []string{"work day", "work  day", "=wed"}
	m.Schema.Columns[2].Levels = levels
	for k, level := range levels {
		m.Features[2+k].Name = "day=" + level
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	c := &Cells{Table: &Table{Form: f}}
	for _, column := range f.Columns {
		c.Header = append(c.Header, column.Name)
	}
	c.add(0, All, "", "7", "1e50", "1e99", "-1e99", "1e103", "1e220", "-1e308")
	c.add(0, Tables, "+7", "7.", ".5", "7E+001", "-1e-400", "0.0e-05", "1e400", "-Infinity", "inf", "NA", "n/A", "NaN", "Null", "?", "\u2003")
	c.add(0, NoNumbers, "1,5", "12abc", "abc", "0x10", "true", "1_000", "1 000", "--5", "e5", "nan(7)", "\ufeff7", "7\u200b", "\u001c7", "٣")
	c.add(2, All, "", "work  day", "WORK DAY", "work\u00a0day", "\ufeffwork day", "\u001cwork day", "workday", "none of them")
	c.add(2, Tables, "NA", "NULL", "?")
	c.add(2, Trimming, "\u2003", "\tnone of them ")
	c.add(3, Trimming, "\u00a0middle\u0085", " mid dle")
	for blanks := range slices.Chunk([]rune(export.Blanks), 5) {
		c.add(0, Tables, string(blanks)+"7"+string(blanks))
		c.add(2, Trimming, string(blanks)+"work day"+string(blanks))
	}
	for _, cells := range c.Cells {
		want, err := predictAfterUsual(m, c.Table, cells)
		if err != nil {
			t.Fatal(err)
		}
		c.Want = append(c.Want, want)
	}
	return c
}

// add adds rows with cells in a column.
func (c *Cells) add(at int, reads Reads, cells ...string) {
	for _, cell := range cells {
		row := slices.Clone(usual)
		row[at] = cell
		c.Cells, c.Reads = append(c.Cells, row), append(c.Reads, reads)
	}
}

// predictAfterUsual returns what is predicted for cells in a table whose first row has the usual ones; NaN if they are refused.
func predictAfterUsual(m *model.Model, t *Table, cells []string) ([]float64, error) {
	two := &Table{Form: t.Form, Header: t.Header, Cells: [][]string{usual, cells}}
	want, err := predictions(m, two)
	if errors.As(err, new(*data.Error)) {
		return []float64{math.NaN()}, nil
	}
	if err != nil {
		return nil, err
	}
	return want[1], nil
}

// Of returns the rows of cells of some kinds.
func (c *Cells) Of(kinds ...Reads) *Table {
	t := &Table{Form: c.Form, Header: c.Header}
	for n, cells := range c.Cells {
		if slices.Contains(kinds, c.Reads[n]) {
			t.Cells, t.Want = append(t.Cells, cells), append(t.Want, c.Want[n])
		}
	}
	return t
}
