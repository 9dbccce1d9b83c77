package scoring

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/model"
)

// scratch is the memory of a request, which the next one uses again.
type scratch struct {
	cells *table.Cells
	seen  []int // by column, the last row from 1 that had it
}

// borrow lends memory.
func (m *served) borrow() (*scratch, error) {
	if idle, ok := m.idle.Get().(*scratch); ok {
		return idle, nil
	}
	cells, err := table.NewCells(m.Schema)
	return &scratch{cells: cells, seen: make([]int, len(m.columns))}, err
}

// release takes memory back, unless it is large.
func (m *served) release(sc *scratch) {
	if !sc.cells.Large() {
		sc.cells.Reset("")
		m.idle.Put(sc)
	}
}

// batch are rows that were read.
type batch struct {
	x       [][]float64
	exposed []float64
	cell    func(n, column int) string
	missing data.Missing
}

// scores are the answers to N rows.
type scores struct {
	m         *served
	n         int
	p         model.Predictions
	all       [][]float64 // [J][N]
	low, high [][]float64 // [T][N]; nil: none
	sets      [][]bool    // [K][N]; nil: none
	decides   [][]int     // [1 or C][N]; nil: none
	flags     [][]model.Flag
}

// score predicts rows.
func (m *served) score(ctx context.Context, b batch, flagged bool) (*scores, error) {
	s := &scores{m: m, n: len(b.x)}
	if flagged {
		s.flags = make([][]model.Flag, s.n)
		for n, x := range b.x {
			s.flags[n] = m.Flags(x, func(column int) string { return b.cell(n, column) })
		}
	}
	var counts *drift.Counts
	if m.window != nil {
		counts = m.window.Cells(b.x, b.missing.Unknown) // before missing cells are filled in
	}
	var err error
	s.p, s.decides, err = m.scorer.Score(b.x, b.exposed)
	var fault *model.SampleError
	if errors.As(err, &fault) {
		return nil, refusal(http.StatusBadRequest, "row %d: %s", fault.Sample+1, fault.Message)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	for n := range s.flags {
		s.flags[n] = append(s.flags[n], s.p.Flags(n)...)
	}
	s.all = s.p.All()
	if m.level != 0 && m.Schema.Classes != nil {
		s.sets, err = m.Sets(s.p, m.level)
	} else if m.level != 0 {
		s.low, s.high, err = m.Intervals(s.p, m.level, model.BothSides)
	}
	m.counts.add(s, b.missing)
	if m.window != nil {
		m.window.Add(counts, s.decides)
	}
	return s, err
}

// rowFault is the error of the protocol about a cell.
func rowFault(err error) error {
	var fault *data.Error
	switch {
	case err == nil || !errors.As(err, &fault):
		return err
	case fault.Line == 0:
		return refusal(http.StatusBadRequest, "%s", fault.Message)
	}
	return refusal(http.StatusBadRequest, "row %d: %s", fault.Line, fault.Message)
}

// class is the name of the predicted class of a row.
func (s *scores) class(n int) string { return s.m.Schema.Classes[int(s.p.Values[n])] }

// set returns the names of the classes in the set of a row.
func (s *scores) set(n int) (names []string) {
	for k, in := range s.sets {
		if in[n] {
			names = append(names, s.m.Schema.Classes[k])
		}
	}
	return names
}

// flagText returns flags in words.
func flagText(flags []model.Flag) string {
	var all []string
	for _, f := range flags {
		all = append(all, f.String())
	}
	return strings.Join(all, "; ")
}

// quoted returns a text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a string
	return string(b)
}

// appendNumber appends a number as JSON; null for one that is not finite: a bound that there is not.
func appendNumber(out []byte, v float64) []byte {
	if !numeric.Finite(v) {
		return append(out, "null"...)
	}
	return numeric.AppendShortest(out, v)
}
