// Package rowstream turns the rows of a query into the blocks of a [data.RowSource].
package rowstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tskgraph/tskgraph/data"
)

// A block ends after the row with which it reaches one of these.
const (
	blockBytes = 128 << 10
	blockRows  = 4096
)

// Cursor reads the rows of a query, one after another. Its errors are those of [data.RowSource].
type Cursor interface {
	// Next adds the cells of the next row; the error is io.EOF after the last.
	Next(row *Row) error
	// Close ends the query and the connection.
	Close() error
}

// Row receives the cells of a row as text.
type Row struct {
	text []byte // of all rows of the block
	ends []int  // of each cell in text
}

// Add adds a cell; a blank one is missing.
func (r *Row) Add(cell string) { r.add(append(r.text, cell...)) }

// AddBytes is Add of text that the caller keeps.
func (r *Row) AddBytes(cell []byte) { r.add(append(r.text, cell...)) }

// AddFunc adds a cell that is appended to the text before it.
func (r *Row) AddFunc(appendTo func([]byte) []byte) { r.add(appendTo(r.text)) }

func (r *Row) add(text []byte) {
	r.text = text
	r.ends = append(r.ends, len(text))
}

// source is a [data.RowSource] of the rows of a cursor. Close may be called while Next waits for rows, and ends it.
type source struct {
	header data.Header
	cancel context.CancelFunc

	mu     sync.Mutex // held by Next and Close
	cursor Cursor
	closed bool
	row    Row
	read   int   // rows
	end    error // of the cursor
}

// New returns the rows of a cursor, whose columns have these names. cancel ends the cursor's context.
func New(names []string, c Cursor, cancel context.CancelFunc) data.RowSource {
	return &source{header: data.Header{Names: names}, cursor: c, cancel: cancel}
}

func (s *source) Header() data.Header { return s.header }

// Close ends the query.
func (s *source) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.cursor.Close()
}

// Next reads rows up to the end of a block.
func (s *source) Next(b *data.Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("the query was closed")
	}
	s.row.text, s.row.ends = s.row.text[:0], s.row.ends[:0]
	rows, complete := 0, 0
	for s.end == nil && rows < blockRows && len(s.row.text) < blockBytes {
		if s.end = s.cursor.Next(&s.row); s.end == nil {
			rows, complete = rows+1, len(s.row.ends)
		}
	}
	s.row.ends = s.row.ends[:complete]
	s.fill(b, rows)
	if rows > 0 && s.end == io.EOF {
		return nil
	}
	return s.end
}

// fill hands the rows over.
func (s *source) fill(b *data.Block, rows int) {
	columns := len(s.header.Names)
	if b.Columns == nil {
		b.Columns = make([]data.Values, columns)
	}
	for k := range b.Columns {
		b.Columns[k].Cells = b.Columns[k].Cells[:0]
	}
	text, start := string(s.row.text), 0
	for i, end := range s.row.ends {
		cells := &b.Columns[i%columns].Cells
		*cells, start = append(*cells, text[start:end]), end
	}
	b.Rows, b.Lines = rows, b.Lines[:0]
	for range rows {
		s.read++
		b.Lines = append(b.Lines, s.read)
	}
}

// Interrupted returns the error of a query whose context is done; nil if it is not.
func Interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("interrupted while the database was read: %w", context.Cause(ctx))
}
