package table

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/data/series"
)

// MaxColumns is the largest number of columns of a table. A table with more is refused when its header is read.
const MaxColumns = 100_000

// Cursor reads a RowSource row by row.
type Cursor struct {
	Name   string
	Src    RowSource
	File   io.Closer
	Header Header
	index  map[string]int // name to column
	Commas bool           // numbers may have decimal commas
	Spec   *series.Spec   // of samples of a history; nil: of no other table
	Clock  *series.Clock  // when the samples are
	unread []string       // the columns of the history

	Ahead Lookahead
	Block Block
	At    int   // current row of the block
	Row   int   // rows read
	err   error // after the rows of the block
}

// OpenTable opens a table whose delimiter, if it is delimited text, must be one of delimiters.
func OpenTable(in Input, delimiter string) (*Cursor, error) {
	given := Delimiters[delimiter]
	src, file, err := in.open(given)
	if err != nil {
		return nil, err
	}
	t := NewTable(in.Name, src, file)
	err = t.ReadNames()
	if err == nil && given != 0 && t.Header.Delimiter == 0 {
		err = KeyFault("data.delimiter", "%s does not apply to %s, which is not delimited text", escape.Quote(delimiter), escape.Quote(in.Name))
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if in.Samples == nil || in.Samples.Holds(t.Header.Names) {
		return t, nil
	}
	return in.samplesOf(t)
}

// NewTable returns the table that a source reads.
func NewTable(name string, src RowSource, file io.Closer) *Cursor {
	t := &Cursor{Name: inWords(name), Src: src, File: file, Header: src.Header(), index: map[string]int{}}
	t.Ahead.Src, t.Ahead.Columns = src, len(t.Header.Names)
	t.Commas = t.Header.Delimiter != 0 && t.Header.Delimiter != ','
	return t
}

// Close closes the source, and the file if there is one.
func (t *Cursor) Close() error {
	t.Ahead.stop()
	return errors.Join(t.Src.Close(), t.File.Close())
}

// ReadNames checks and indexes the names of the columns.
func (t *Cursor) ReadNames() error {
	if n := len(t.Header.Names); n > MaxColumns {
		return t.headerFault("the table has %d columns, more than %d: leave some out, or exchange its rows and columns", n, MaxColumns)
	}
	for i, name := range t.Header.Names {
		first, twice := t.index[name]
		switch {
		case !utf8.ValidString(name):
			return t.nameFault(i, "the name %s is not valid UTF-8: save the table as UTF-8", escape.Quote(name))
		case strings.Contains(name, "\ufeff"):
			return t.nameFault(i, "the name %s holds a byte order mark: remove it", escape.Quote(name))
		case twice:
			return t.nameFault(i, "columns %d and %d have the same name %s: rename one", first+1, i+1, escape.Quote(name))
		case name != "":
			t.index[name] = i
		}
	}
	if len(t.index) == 0 {
		return t.nameFault(0, "the header has no name for column 1: the names of the columns come first")
	}
	return nil
}

// nameFault is a fault of the name of the i-th column.
func (t *Cursor) nameFault(i int, format string, args ...any) *Error {
	fault := Faultf(cmp.Or(t.Header.File, t.Name), format, args...)
	if i < len(t.Header.Places) {
		fault.Line, fault.Column = t.Header.Places[i].Line, t.Header.Places[i].Column
	}
	if i < len(t.Header.Names) {
		fault.Cell = t.Header.Names[i]
	}
	return fault
}

// headerFault is a fault of the header.
func (t *Cursor) headerFault(format string, args ...any) *Error {
	fault := Faultf(cmp.Or(t.Header.File, t.Name), format, args...)
	if t.Header.Places != nil {
		fault.Line = 1
	}
	return fault
}

// Next reads the next row; io.EOF after the last.
func (t *Cursor) Next() error {
	for t.At++; t.At >= t.Block.Rows; t.At = 0 {
		if t.err != nil {
			return t.err
		}
		t.err = t.Ahead.next(&t.Block)
	}
	t.Row++
	return nil
}

// find returns the column of the given name, which plays the given role.
func (t *Cursor) find(role, name string) (int, error) {
	if at, ok := t.index[name]; ok {
		return at, nil
	}
	return 0, t.unknown(role, name)
}

// unknown is the fault of a name that the header does not have.
func (t *Cursor) unknown(role, name string) *Error {
	return t.headerFault("%s: the table has no column %s%s (its columns: %s)",
		role, escape.Quote(name), registry.Hint(name, t.Header.Names), escape.List(t.Header.Names))
}

// Cell returns the i-th cell of the current row as text.
func (t *Cursor) Cell(i int) string { return t.Block.Columns[i].text(t.At) }

// Line is that of the current row.
func (t *Cursor) Line() int { return t.Block.Lines[t.At] }

// Fault is a fault of the i-th cell of the current row.
func (t *Cursor) Fault(i int, format string, args ...any) *Error {
	fault := Faultf(cmp.Or(t.Block.File, t.Name), format, args...)
	fault.Line, fault.Cell = t.Line(), t.Cell(i)
	if l, ok := t.Src.(Locator); ok {
		place := l.Locate(&t.Block, t.At, i)
		fault.Line, fault.Column = place.Line, place.Column
	}
	return fault
}

// delimiter is what separates the cells of the table, or would if it were delimited text.
func (t *Cursor) delimiter() rune {
	if t.Header.Delimiter == 0 {
		return ','
	}
	return rune(t.Header.Delimiter)
}

// Number reads a trimmed cell as parseNumber does, or as a number with a decimal comma where the table may have such.
func (t *Cursor) Number(cell string) (float64, bool) {
	if v, ok := ParseNumber(cell); ok || !t.Commas {
		return v, ok
	}
	return ParseComma(cell)
}

// Mark notes the decimal mark of a cell, which is a number, of the current row of a table that may have decimal commas.
func (t *Cursor) Mark(d *Decimal, at int) {
	cell := t.Cell(at)
	var kind **Error
	switch mark := decimalMark(cell); {
	case mark < 0:
		if digits := strings.Trim(cell, " +-"); len(digits) > 3 || digits == "0" {
			return
		}
		kind = &d.Small
	case cell[mark] == '.' && grouped(cell, mark):
		kind = &d.Points
	case cell[mark] == '.':
		kind = &d.Point
	case grouped(cell, mark):
		kind = &d.Commas
	default:
		kind = &d.Comma
	}
	if *kind == nil {
		*kind = t.Fault(at, "")
	}
}
