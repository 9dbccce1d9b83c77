package exporttest

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // reads the table
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// Table is a table of samples, with the predictions of a model for them. Its cells are those of a
// CSV file: numbers that parse to the bit, "" where a value is missing.
type Table struct {
	Form   *export.Form
	Header []string    // names of the columns of the form
	Cells  [][]string  // [N]
	Want   [][]float64 // [N][J], outputs as `tskgraph predict` writes them
}

// NewTable draws n rows for a model: most inside the ranges of training, others far outside, with
// missing cells or categories that training did not have.
func NewTable(tb testing.TB, m *model.Model, n int) *Table {
	tb.Helper()
	t := &Table{Form: FormOf(tb, m)}
	for _, c := range t.Form.Columns {
		t.Header = append(t.Header, c.Name)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	for i := range n {
		far := []float64{0, 0, 0, 0.3, 0, 3, 0, 1}[i%8]
		var row []string
		for _, c := range t.Form.Columns {
			row = append(row, drawCell(c, far, i%8 == 6, rng))
		}
		t.Cells = append(t.Cells, row)
	}
	t.Want = must[[][]float64](tb)(predictions(tb, m, t))
	return t
}

// Table draws n rows for the model of a case.
func (c Case) Table(tb testing.TB, n int) *Table {
	tb.Helper()
	return NewTable(tb, c.Model(tb), n)
}

// SetWant sets the wanted predictions to those of the form, after a change of the form or of cells.
func (t *Table) SetWant() {
	t.Want = nil
	for n := range t.Cells {
		t.Want = append(t.Want, t.Form.Predict(t.Features(n)))
	}
}

// NewFarTable returns rows of which one number lies up to 1e99 away, alternately the first usual ones of NewTable.
func NewFarTable(tb testing.TB, m *model.Model) *Table {
	tb.Helper()
	t := NewTable(tb, m, 40)
	n := 0
	for i, c := range t.Form.Columns {
		for _, far := range []string{"1e3", "-1e6", "1e17", "-1e40", "1e80", "1e99", "-1e99"} {
			if c.Numbers() {
				t.Cells[n%len(t.Cells)][i] = far
				n++
			}
		}
	}
	t.Cells = t.Cells[:min(n, len(t.Cells))]
	t.Want = must[[][]float64](tb)(predictions(tb, m, t))
	return t
}

// drawCell draws a cell, up to so many ranges outside that of training, or one that may be missing.
func drawCell(c export.Column, far float64, missing bool, rng *rand.Rand) string {
	if missing && rng.IntN(2) == 0 {
		return ""
	}
	if !c.Numbers() {
		if missing && rng.IntN(2) == 0 {
			return "none of them"
		}
		return c.Levels[rng.IntN(len(c.Levels))]
	}
	v := c.Min + float64((c.Max-c.Min)*((1+float64(2*far))*rng.Float64()-far))
	if rng.IntN(4) == 0 {
		v = float64(int(v))
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// predictions returns the outputs that the model predicts for a table, or the fault of the table.
func predictions(tb testing.TB, m *model.Model, t *Table) ([][]float64, error) {
	tb.Helper()
	var in, out bytes.Buffer
	w := csv.NewWriter(&in)
	header, names := slices.Clone(t.Header), []string{}
	for _, c := range m.Schema.Columns { // a column that no member uses must be there, unless it is constant for all
		if !slices.Contains(header, c.Name) && !c.Unused {
			names = append(names, c.Name)
		}
	}
	_ = w.Write(append(header, names...)) // a bytes.Buffer does not fail
	for _, row := range t.Cells {
		_ = w.Write(append(slices.Clone(row), make([]string, len(names))...))
	}
	w.Flush()
	if _, err := m.PredictTable(context.Background(), data.Input{Name: "table.csv", Reader: &in}, model.TableOptions{Delimiter: "comma"},
		&out); err != nil {
		return nil, err
	}
	read := must[[][]string](tb)(csv.NewReader(&out).ReadAll())
	outputs := make([][]string, len(read)-1)
	for n, row := range read[1:] {
		for _, o := range t.Form.Outputs {
			outputs[n] = append(outputs[n], row[slices.Index(read[0], o.Column)])
		}
	}
	return Numbers(tb, outputs), nil
}

// Features returns the features [F] of a row, NaN where a value is missing.
func (t *Table) Features(n int) []float64 { return t.Form.Encode(t.Cells[n]) }

// CSV returns the table as a CSV file, without a header if not asked for.
func (t *Table) CSV(header bool) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if header {
		_ = w.Write(t.Header) // a strings.Builder does not fail
	}
	_ = w.WriteAll(t.Cells)
	return b.String()
}

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
	m := Case{Shape: "gaussian", Response: "number"}.Model(t)
	levels := []string{"work day", "work  day", "=wed"}
	m.Schema.Columns[2].Levels = levels
	for k, level := range levels {
		m.Features[2+k].Name = "day=" + level
	}
	m.Schema.Columns[1].Limits, m.Schema.Columns[5].Limits = table.NewLimits(0, 1e4), table.NewLimits(-1e4, math.Inf(1))
	f := FormOf(t, m)
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
	c.add(1, All, "", "7", "1e9", "-1e99", "1e103", "-1e199") // with limits on both sides, and then on one
	c.add(1, Tables, "1e400", "-inf")
	c.add(4, All, "1e99", "1e103", "-1e103", "-1e199")
	for _, cells := range c.Cells { // after a row of the usual ones
		want, err := predictions(t, m, &Table{Form: f, Header: c.Header, Cells: [][]string{usual, cells}})
		switch {
		case err == nil:
			c.Want = append(c.Want, want[1])
		case errors.As(err, new(*data.Error)):
			c.Want = append(c.Want, []float64{math.NaN()})
		default:
			t.Fatal(err)
		}
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

// Tolerance is the largest difference to a prediction, as a share of the target's range.
const Tolerance = 1e-12

// Compare fails the test if an output [N][J] differs from the wanted one by more than tolerance
// times the target's range (of training or, if larger, of the predictions), or one for a
// probability, or if only one of both is NaN. It reports the largest difference.
func (t *Table) Compare(tb testing.TB, got [][]float64, tolerance float64) {
	tb.Helper()
	if len(got) != len(t.Want) {
		tb.Fatalf("%d predictions of %d rows", len(got), len(t.Want))
	}
	for j := range t.Form.Outputs {
		unit, most, at := t.unit(j), 0.0, 0
		for n, want := range t.Want {
			if len(got[n]) != len(want) {
				tb.Fatalf("row %d: %d outputs, want %d", n+1, len(got[n]), len(want))
			}
			off := math.Abs(got[n][j]-want[j]) / unit
			switch {
			case math.IsNaN(want[j]) && math.IsNaN(got[n][j]):
				off = 0
			case math.IsNaN(off):
				off = math.Inf(1)
			}
			if off > most {
				most, at = off, n
			}
		}
		if most > tolerance {
			tb.Errorf("output %s of row %d %q: %v, want %v: off by %.3g of the range", t.Form.Outputs[j].Column, at+1, t.Cells[at], got[at][j],
				t.Want[at][j], most)
		}
	}
}

// CompareChoices fails the test if a choice [N] is not that of outputs [N][J]: of classes the first of the most probable ones, of
// quantiles the one nearest to the median, empty without a prediction. Other outputs have none.
func (t *Table) CompareChoices(tb testing.TB, y [][]float64, choices []string) {
	tb.Helper()
	f := t.Form
	if len(choices) > 0 && len(choices) != len(y) {
		tb.Fatalf("%d choices of %d rows", len(choices), len(y))
	}
	for n, choice := range choices {
		want, got := "", choice
		switch {
		case f.Kind == export.Numbers:
			got = ""
		case math.IsNaN(y[n][0]):
			if choice == "NaN" {
				got = ""
			}
		case f.Kind == export.Classes:
			want = f.Outputs[slices.Index(y[n], slices.Max(y[n]))].Name
		default:
			want = strconv.FormatFloat(y[n][f.Median()], 'g', -1, 64)
			if v, err := strconv.ParseFloat(choice, 64); err == nil {
				got = strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
		if got != want {
			tb.Fatalf("row %d: %q is chosen of %v, want %q", n+1, choice, y[n], want)
		}
	}
}

// unit returns the range that differences of output j are compared with.
func (t *Table) unit(j int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, y := range t.Want {
		if !math.IsNaN(y[j]) {
			low, high = min(low, y[j]), max(high, y[j])
		}
	}
	of := t.Form.Model.Values()[j]
	return max(high-low, of.Max-of.Min)
}
