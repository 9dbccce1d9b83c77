// Package drift compares rows with those that a model was trained on: the cells of each column, the rows that each rule decides and, where
// targets are known, the errors of each rule.
//
//	r, err := drift.New(m, train, held) // once
//	c := r.Count()
//	err = c.Add(d.X, d.Missing.Unknown) // blocks of new rows; c.AddErrors(d) where their targets are known
//	report := r.Compare(c, 0.01)
//
// Counts of blocks merge, so that memory does not grow with the rows. Rows count once, whatever their weight.
package drift

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// bins is the number of groups that the numbers of a column are counted in, of equal size in the training part.
const bins = 10

// Reference is what is known of the training part of a model. It may be used by several goroutines.
type Reference struct {
	model   *model.Model
	columns []column
	counts  *Counts // of the training part; its errors are those of the rows held out
}

// column is a used column of the model's schema.
type column struct {
	data.Column
	numbers  bool      // its cells are, and not levels
	nominal  bool      // the levels have no order
	lost     int       // the level of missing cells; -1: none
	width    int       // number of its features
	at       int       // the first of these
	low      float64   // the range of its numbers in the training part
	high     float64   //
	edges    []float64 // ascending: number v is in group i, the first with v <= edges[i], or in the last
	rareness float64   // of levels: the share of new rows to expect of levels that the training part does not have (Good and Turing)
}

// New returns the reference of a model for its training part and rows held out from training, whose errors new ones are compared with;
// without them (nil) no errors are compared. Both are as they were read: missing cells are NaN.
func New(m *model.Model, train, held *data.Dataset) (*Reference, error) {
	r := &Reference{model: m}
	at := 0
	for _, c := range m.Schema.Columns {
		if !c.Unused {
			r.columns = append(r.columns, newColumn(c, at, train.X))
		}
		at += c.Width()
	}
	r.counts = r.Count()
	if err := r.counts.Add(train.X, train.Missing.Unknown); err != nil {
		return nil, fmt.Errorf("drift: training part: %w", err)
	}
	for i := range r.columns {
		r.columns[i].rareness = r.counts.columns[i].rareness()
	}
	if held != nil {
		if err := r.counts.AddErrors(held); err != nil {
			return nil, fmt.Errorf("drift: rows held out: %w", err)
		}
	}
	return r, nil
}

// Model returns the model.
func (r *Reference) Model() *model.Model { return r.model }

// HeldOut reports whether errors are compared.
func (r *Reference) HeldOut() bool { return r.counts.losses != nil }

func newColumn(c data.Column, at int, x [][]float64) column {
	made := column{Column: c, numbers: c.Numbers(), nominal: c.Nominal(), lost: -1, width: c.Width(), at: at, low: math.Inf(1),
		high: math.Inf(-1)}
	if c.Missing {
		made.lost = slices.Index(c.Levels, page.MissingLevel)
	}
	if !made.numbers {
		return made
	}
	var values []float64
	for _, row := range x {
		if v := row[at]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if values == nil {
		return made
	}
	slices.Sort(values)
	made.low, made.high = values[0], values[len(values)-1]
	distinct := slices.Compact(slices.Clone(values))
	if len(distinct) <= 2*bins { // a group for each value: the edges lie between them
		for i := range distinct[1:] {
			made.edges = append(made.edges, distinct[i]+(distinct[i+1]-distinct[i])/2)
		}
		return made
	}
	for i := 1; i < bins; i++ {
		made.edges = append(made.edges, values[i*len(values)/bins-1])
	}
	made.edges = slices.Compact(made.edges)
	return made
}

// groups returns the number of groups that known cells are counted in.
func (c *column) groups() int {
	if c.numbers {
		return len(c.edges) + 1
	}
	return len(c.Levels)
}

// group returns the group of a known cell; -1 of a cell that is missing or of an unknown level.
func (c *column) group(x []float64) int {
	features := x[c.at : c.at+c.width]
	switch {
	case c.nominal:
		if k := slices.Index(features, 1); k != c.lost {
			return k
		}
		return -1
	case !c.numbers && c.Misses(features):
		return -1
	case !c.numbers:
		return c.Level(features)
	case math.IsNaN(features[0]) || c.width > 1 && features[1] != 0: // see [data.Column]
		return -1
	}
	i, _ := slices.BinarySearch(c.edges, features[0])
	return i
}

// windowParts is the number of blocks of a window; the oldest is dropped as a whole.
const windowParts = 8

// Window counts the last rows of a stream. Several goroutines may use it.
type Window struct {
	of    *Reference
	each  int       // rows of a block
	idle  sync.Pool // of *Counts
	lock  sync.Mutex
	parts [windowParts]*Counts // from the oldest; nil: none yet
}

// NewWindow returns a window of the last rows: of this number, or up to an eighth less.
func NewWindow(of *Reference, rows int) *Window {
	w := &Window{of: of, each: max(1, rows/windowParts)}
	w.parts[windowParts-1] = of.Count()
	return w
}

// Cells counts the cells of rows, see [Counts.AddCells], for Add.
func (w *Window) Cells(x [][]float64, unknown map[string]int) *Counts {
	c, lent := w.idle.Get().(*Counts)
	if !lent {
		c = w.of.Count()
	}
	c.AddCells(x, unknown)
	return c
}

// Add adds the rows of Cells, which must not be used again, with the rules that decide them.
func (w *Window) Add(c *Counts, decides [][]int) {
	c.AddRules(decides)
	w.lock.Lock()
	if w.parts[windowParts-1].Rows >= w.each {
		copy(w.parts[:], w.parts[1:])
		w.parts[windowParts-1] = w.of.Count()
	}
	w.parts[windowParts-1].Merge(c)
	w.lock.Unlock()
	c.clear()
	w.idle.Put(c)
}

// Compare compares the rows of the window with the training part, see [Reference.Compare]. Without rows it is an error.
func (w *Window) Compare(level float64) (*Report, error) {
	all := w.of.Count()
	w.lock.Lock()
	for _, c := range w.parts {
		if c != nil {
			all.Merge(c)
		}
	}
	w.lock.Unlock()
	return w.of.Compare(all, level)
}
