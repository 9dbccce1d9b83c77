// Package csv reads tables of delimited text as a [table.RowSource]. Importing it registers the format, which reads every
// table that no other format claims:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/csv"
//
// A table is text in UTF-8: a header of unique names, then rows of as many cells, separated by comma, semicolon or
// tab (by default the one that is most frequent in the header, or that a line such as sep=; before it names), lines
// ended by LF, CRLF or CR. A cell may be quoted, a quote within it doubled. Empty lines are skipped; byte order marks at
// the start are removed. Files compressed by gzip or zstd are read as well. A column without a name is not used: the first
// one may hold names of rows, others must be blank.
//
// A block is about 128 KiB of the table: as much as a read gave, and at least one record, of at most 16 MiB.
package csv

import (
	"io"
	"math/bits"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/decompress"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

func init() { table.Register(table.Format{Name: "csv", Open: open}) }

// source is a delimited text whose first record names its columns.
type source struct {
	name     string // of the table, for errors
	text     io.Closer
	in       *cutter
	rest     piece // what is left of the piece that has the header
	header   table.Header
	nameless []int // columns without a name, which must be blank; the first may hold names of rows

	locating sync.Mutex    // of the next two
	located  int           // line of the record that Locate split last
	places   []table.Place // of its cells
}

// open reads the header; the delimiter is found if it is 0.
func open(name string, r io.Reader, delimiter byte) (table.RowSource, error) {
	text := decompress.Reader(r)
	in, err := newCutter(text, name)
	if err != nil {
		_ = text.Close()
		return nil, err
	}
	s := &source{name: name, text: text, in: in}
	if err := s.readHeader(delimiter); err != nil {
		_ = text.Close()
		return nil, err
	}
	return s, nil
}

// Header, Next and Close make a source a [table.RowSource].
func (s *source) Header() table.Header { return s.header }

func (s *source) Close() error { return s.text.Close() }

// Next cuts off the next piece, which Decode splits.
func (s *source) Next(b *table.Block) (err error) {
	next := s.rest
	s.rest = piece{}
	if next.text == "" {
		if next, err = s.in.next(); err != nil {
			return err
		}
	}
	b.Raw = next
	return nil
}

// readHeader reads the names of the columns.
func (s *source) readHeader(delimiter byte) error {
	sc := scanner{name: s.name}
	if err := s.fetchHeader(&sc); err != nil {
		return err
	}
	before, err := s.findDelimiter(&sc, delimiter)
	if err != nil {
		return err
	}
	if err := sc.split(); err != nil {
		return err
	}
	s.header = table.Header{Delimiter: sc.delim, Text: before + sc.raw}
	s.header.Names = make([]string, len(sc.cells))
	for i, cell := range sc.cells {
		s.header.Names[i] = strings.Clone(strings.TrimSpace(cell)) // not to keep the whole piece
		if s.header.Names[i] == "" && i > 0 {
			s.nameless = append(s.nameless, i)
		}
	}
	s.header.Places = sc.places(nil)
	s.rest = sc.rest()
	return nil
}

// fetchHeader fetches the first record, of whichever piece has one.
func (s *source) fetchHeader(sc *scanner) error {
	for {
		err := sc.fetch()
		if err != io.EOF {
			return err
		}
		next, err := s.in.next()
		if err == io.EOF {
			return &table.Error{File: s.name, Line: 1, Message: "the table is empty: want a header row and data rows"}
		}
		if err != nil {
			return err
		}
		sc.open(next)
	}
}

// Decode splits the records of a piece into cells.
func (s *source) Decode(b *table.Block) (err error) {
	text := b.Raw.(piece)
	sc := scanner{name: s.name, delim: s.header.Delimiter}
	sc.open(text)
	b.Lines, b.Records = b.Lines[:0], b.Records[:0]
	if b.Columns == nil {
		b.Columns = make([]table.Values, len(s.header.Names))
	}
	for i := range b.Columns {
		b.Columns[i].Text, b.Columns[i].Apart = text.text, b.Columns[i].Apart[:0]
	}
	room := max(cap(b.Columns[0].Spans), min(strings.Count(text.text, "\n")+1, 4096)) // lines may be within quotes
	resize(b.Columns, room)
	for err = sc.fetch(); err == nil; err = sc.fetch() {
		if len(b.Lines) == room {
			room *= 2
			resize(b.Columns, room)
		}
		if err = s.splitRow(&sc, b.Columns, len(b.Lines)); err != nil {
			break
		}
		b.Lines, b.Records = append(b.Lines, sc.line), append(b.Records, sc.raw)
	}
	b.Rows = len(b.Lines)
	resize(b.Columns, b.Rows)
	if err == io.EOF {
		return nil
	}
	return err
}

// resize sets the number of rows of all columns; new cells have any value.
func resize(columns []table.Values, rows int) {
	if rows > cap(columns[0].Spans) {
		grow(columns, rows)
	}
	for i := range columns {
		columns[i].Spans, columns[i].Parsed = columns[i].Spans[:rows], columns[i].Parsed[:rows]
	}
}

// grow makes room for so many rows, up to twice as many, at most 512 more. The columns lie in one piece of memory, apart
// by no power of two: cells of a row would share a set of the processor's cache.
func grow(columns []table.Values, rows int) {
	step := min(512, 1<<bits.Len(uint(rows)))
	stride := (rows | (step - 1)) + 1 + step/64
	spans, parsed := make([]table.Span, len(columns)*stride), make([]float64, len(columns)*stride)
	for i := range columns {
		at, end := i*stride, (i+1)*stride
		n := copy(spans[at:], columns[i].Spans)
		copy(parsed[at:], columns[i].Parsed)
		columns[i].Spans, columns[i].Parsed = spans[at:at+n:end], parsed[at:at+n:end]
	}
}

// splitRow splits the current record into a row of the columns.
func (s *source) splitRow(sc *scanner, columns []table.Values, row int) error {
	if !sc.splitPlain(columns, row) {
		if err := sc.split(); err != nil {
			return err
		}
		switch n, want := len(sc.cells), len(columns); {
		case n > want:
			return sc.faultAt(sc.start[want], "the row has %d cells, the header %d: remove a trailing delimiter, or quote a cell that holds one",
				n, want)
		case n < want:
			return sc.faultAt(sc.body, "the row has %d cells, the header %d: is the row cut off?", n, want)
		}
		for i, cell := range sc.cells {
			column := &columns[i]
			column.Spans[row] = table.Span{From: int32(len(column.Apart)), To: -1}
			column.Apart = append(column.Apart, cell)
			column.Parsed[row] = table.ScanNumber(cell, 0, len(cell))
		}
	}
	for _, at := range s.nameless {
		if cell := columns[at].Cell(row); strings.TrimSpace(cell) != "" {
			return s.namelessFault(sc, at, cell)
		}
	}
	return nil
}

// namelessFault is the fault of a value in a column without a name.
func (s *source) namelessFault(sc *scanner, at int, cell string) error {
	if err := sc.split(); err != nil {
		return err
	}
	fault := sc.faultAt(sc.start[at], "the header has no name for column %d, which holds %s: name it", at+1, quote(cell))
	fault.Cell = cell
	return fault
}

// Locate splits the record of a row once more: once for all faults that are in it. Blocks are parsed, and locate their faults, at the same
// time.
func (s *source) Locate(b *table.Block, row, column int) table.Place {
	s.locating.Lock()
	defer s.locating.Unlock()
	if line := b.Lines[row]; s.located != line {
		sc := scanner{name: s.name, delim: s.header.Delimiter, line: line}
		sc.hold(b.Records[row])
		if err := sc.split(); err != nil { // it was split before
			return table.Place{Line: line}
		}
		s.located, s.places = line, sc.places(s.places)
	}
	return s.places[column]
}

// findDelimiter sets the delimiter: the given one, or (for 0) that of a line sep=; before the header, as Excel writes
// and reads it, or the most frequent one. The line is skipped and returned unchanged.
func (s *source) findDelimiter(sc *scanner, given byte) (before string, err error) {
	named, line := separator(sc.raw[:sc.body])
	if line {
		if given == 0 && !strings.Contains(delimiters, named) {
			return "", sc.faultAt(0, "the line names the delimiter %s: want comma, semicolon or tab", quote(named))
		}
		before = strings.Clone(sc.raw)
		if err := s.fetchHeader(sc); err != nil {
			return "", err
		}
	}
	switch {
	case given != 0:
		sc.delim = given
	case line:
		sc.delim = named[0]
	default:
		sc.delim = mostFrequent(sc.raw)
	}
	return before, nil
}

// delimiters are all there are.
const delimiters = ",;\t"

// separator returns the delimiter that a line sep=; names.
func separator(line string) (named string, ok bool) {
	line = strings.Trim(line, `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") || len([]rune(line[4:])) != 1 {
		return "", false
	}
	return line[4:], true
}

// mostFrequent returns the one of comma, semicolon and tab that occurs most outside quotes; comma when none does.
func mostFrequent(header string) byte {
	count := map[byte]int{}
	quoted := false
	for _, b := range []byte(header) {
		switch {
		case b == '"':
			quoted = !quoted
		case !quoted:
			count[b]++
		}
	}
	best := byte(',')
	for _, b := range []byte(delimiters) {
		if count[b] > count[best] {
			best = b
		}
	}
	return best
}
