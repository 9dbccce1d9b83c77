package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A block ends after the row with which it reaches one of these.
const (
	blockBytes = 128 << 10
	blockRows  = 4096
)

// RowCursor reads the rows of a query, one after another. Its errors are those of [table.RowSource].
type RowCursor interface {
	// Next adds the cells of the next row; the error is io.EOF after the last.
	Next(row *StreamRow) error
	// Close ends the query and the connection.
	Close() error
}

// StreamRow receives the cells of a row as text.
type StreamRow struct {
	text []byte // of all rows of the block
	ends []int  // of each cell in text
	most int    // length of text with which this row has [table.MaxRow] bytes
	long bool   // it has more
}

// Add adds a cell; a blank one is missing.
func (r *StreamRow) Add(cell string) { add(r, cell) }

// AddBytes is Add of text that the caller keeps.
func (r *StreamRow) AddBytes(cell []byte) { add(r, cell) }

// AddFunc adds a short cell that is appended to the text before it.
func (r *StreamRow) AddFunc(appendTo func([]byte) []byte) {
	r.text = appendTo(r.text)
	r.ends = append(r.ends, len(r.text))
}

// add adds a cell to a row that does not become too long by it.
func add[T string | []byte](r *StreamRow, cell T) {
	if r.long = r.long || len(r.text)+len(cell) > r.most; !r.long {
		r.AddFunc(func(text []byte) []byte { return append(text, cell...) })
	}
}

// source is a [table.RowSource] of the rows of a cursor. Close may be called while Next waits for rows, and ends it.
type source struct {
	name   string
	header Header
	cancel context.CancelFunc

	mu     sync.Mutex // held by Next and Close
	cursor RowCursor
	closed bool
	row    StreamRow
	read   int   // rows
	end    error // of the cursor
}

// StreamRows returns the rows of a cursor on the table of a name, whose columns have these names. cancel ends the cursor's context.
func StreamRows(name string, names []string, c RowCursor, cancel context.CancelFunc) RowSource {
	return &source{name: name, header: Header{Names: names}, cursor: c, cancel: cancel}
}

func (s *source) Header() Header { return s.header }

// Close ends the query.
func (s *source) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.cursor.Close()
}

// Next reads rows up to the end of a block.
func (s *source) Next(b *Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("the query was closed")
	}
	s.row.text, s.row.ends = s.row.text[:0], s.row.ends[:0]
	rows, complete := 0, 0
	for s.end == nil && rows < blockRows && len(s.row.text) < blockBytes {
		s.row.most = len(s.row.text) + MaxRow
		if s.end = s.cursor.Next(&s.row); s.end == nil && s.row.long {
			s.end = TooLong(s.name, s.read+rows+1, "the row", MaxRow)
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
func (s *source) fill(b *Block, rows int) {
	columns := len(s.header.Names)
	if b.Columns == nil {
		b.Columns = make([]Values, columns)
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
	return &Error{File: name, Line: row,
		Message: fmt.Sprintf("%s has more than %d KiB: leave the long column out of data.query, or shorten it there (substr)", what, limit>>10)}
}
