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
	head   string         // the header record as it stands
	header []string       // the names, trimmed
	index  map[string]int // name to column
	row    int            // data rows read
}

// delimiters are the values of the option Delimiter. The empty value and "auto" mean the delimiter that occurs
// most in the header outside quotes.
var delimiters = map[string]byte{
	"": 0, "auto": 0,
	"comma": ',', ",": ',',
	"semicolon": ';', ";": ';',
	"tab": '\t', "\t": '\t', `\t`: '\t',
}

// openTable reads the header. The delimiter must be one of delimiters.
func openTable(r io.Reader, name, delimiter string) (*table, error) {
	in, err := newCutter(r, name)
	if err != nil {
		return nil, err
	}
	t := &table{scanner: scanner{name: name}, in: in, index: map[string]int{}}
	if err := t.fetch(); err == io.EOF {
		return nil, &Error{File: name, Line: 1, Message: "the table is empty: want a header row and data rows"}
	} else if err != nil {
		return nil, err
	}
	if t.delim = delimiters[delimiter]; t.delim == 0 {
		t.delim = mostFrequent(t.raw)
	}
	if err := t.split(); err != nil {
		return nil, err
	}
	t.head = strings.Clone(t.raw)
	for i, cell := range t.cells {
		column := strings.Clone(strings.TrimSpace(cell)) // not to keep the whole block
		first, twice := t.index[column]
		switch {
		case column == "":
			return nil, t.fault(i, "the header has no name for column %d: name it, or remove a trailing delimiter", i+1)
		case !utf8.ValidString(column):
			return nil, t.fault(i, "the name %s is not valid UTF-8: save the table as UTF-8", quote(column))
		case twice:
			return nil, t.fault(i, "columns %d and %d have the same name %s: rename one", first+1, i+1, quote(column))
		}
		t.index[column] = i
		t.header = append(t.header, column)
	}
	return t, nil
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
	for _, b := range []byte{';', '\t'} {
		if count[b] > count[best] {
			best = b
		}
	}
	return best
}
