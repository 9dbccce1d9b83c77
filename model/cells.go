package model

import (
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// cellWriter appends the cells of a row, each preceded by a delimiter.
type cellWriter struct {
	out       []byte
	delimiter byte
	safe      bool              // see TableOptions.SafeCells
	quoted    map[string]string // texts as cells
}

// number appends a number.
func (w *cellWriter) number(v float64) {
	if w.out = append(w.out, w.delimiter); w.safe && !numeric.Finite(v) {
		w.out = append(w.out, table.SafeCell(strconv.FormatFloat(v, 'g', -1, 64))...) // a spreadsheet reads +Inf as a formula
		return
	}
	w.out = digits.Append(w.out, v)
}

// text appends a text, quoted if it must be.
func (w *cellWriter) text(s string) {
	cell, known := w.quoted[s]
	if !known {
		cell = w.quote(s)
		w.quoted[s] = cell
	}
	w.out = append(w.out, w.delimiter)
	w.out = append(w.out, cell...)
}

// quote returns a text as a cell.
func (w *cellWriter) quote(s string) string {
	if w.safe {
		s = table.SafeCell(s)
	}
	return record(w.delimiter, s)
}

// record returns texts as a line of delimited text.
func record(delimiter byte, texts ...string) string {
	var line strings.Builder
	c := csv.NewWriter(&line)
	c.Comma = rune(delimiter)
	_ = c.Write(texts) // a strings.Builder does not fail
	c.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// appendCells appends the cells of sample n of a piece, in the order of
// [TableOptions.Columns].
func (o TableOptions) appendCells(w *cellWriter, m *Model, p *piece, n int) {
	if k := m.kind(); k.sets() {
		w.text(m.Schema.Classes[int(p.predicted.Values[n])])
	} else if k.chosen() {
		w.number(p.predicted.Values[n])
	}
	for _, values := range p.all {
		w.number(values[n])
	}
	if o.Spread {
		o.appendSpread(w, m, p, n)
	}
	for t, low := range p.low {
		w.number(low[n])
		w.number(p.high[t][n])
	}
	if o.Sets != 0 {
		var names []string
		for k, in := range p.sets {
			if in[n] {
				names = append(names, m.Schema.Classes[k])
			}
		}
		w.text(record('|', names...))
	}
	if o.Explain != nil {
		for _, v := range p.explained[n] {
			w.number(v)
		}
	}
	if o.Firing {
		o.appendFiring(w, m, p, n)
	}
}

// appendSpread appends the spread of sample n, of several targets that of each.
func (o TableOptions) appendSpread(w *cellWriter, m *Model, p *piece, n int) {
	if len(m.Schema.Others) == 0 {
		w.number(p.predicted.Spread[n])
		return
	}
	for _, v := range p.predicted.Spreads {
		w.number(v[n])
	}
}

// appendFiring appends the firing levels of sample n and what the rules say.
func (o TableOptions) appendFiring(w *cellWriter, m *Model, p *piece, n int) {
	J := len(p.fired.values)
	for r, level := range p.fired.levels[n] {
		w.number(level)
		for _, v := range p.fired.says[n][r*J : (r+1)*J] {
			w.number(v)
		}
	}
	if m.Neighbours != nil {
		w.number(p.predicted.Values[n] - p.fired.values[0][n])
	}
}
