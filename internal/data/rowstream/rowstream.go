// Package rowstream turns the rows of a query into the blocks of a [table.RowSource].
package rowstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// A block ends after the row with which it reaches one of these.
const (
	blockBytes = 128 << 10
	blockRows  = 4096
)

// Cursor reads the rows of a query, one after another. Its errors are those of [table.RowSource].
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
	most int    // length of text with which this row has [table.MaxRow] bytes
	long bool   // it has more
}

// Add adds a cell; a blank one is missing.
func (r *Row) Add(cell string) { add(r, cell) }

// AddBytes is Add of text that the caller keeps.
func (r *Row) AddBytes(cell []byte) { add(r, cell) }

// AddFunc adds a short cell that is appended to the text before it.
func (r *Row) AddFunc(appendTo func([]byte) []byte) {
	r.text = appendTo(r.text)
	r.ends = append(r.ends, len(r.text))
}

// add adds a cell to a row that does not become too long by it.
func add[T string | []byte](r *Row, cell T) {
	if r.long = r.long || len(r.text)+len(cell) > r.most; !r.long {
		r.AddFunc(func(text []byte) []byte { return append(text, cell...) })
	}
}

// source is a [table.RowSource] of the rows of a cursor. Close may be called while Next waits for rows, and ends it.
type source struct {
	name   string
	header table.Header
	cancel context.CancelFunc

	mu     sync.Mutex // held by Next and Close
	cursor Cursor
	closed bool
	row    Row
	read   int   // rows
	end    error // of the cursor
}

// New returns the rows of a cursor on the table of a name, whose columns have these names. cancel ends the cursor's context.
func New(name string, names []string, c Cursor, cancel context.CancelFunc) table.RowSource {
	return &source{name: name, header: table.Header{Names: names}, cursor: c, cancel: cancel}
}

func (s *source) Header() table.Header { return s.header }

// Close ends the query.
func (s *source) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.cursor.Close()
}

// Next reads rows up to the end of a block.
func (s *source) Next(b *table.Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("the query was closed")
	}
	s.row.text, s.row.ends = s.row.text[:0], s.row.ends[:0]
	rows, complete := 0, 0
	for s.end == nil && rows < blockRows && len(s.row.text) < blockBytes {
		s.row.most = len(s.row.text) + table.MaxRow
		if s.end = s.cursor.Next(&s.row); s.end == nil && s.row.long {
			s.end = TooLong(s.name, s.read+rows+1, "the row", table.MaxRow)
		}
		if s.end == nil {
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
func (s *source) fill(b *table.Block, rows int) {
	columns := len(s.header.Names)
	if b.Columns == nil {
		b.Columns = make([]table.Values, columns)
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

// TooLong returns the error about a row of a table, by its number from 1, of which something has more bytes than a limit.
func TooLong(name string, row int, what string, limit int) error {
	return &table.Error{File: name, Line: row,
		Message: fmt.Sprintf("%s has more than %d KiB: leave the long column out of data.query, or shorten it there (substr)", what, limit>>10)}
}

// Interrupted returns the error of a query whose context is done; nil if it is not.
func Interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("interrupted while the database was read: %w", context.Cause(ctx))
}
