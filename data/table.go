package data

import (
	"io"
	"strings"
	"unicode/utf8"
)

// table is a delimited text whose first record names its columns.
type table struct {
	scanner
	in     *cutter        // nil for a table that is one block
	head   string         // the header record as it stands, with the line before it that names the delimiter
	header []string       // the names, trimmed; empty: a column that is not used
	index  map[string]int // name to column
	row    int            // data rows read

	nameless []int // columns without a name, which must be blank; the first may hold names of rows
}

// openTable reads the header. The delimiter must be one of delimiters.
func openTable(r io.Reader, name, delimiter string) (*table, error) {
	in, err := newCutter(r, name)
	if err != nil {
		return nil, err
	}
	t := &table{scanner: scanner{name: name}, in: in, index: map[string]int{}}
	if err := t.fetchHeader(); err != nil {
		return nil, err
	}
	if err := t.findDelimiter(delimiters[delimiter]); err != nil {
		return nil, err
	}
	if err := t.split(); err != nil {
		return nil, err
	}
	return t, t.readHeader()
}

// readHeader takes the names of the current record.
func (t *table) readHeader() error {
	t.head += t.raw
	for i, cell := range t.cells {
		column := strings.Clone(strings.TrimSpace(cell)) // not to keep the whole block
		first, twice := t.index[column]
		switch {
		case !utf8.ValidString(column):
			return t.fault(i, "the name %s is not valid UTF-8: save the table as UTF-8", quote(column))
		case strings.Contains(column, "\ufeff"):
			return t.fault(i, "the name %s holds a byte order mark: remove it", quote(column))
		case twice:
			return t.fault(i, "columns %d and %d have the same name %s: rename one", first+1, i+1, quote(column))
		case column != "":
			t.index[column] = i
		case i > 0:
			t.nameless = append(t.nameless, i)
		}
		t.header = append(t.header, column)
	}
	if len(t.index) == 0 {
		return t.fault(0, "the header has no name for column 1: the names of the columns come first")
	}
	return nil
}

// fetch reads the next record that is not empty; io.EOF after the last.
func (t *table) fetch() error {
	for {
		err := t.scanner.fetch()
		if err != io.EOF || t.in == nil {
			return err
		}
		b, err := t.in.next()
		if err != nil {
			return err
		}
		t.open(b)
	}
}

// next reads the next data row into cells; io.EOF after the last.
func (t *table) next() error {
	if err := t.fetch(); err != nil {
		return err
	}
	if err := t.split(); err != nil {
		return err
	}
	t.row++
	switch n, want := len(t.cells), len(t.header); {
	case n > want:
		return t.faultAt(t.start[want], "the row has %d cells, the header %d: remove a trailing delimiter, or quote a cell that holds one", n, want)
	case n < want:
		return t.faultAt(t.body, "the row has %d cells, the header %d: is the row cut off?", n, want)
	}
	return t.checkNameless()
}

// checkNameless refuses a value in a column without a name.
func (t *table) checkNameless() error {
	for _, at := range t.nameless {
		if strings.TrimSpace(t.cells[at]) != "" {
			return t.fault(at, "the header has no name for column %d, which holds %s: name it", at+1, quote(t.cells[at]))
		}
	}
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
	fault := faultf(t.name, "%s: the table has no column %s%s (its columns: %s)",
		role, quote(name), didYouMean(name, t.header), list(t.header))
	fault.Line = 1
	return fault
}

// fault is a fault of the i-th cell of the record.
func (t *table) fault(i int, format string, args ...any) *Error {
	fault := t.faultAt(t.start[i], format, args...)
	fault.Cell = t.cells[i]
	return fault
}
