package data

import (
	"fmt"
	"io"
)

// Reader reads a table of any size row by row, by a known schema, to predict its rows. Columns are found by name
// in any order; further columns pass through unread; the target need not be there. One record is in memory at a
// time, of at most 16 MiB.
type Reader struct {
	rows *rows
	m    int
}

// ReaderOptions says how a Reader reads; see Options.
type ReaderOptions struct {
	Delimiter string // auto (default), comma, semicolon or tab
	Missing   string // error (default), drop (Next leaves such rows out) or mean (NaN in x)
}

// NewReader reads the header; name stands for the table in errors. A column of the schema that the table does not
// have is an *Error, unless it is unused.
func NewReader(r io.Reader, name string, schema Schema, opts ReaderOptions) (*Reader, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if err := checkReading(opts.Delimiter, opts.Missing); err != nil {
		return nil, err
	}
	t, err := openTable(r, name, opts.Delimiter)
	if err != nil {
		return nil, err
	}
	known, err := knownRows(t, schema, opts.Missing)
	if err != nil {
		return nil, err
	}
	return &Reader{rows: known, m: len(schema.Features())}, nil
}

// knownRows finds the columns of a schema in a table.
func knownRows(t *table, schema Schema, policy string) (*rows, error) {
	r := newRows(t, policy)
	for _, c := range schema.Columns {
		at := -1
		if !c.Unused {
			var err error
			if at, err = t.find("a feature", c.Name); err != nil {
				return nil, err
			}
		}
		r.features = append(r.features, knownColumn(c, at))
	}
	r.raw = make([]float64, len(r.features))
	return r, nil
}

// Next reads the next row: its M features into x, and its cells, unquoted but else as they stand, which are valid
// until the next call. After the last row the error is io.EOF; a faulty row is an *Error.
func (r *Reader) Next(x []float64) (record []string, err error) {
	if len(x) != r.m {
		return nil, fmt.Errorf("data: x has %d values, want %d", len(x), r.m)
	}
	if err := r.rows.next(); err != nil {
		return nil, err
	}
	r.rows.encode(x, r.rows.raw)
	return r.rows.t.cells, nil
}

// Header returns the names of all columns of the table, trimmed.
func (r *Reader) Header() []string { return r.rows.t.header }

// Delimiter returns what separates the cells: ',', ';' or a tab.
func (r *Reader) Delimiter() rune { return rune(r.rows.t.delim) }

// Row returns the number of data rows read, dropped ones included: the row of the last record, from 1.
func (r *Reader) Row() int { return r.rows.t.row }

// Missing returns the counts of the rows read so far.
func (r *Reader) Missing() Missing { return r.rows.missing }
