package exporttest

import (
	"bytes"
	"context"
	"encoding/csv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/table/csv" // reads the table
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
func NewTable(m *model.Model, n int) (*Table, error) {
	f, err := export.New(m)
	if err != nil {
		return nil, err
	}
	t := &Table{Form: f}
	for _, c := range f.Columns {
		t.Header = append(t.Header, c.Name)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	for i := range n {
		far := []float64{0, 0, 0, 0.3, 0, 3, 0, 1}[i%8]
		var row []string
		for _, c := range f.Columns {
			row = append(row, drawCell(c, far, i%8 == 6, rng))
		}
		t.Cells = append(t.Cells, row)
	}
	t.Want, err = predictions(m, t)
	return t, err
}

// NewFarTable returns rows of which one number lies up to 1e99 away, alternately the first usual ones of NewTable.
func NewFarTable(m *model.Model) (*Table, error) {
	t, err := NewTable(m, 40)
	if err != nil {
		return nil, err
	}
	n := 0
	for i, c := range t.Form.Columns {
		for _, far := range []string{"1e3", "-1e6", "1e17", "-1e40", "1e80", "1e99", "-1e99"} {
			if c.Encoding == data.Numeric {
				t.Cells[n%len(t.Cells)][i] = far
				n++
			}
		}
	}
	t.Cells = t.Cells[:min(n, len(t.Cells))]
	t.Want, err = predictions(m, t)
	return t, err
}

// drawCell draws a cell, up to so many ranges outside that of training, or one that may be missing.
func drawCell(c export.Column, far float64, missing bool, rng *rand.Rand) string {
	if missing && rng.IntN(2) == 0 {
		return ""
	}
	if c.Encoding != data.Numeric {
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

// predictions returns the outputs that the model predicts for a table.
func predictions(m *model.Model, t *Table) ([][]float64, error) {
	var in, out bytes.Buffer
	w := csv.NewWriter(&in)
	header, names := slices.Clone(t.Header), []string{}
	for _, c := range m.Schema.Columns { // a column that no member uses must be there, unless it is constant for all
		if !slices.Contains(header, c.Name) && !c.Unused {
			names = append(names, c.Name)
		}
	}
	rows := [][]string{append(header, names...)}
	for _, row := range t.Cells {
		rows = append(rows, append(slices.Clone(row), make([]string, len(names))...))
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	if _, err := m.PredictTable(context.Background(), data.Input{Name: "table.csv", Reader: &in}, model.TableOptions{Delimiter: "comma"}, &out); err != nil {
		return nil, err
	}
	read, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		return nil, err
	}
	var want [][]float64
	for _, row := range read[1:] {
		var y []float64
		for _, o := range t.Form.Outputs {
			v, err := strconv.ParseFloat(row[slices.Index(read[0], o.Column)], 64)
			if err != nil {
				return nil, err
			}
			y = append(y, v)
		}
		want = append(want, y)
	}
	return want, nil
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
