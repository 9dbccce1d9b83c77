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
	"github.com/tskgraph/tskgraph/internal/escape"
)

// TableCounts is what PredictTable counts.
type TableCounts struct {
	Rows       int `json:"rows"`
	OutOfRange int `json:"out_of_range"`
	Uncovered  int `json:"uncovered_points"`
	Limited    int `json:"limited"` // predictions kept within the target's limits, see Target.Margin

	Missing data.Missing `json:"missing"`                  // cells that were missing, or no category of the model
	Commas  []string     `json:"decimal_commas,omitempty"` // the features that the table writes with a decimal comma
}

// PredictTable copies a table of any size to w, with more columns, named after the
// target: y_predicted, and what the options ask for. What is written is delimited text, whatever the format of the table. Features are found by
// name, in any order; all columns pass through; the target need not be there. The format of the table must be registered, see
// [data.Format]: import _ "github.com/tskgraph/tskgraph/data/csv" for delimited text.
//
// Blocks of rows are read, predicted on at most GOMAXPROCS goroutines, and written
// in order: memory does not grow with the table. A fault of the table is a
// *data.Error with its place; by then all rows before it are written. When ctx
// ends, its error is returned; a read of the table that is under way is not waited for.
func (m *Model) PredictTable(ctx context.Context, table data.Input, o TableOptions, w io.Writer) (TableCounts, error) {
	done := TableCounts{Missing: data.Missing{Policy: missing(!o.Strict)}}
	if err := m.Validate(); err != nil {
		return done, err
	}
	columns, err := o.Columns(m)
	if err != nil {
		return done, err
	}
	in, err := m.reader(ctx, table, o)
	if err != nil {
		return done, err
	}
	defer in.Close()
	for _, column := range columns {
		if slices.Contains(in.Header(), column) {
			return done, &data.Error{File: table.Name, Line: 1, Message: fmt.Sprintf("there is already a column %s: rename or remove it", escape.Quote(column))}
		}
	}
	names := append(slices.Clone(in.Header()), columns...)
	if o.SafeCells {
		for i, name := range names {
			names[i] = data.SafeCell(name)
		}
	}
	header := csv.NewWriter(w)
	header.Comma = in.Delimiter()
	if err := header.WriteAll([][]string{names}); err != nil {
		return done, err
	}
	ctx, cancel := context.WithCancel(ctx)
	line := newAssembly(in, table.Name, o)
	defer line.workers.Wait()
	defer cancel()
	line.start(ctx, m)
	for {
		p, err := line.next(ctx)
		if err == io.EOF {
			done.Commas, err = in.Commas()
			return done, err
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

// reader reads the header of a table, and waits for it as long as ctx lasts.
func (m *Model) reader(ctx context.Context, table data.Input, o TableOptions) (*data.Reader, error) {
	var in *data.Reader
	ready := make(chan error, 1)
	go func() {
		var err error
		in, err = data.NewReader(table, m.Schema, data.ReaderOptions{Delimiter: o.Delimiter, Lenient: !o.Strict, SafeCells: o.SafeCells})
		ready <- err
	}()
	select {
	case err := <-ready:
		return in, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// piece is a batch of rows of a table on its way from reading to writing.
type piece struct {
	batch     data.Batch
	predicted Predictions
	out       []byte        // the rows with their predictions
	err       error         // about the first row that is not in out
	ready     chan struct{} // sent to when out and err are
}

// assembly is the line of pieces: free ones are read into by one goroutine, worked
// on by several, and come out in the order of the table. There is room for all
// pieces in each channel, so that sending never waits.
type assembly struct {
	in      *data.Reader
	name    string
	options TableOptions
	free    chan *piece
	work    chan *piece
	order   chan *piece
	workers sync.WaitGroup
}

func newAssembly(in *data.Reader, name string, o TableOptions) *assembly {
	pieces := 2*runtime.GOMAXPROCS(0) + 1
	a := &assembly{in: in, name: name, options: o, free: make(chan *piece, pieces), work: make(chan *piece, pieces), order: make(chan *piece, pieces)}
	for range pieces {
		a.free <- &piece{ready: make(chan struct{}, 1)}
	}
	return a
}

// start starts reading and predicting. Both end with the table, or with ctx.
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
					p.predict(m, a)
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

// next returns the next piece when it is ready; io.EOF after the last.
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
	case ctx.Err() != nil: // it also closes order
		return nil, ctx.Err()
	case !more:
		return nil, io.EOF
	}
	return p, nil
}

// predict parses and predicts the rows, and writes them to out, up to the first
// faulty one.
func (p *piece) predict(m *Model, a *assembly) {
	p.err = p.batch.Parse()
	x := p.batch.X
	if p.batch.Missing.Imputed+len(p.batch.Missing.Unknown) > 0 && !m.ImputeMeans {
		m.fill(x)
	}
	var explained []*Explanation
	for {
		var err error
		if p.predicted, err = m.predict(x, 0); err == nil && a.options.Explain > 0 {
			explained, err = m.explainBlock(x)
		}
		var fault *SampleError
		if !errors.As(err, &fault) {
			break
		}
		p.err = &data.Error{File: a.name, Line: p.batch.Lines[fault.Sample], Message: fault.Message, Err: err}
		x = x[:fault.Sample] // the rows before it are sound
	}
	for i := range x {
		p.out = append(p.out, p.batch.Records[i]...)
		p.out = a.options.appendCells(p.out, byte(a.in.Delimiter()), m, p.predicted, i, explained)
		p.out = append(p.out, '\n')
	}
}
