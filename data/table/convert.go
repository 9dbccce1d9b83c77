package table

import (
	"errors"
	"fmt"
	"io"
)

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
	t, err := OpenTable(in, o.Delimiter)
	if err != nil {
		return err
	}
	defer t.Close()
	numbers := make(map[string]bool, len(o.Numbers))
	for _, name := range o.Numbers {
		numbers[name] = name != ""
	}
	var fields []Field
	columns := make([]*Coder, len(t.Header.Names)) // of the numbers
	for i, name := range t.Header.Names {
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
		err := t.Next()
		if err == nil {
			err = addRow(&b, t, columns)
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

// addRow adds the current row of a table to a block.
func addRow(b *Block, t *Cursor, columns []*Coder) error {
	for i, c := range columns {
		v := &b.Columns[i]
		if c == nil {
			v.Cells = append(v.Cells, t.Cell(i))
			continue
		}
		x, err := c.Value(t)
		if err != nil {
			return err
		}
		v.Numbers = append(v.Numbers, x)
	}
	b.Rows++
	return nil
}
