package data

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// RowSink writes the rows of a table block by block.
type RowSink interface {
	// Write writes the rows of a block, whose columns have Numbers or Cells as the fields of the table say; a blank cell is missing.
	Write(b *Block) error
	// Close ends the table. It does not close the writer below.
	Close() error
}

// Field is a column of a table to write.
type Field struct {
	Name   string
	Number bool // else text
}

// Writable returns the format that writes a file of this name by its extension; nil for delimited text.
func Writable(name string) *Format {
	extension := strings.ToLower(filepath.Ext(name))
	return find(func(f Format) bool { return f.Create != nil && slices.Contains(f.Extensions, extension) })
}

// Conversion says how [Convert] reads delimited text.
type Conversion struct {
	Delimiter string   // see Options
	Numbers   []string // the columns that are numbers; all others are texts
	NA        NA       // what marks a missing number, besides blank, NA and the like
}

// Convert writes a table to w in another format, which must be [Writable]. A cell of a column of numbers that is none is an *Error.
func Convert(w io.Writer, to *Format, in Input, o Conversion) (err error) {
	if to == nil || to.Create == nil {
		return errors.New("data: the format to write is nil or cannot be written: want one that Writable returns")
	}
	t, err := openTable(in, o.Delimiter)
	if err != nil {
		return err
	}
	defer t.Close()
	numbers := make(map[string]bool, len(o.Numbers))
	for _, name := range o.Numbers {
		numbers[name] = name != ""
	}
	var fields []Field
	columns := make([]*column, len(t.header.Names)) // of the numbers
	for i, name := range t.header.Names {
		if fields = append(fields, Field{name, numbers[name]}); numbers[name] {
			columns[i] = numericColumn(name, i, o.NA.of(name))
		}
	}
	sink, err := to.Create(w, fields)
	if err != nil {
		return fmt.Errorf("data: writing %s: %w", to.Name, err)
	}
	const rows = 4096
	b := Block{Columns: make([]Values, len(fields))}
	for {
		err := t.next()
		if err == nil {
			err = b.add(t, columns)
		}
		if b.Rows == rows || err != nil && b.Rows > 0 {
			if err := sink.Write(&b); err != nil {
				return err
			}
			b.Rows = 0
			for i, v := range b.Columns {
				b.Columns[i] = Values{Numbers: v.Numbers[:0], Cells: v.Cells[:0]}
			}
		}
		if err == io.EOF {
			return sink.Close()
		}
		if err != nil {
			return err
		}
	}
}

// add adds the current row of a table.
func (b *Block) add(t *table, columns []*column) error {
	for i, c := range columns {
		v := &b.Columns[i]
		if c == nil {
			v.Cells = append(v.Cells, t.cell(i))
			continue
		}
		x, err := c.value(t)
		if err != nil {
			return err
		}
		v.Numbers = append(v.Numbers, x)
	}
	b.Rows++
	return nil
}
