// Package parquet reads and writes Apache Parquet files. Importing it registers the format:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/parquet"
//
// Columns of whole numbers (8 to 64 bits, signed and unsigned), float, double, float16 and decimals are numbers. Booleans are the
// texts true and false; dates, times and timestamps are texts in ISO 8601 (2006-01-02, 15:04:05, 2006-01-02T15:04:05, with a Z in UTC);
// strings, enumerations, JSON, UUIDs and plain bytes are texts. A null is a missing cell. A column with a whole number or decimal that no
// float64 has exactly is text from the block of this value on, so that identifiers stay distinct. A file with nested, repeated
// or encrypted columns is an error that names the column.
//
// The rows of a file are read in blocks, page by page: the memory is that of a page and a dictionary of each column, whatever the size
// of the file. Checksums of pages are verified where the file has them, and all sizes that the file states are checked before
// anything is allocated. The pages may be uncompressed or compressed by snappy, gzip, zstd, brotli or LZ4_RAW. See
// https://github.com/apache/parquet-format.
//
// The module parquet-go gives the structures of the footer and their encoding. Its reader of pages is not used: with it come codecs of
// 100 MB to download, and what pages state would have to be checked before it all the same.
package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// A file begins with PAR1 and a Thrift structure whose first field is a 32-bit number; text that begins with PAR1 is not claimed.
func init() {
	table.Register(table.Format{Name: "parquet", Magic: []string{magic + "\x15"}, Extensions: []string{".parquet", ".pq"}, Open: open,
		Create: create})
}

const (
	magic     = "PAR1"
	encrypted = "PARE" // the magic of a file with an encrypted footer
)

// blockRows is the largest number of rows of a block.
const blockRows = 4096

// errDamaged is wrapped by the errors about files that contradict themselves or the format.
var errDamaged = errors.New("the file is damaged: copy or export it again")

// damaged is an error about what is wrong in the file.
func damaged(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, errDamaged)...)
}

// source is a Parquet file as a [table.RowSource].
type source struct {
	name    string // of the table, for errors
	discard func() // removes the copy of a stream; nil: the file itself is read
	groups  []format.RowGroup
	columns []*column

	next int   // row group after the current one
	left int64 // rows of the current one that were not read
	row  int   // rows read
}

// open reads the footer. A stream is copied to a temporary file first, since the footer is at the end.
func open(name string, r io.Reader, _ byte) (_ table.RowSource, err error) {
	s := &source{name: name}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	in, random := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !random {
		copied, discard, err := safefile.Spool(r, "")
		if err != nil {
			return nil, s.fault(err)
		}
		in, s.discard = copied, discard
	}
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, s.fault(err)
	}
	if err := s.openFooter(in, size); err != nil {
		return nil, err
	}
	if some, ok := r.(*Excerpt); ok {
		if some.From < 0 || some.To < some.From || some.To > len(s.groups) {
			return nil, s.fault(damaged("it has %d row groups, and groups %d to %d are wanted", len(s.groups), some.From+1, some.To))
		}
		s.groups = s.groups[some.From:some.To]
	}
	return s, nil
}

// Header, Next and Close make a source a [table.RowSource].
func (s *source) Header() table.Header {
	h := table.Header{}
	for _, c := range s.columns {
		h.Names = append(h.Names, c.name)
	}
	return h
}

// Next reads the next rows of all columns.
func (s *source) Next(b *table.Block) (err error) {
	defer s.recovered(&err)
	for s.left == 0 {
		if s.next == len(s.groups) {
			return io.EOF
		}
		if err := s.openGroup(); err != nil {
			return s.fault(err)
		}
	}
	n := int(min(s.left, blockRows))
	if b.Columns == nil {
		b.Columns = make([]table.Values, len(s.columns))
	}
	for i, c := range s.columns {
		if err := c.read(&b.Columns[i], n); err != nil {
			return s.fault(fmt.Errorf("column %s: %w", escape.Quote(c.name), err))
		}
	}
	b.Lines = b.Lines[:0]
	for range n {
		s.row++
		b.Lines = append(b.Lines, s.row)
	}
	b.Rows, s.left = n, s.left-int64(n)
	return nil
}

// openGroup begins the next row group.
func (s *source) openGroup() error {
	g := &s.groups[s.next]
	s.next++
	if g.NumRows < 0 || len(g.Columns) != len(s.columns) {
		return damaged("row group %d states %d rows of %d columns, want %d columns", s.next, g.NumRows, len(g.Columns), len(s.columns))
	}
	for i, c := range s.columns {
		if err := c.open(&g.Columns[i], g.NumRows); err != nil {
			return fmt.Errorf("column %s, row group %d: %w", escape.Quote(c.name), s.next, err)
		}
	}
	s.left = g.NumRows
	return nil
}

// Close removes the copy of a stream.
func (s *source) Close() error {
	if s.discard != nil {
		s.discard()
		s.discard = nil
	}
	return nil
}

// fault is an error about the file after the rows that were read.
func (s *source) fault(err error) *table.Error {
	fault := &table.Error{File: s.name, Message: err.Error(), Err: err}
	if s.row > 0 {
		fault.Line = s.row + 1
	}
	return fault
}

// recovered turns a panic of a decoder about a hostile file into an error.
func (s *source) recovered(err *error) {
	if p := recover(); p != nil {
		*err = s.fault(damaged("a decoder panicked: %v", p))
	}
}
