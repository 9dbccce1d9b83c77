package data

import (
	"cmp"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxColumns is the largest number of columns of a table. A table with more is refused when its header is read.
const MaxColumns = 100_000

// table reads a RowSource row by row.
type table struct {
	name   string
	src    RowSource
	file   io.Closer
	header Header
	index  map[string]int // name to column
	commas bool           // numbers may have decimal commas

	ahead lookahead
	block Block
	at    int   // current row of the block
	row   int   // rows read
	err   error // after the rows of the block
}

// openTable opens a table whose delimiter, if it is delimited text, must be one of delimiters.
func openTable(in Input, delimiter string) (*table, error) {
	given := delimiters[delimiter]
	src, file, err := in.open(given)
	if err != nil {
		return nil, err
	}
	t := newTable(in.Name, src, file)
	err = t.readNames()
	if err == nil && given != 0 && t.header.Delimiter == 0 {
		err = keyFault("data.delimiter", "%s does not apply to %s, which is not delimited text", quote(delimiter), quote(in.Name))
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// newTable returns the table that a source reads.
func newTable(name string, src RowSource, file io.Closer) *table {
	t := &table{name: inWords(name), src: src, file: file, header: src.Header(), index: map[string]int{}}
	t.ahead.src, t.ahead.columns = src, len(t.header.Names)
	t.commas = t.header.Delimiter != 0 && t.header.Delimiter != ','
	return t
}

// Close closes the source, and the file if there is one.
func (t *table) Close() error {
	t.ahead.stop()
	return errors.Join(t.src.Close(), t.file.Close())
}

// readNames checks and indexes the names of the columns.
func (t *table) readNames() error {
	if n := len(t.header.Names); n > MaxColumns {
		return t.headerFault("the table has %d columns, more than %d: leave some out, or exchange its rows and columns", n, MaxColumns)
	}
	for i, name := range t.header.Names {
		first, twice := t.index[name]
		switch {
		case !utf8.ValidString(name):
			return t.nameFault(i, "the name %s is not valid UTF-8: save the table as UTF-8", quote(name))
		case strings.Contains(name, "\ufeff"):
			return t.nameFault(i, "the name %s holds a byte order mark: remove it", quote(name))
		case twice:
			return t.nameFault(i, "columns %d and %d have the same name %s: rename one", first+1, i+1, quote(name))
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
func (t *table) nameFault(i int, format string, args ...any) *Error {
	fault := faultf(cmp.Or(t.header.File, t.name), format, args...)
	if i < len(t.header.Places) {
		fault.Line, fault.Column = t.header.Places[i].Line, t.header.Places[i].Column
	}
	if i < len(t.header.Names) {
		fault.Cell = t.header.Names[i]
	}
	return fault
}

// headerFault is a fault of the header.
func (t *table) headerFault(format string, args ...any) *Error {
	fault := faultf(cmp.Or(t.header.File, t.name), format, args...)
	if t.header.Places != nil {
		fault.Line = 1
	}
	return fault
}

// next reads the next row; io.EOF after the last.
func (t *table) next() error {
	for t.at++; t.at >= t.block.Rows; t.at = 0 {
		if t.err != nil {
			return t.err
		}
		t.err = t.ahead.next(&t.block)
	}
	t.row++
	return nil
}

// find returns the column of the given name, which plays the given role.
func (t *table) find(role, name string) (int, error) {
	if at, ok := t.index[name]; ok {
		return at, nil
	}
	return 0, t.unknown(role, name)
}

// unknown is the fault of a name that the header does not have.
func (t *table) unknown(role, name string) *Error {
	return t.headerFault("%s: the table has no column %s%s (its columns: %s)",
		role, quote(name), didYouMean(name, t.header.Names), list(t.header.Names))
}

// cell returns the i-th cell of the current row as text.
func (t *table) cell(i int) string { return t.block.Columns[i].text(t.at) }

// line is that of the current row.
func (t *table) line() int { return t.block.Lines[t.at] }

// fault is a fault of the i-th cell of the current row.
func (t *table) fault(i int, format string, args ...any) *Error {
	fault := faultf(cmp.Or(t.block.File, t.name), format, args...)
	fault.Line, fault.Cell = t.line(), t.cell(i)
	if l, ok := t.src.(Locator); ok {
		place := l.Locate(&t.block, t.at, i)
		fault.Line, fault.Column = place.Line, place.Column
	}
	return fault
}

// delimiter is what separates the cells of the table, or would if it were delimited text.
func (t *table) delimiter() rune {
	if t.header.Delimiter == 0 {
		return ','
	}
	return rune(t.header.Delimiter)
}

// number reads a trimmed cell as parseNumber does, or as a number with a decimal comma where the table may have such.
func (t *table) number(cell string) (float64, bool) {
	if v, ok := parseNumber(cell); ok || !t.commas {
		return v, ok
	}
	return parseComma(cell)
}

// NumberText writes a number of a column of numbers as its cell, which has the number exactly; a missing one, NaN, is blank. Numbers are
// written without an exponent where a table usually has none, from 1e-7 to below 1e21.
func NumberText(v float64) string {
	format := byte('f')
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return ""
	case size >= 1e21 || size < 1e-7 && v != 0:
		format = 'g'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}
