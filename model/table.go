package model

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// TableCounts are the counts of [Model.PredictTable].
type TableCounts struct {
	Rows       int `json:"rows"`
	OutOfRange int `json:"out_of_range"`
	Uncovered  int `json:"uncovered_points"`
	Limited    int `json:"limited"` // predictions clamped to the target's limits, see Target.Limits

	Missing data.Missing `json:"missing"`                  // cells that were missing or of an unknown category
	Commas  []string     `json:"decimal_commas,omitempty"` // features written with decimal commas in the table
	Marks   data.Marks   `json:"-"`                        // with TableOptions.Part, in place of Commas
}

// PredictTable copies a table of any size to w as delimited text and adds columns that are named after the target: y_predicted, and those
// that the options request (see [TableOptions.Columns]). Features are found by name, in any order; all columns are copied; the target
// column is optional. The format of the table must be registered, see [table.Format]: import _
// "github.com/tskgraph/tskgraph/data/table/csv" for delimited text.
//
// Blocks of rows are read, predicted on at most GOMAXPROCS goroutines, and written in order: memory does not grow with the table. A fault
// in the table is a *data.Error with its line; all rows before it have been written. When ctx ends, PredictTable returns its error
// without waiting for a pending read of the table.
func (m *Model) PredictTable(ctx context.Context, source data.Input, o TableOptions, w io.Writer) (TableCounts, error) {
	done := TableCounts{Missing: data.Missing{Policy: missingPolicy(!o.Strict)}}
	if err := m.Validate(); err != nil {
		return done, err
	}
	columns, err := o.Columns(m)
	if err != nil {
		return done, err
	}
	in, err := newReader(ctx, m, source, o)
	if err != nil {
		return done, err
	}
	defer in.Close()
	for _, column := range columns {
		if slices.Contains(in.Header(), column) {
			return done, &data.Error{File: source.Name, Line: 1, Message: fmt.Sprintf("column %s already exists: rename or remove it",
				escape.Quote(column))}
		}
	}
	names := append(slices.Clone(in.Header()), columns...)
	if o.SafeCells {
		for i, name := range names {
			names[i] = table.SafeCell(name)
		}
	}
	header := csv.NewWriter(w)
	header.Comma = in.Delimiter()
	if err := header.WriteAll([][]string{names}); err != nil {
		return done, err
	}
	ctx, cancel := context.WithCancel(ctx)
	line := newAssembly(m, in, o)
	defer line.workers.Wait()
	defer cancel()
	line.start(ctx, m)
	for {
		p, err := line.next(ctx)
		if err == io.EOF {
			return done, done.mark(in.Marks(), o)
		}
		if err != nil {
			return done, err
		}
		if _, err := w.Write(p.out); err != nil {
			return done, err
		}
		done.Rows += len(p.predicted.Values)
		done.OutOfRange += p.predicted.OutOfRange
		done.Uncovered += p.predicted.Uncovered
		done.Limited += p.predicted.Limited
		done.Missing.Add(p.batch.Missing)
		if p.err != nil {
			return done, p.err
		}
		line.free <- p
	}
}

// mark completes the counts by the decimal marks of the whole table.
func (c *TableCounts) mark(m data.Marks, o TableOptions) (err error) {
	if o.Part {
		c.Marks = m
		return nil
	}
	c.Commas, err = m.Commas()
	return err
}

// newReader reads the header of a table. It returns early when ctx ends.
func newReader(ctx context.Context, m *Model, source data.Input, o TableOptions) (*data.Reader, error) {
	var in *data.Reader
	var fault error
	source.Context = ctx
	err := parallel.Await(ctx, func() {
		in, fault = data.NewReader(source, m.Schema, data.ReaderOptions{Delimiter: o.Delimiter, Lenient: !o.Strict, SafeCells: o.SafeCells})
	})
	if err != nil {
		return nil, err
	}
	return in, fault
}

// assembly is a pipeline of pieces: one goroutine reads rows into free pieces, several predict them, and next returns them in the order
// of the table. Each channel has room for all pieces, so that sending never blocks.
type assembly struct {
	in      *data.Reader
	options TableOptions
	free    chan *piece
	work    chan *piece
	order   chan *piece
	lent    predictors
	workers sync.WaitGroup
}

func newAssembly(m *Model, in *data.Reader, o TableOptions) *assembly {
	pieces := 2*runtime.GOMAXPROCS(0) + 1
	a := &assembly{in: in, options: o, lent: predictors{m: m, n: blockRows}, free: make(chan *piece, pieces),
		work: make(chan *piece, pieces), order: make(chan *piece, pieces)}
	for range pieces {
		a.free <- &piece{ready: make(chan struct{}, 1)}
	}
	return a
}

// start starts reading and predicting, which stop at the end of the table or of ctx.
func (a *assembly) start(ctx context.Context, m *Model) {
	go a.read(ctx)
	for range runtime.GOMAXPROCS(0) {
		a.workers.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case p, more := <-a.work:
					if !more {
						return
					}
					p.predict(ctx, m, a)
					p.ready <- struct{}{}
				}
			}
		})
	}
}

func (a *assembly) read(ctx context.Context) {
	defer close(a.order)
	defer close(a.work)
	for {
		select {
		case <-ctx.Done():
			return
		case p := <-a.free:
			p.out, p.err = p.out[:0], a.in.Next(&p.batch)
			switch p.err {
			case nil:
				a.order <- p
				a.work <- p
				continue
			case io.EOF:
				return
			}
			p.predicted = Predictions{}
			p.ready <- struct{}{}
			a.order <- p
			return
		}
	}
}

// next waits for the next piece; it returns io.EOF after the last.
func (a *assembly) next(ctx context.Context) (*piece, error) {
	var p *piece
	more := true
	select {
	case <-ctx.Done():
	case p, more = <-a.order:
	}
	if p != nil {
		select {
		case <-ctx.Done():
		case <-p.ready:
		}
	}
	switch {
	case ctx.Err() != nil: // which also closes order
		return nil, ctx.Err()
	case !more:
		return nil, io.EOF
	}
	return p, nil
}

// predict parses and predicts the rows up to the first faulty one and writes them to out.
func (p *piece) predict(ctx context.Context, m *Model, a *assembly) {
	p.err = p.batch.Parse()
	x := p.batch.X
	if p.flags = p.flags[:0]; a.options.Flags {
		for n, row := range x {
			p.flags = append(p.flags, m.Flags(row, func(column int) string { return p.batch.Cell(n, column) }))
		}
	}
	if p.batch.Missing.Imputed+len(p.batch.Missing.Unknown) > 0 && !m.ImputeMeans {
		m.fill(x)
	}
	for {
		err := p.evaluate(ctx, m, a, x)
		if err == nil {
			break
		}
		var fault *SampleError
		if !errors.As(err, &fault) {
			p.err, x = err, nil
			break
		}
		p.err = &data.Error{File: p.batch.File, Line: p.batch.Lines[fault.Sample], Message: fault.Message, Err: err}
		x = x[:fault.Sample] // the rows before it are valid
	}
	p.predicted.expose(p.batch.Exposed)
	p.all = p.predicted.All()
	w := cellWriter{p.out, byte(a.in.Delimiter()), a.options.SafeCells, map[string]string{}, m.kind()}
	for i := range x {
		w.out = append(w.out, p.batch.Records[i]...)
		a.options.appendCells(&w, m, p, i)
		w.out = append(w.out, '\n')
	}
	p.out = w.out
}

// evaluate predicts the samples, and explains them as the options request.
func (p *piece) evaluate(ctx context.Context, m *Model, a *assembly, x [][]float64) (err error) {
	o := &a.options
	if p.predicted, err = a.lent.predict(x, nil, 0); err == nil && o.Interval != 0 {
		p.low, p.high, err = m.Intervals(p.predicted, o.Interval, o.side())
	}
	if err == nil && o.Sets != 0 {
		p.sets, err = m.Sets(p.predicted, o.Sets)
	}
	if err == nil && o.Explain != nil {
		p.explained, err = o.Explain.TableCells(ctx, x)
	}
	if err == nil && o.Firing {
		p.fired, err = fire(m, x, 0)
	}
	return err
}
