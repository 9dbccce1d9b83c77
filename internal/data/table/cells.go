package table

import (
	"io"
	"math"
	"slices"
)

// Cells reads rows whose cells a program has, such as those of a request, as a lenient [Reader] reads the rows of a table. Its memory
// serves one text after the other; only one goroutine may use it at a time.
//
//	c.Reset(text)
//	c.Add(n)
//	c.Set(row, column, from, to) // each cell; one that is not set is missing
//	err := c.Read()
//	... // c.X, c.Exposed
type Cells struct {
	Names []string // [K] of the columns: those of the schema that are not unused, and that of the exposures

	X       [][]float64 // [N][M], of which a missing cell is NaN
	Exposed []float64   // [N] exposures; empty without Schema.Offset
	Missing Missing     // without First

	rows  *Rows
	width []int // of the features of each column of the schema
	text  string
	cells []float64 // backs X
}

// NewCells returns the cells of a valid schema.
func NewCells(schema Schema) (*Cells, error) {
	c := &Cells{}
	for _, column := range schema.Columns {
		if !column.Unused {
			c.Names = append(c.Names, column.Name)
		}
	}
	if of := schema.Offset.Column; of != "" {
		c.Names = append(c.Names, of)
	}
	t := &Cursor{Name: "request", index: map[string]int{}, Header: Header{Names: c.Names}}
	for i, name := range c.Names {
		t.index[name] = i
	}
	t.Block.Columns = make([]Values, len(c.Names))
	r, err := knownRows(t, schema, "")
	if err != nil {
		return nil, err
	}
	r.passOver()
	c.rows = r
	for _, column := range schema.Columns {
		c.width = append(c.width, column.Width())
	}
	return c, nil
}

// Reset begins rows whose cells are parts of a text.
func (c *Cells) Reset(text string) {
	b := &c.rows.T.Block
	c.text, b.Rows, b.Lines = text, 0, b.Lines[:0]
	for i := range b.Columns {
		v := &b.Columns[i]
		v.Text, v.Spans, v.Apart, v.Parsed = text, v.Spans[:0], v.Apart[:0], v.Parsed[:0]
	}
}

// Add adds n rows.
func (c *Cells) Add(n int) {
	b := &c.rows.T.Block
	for range n {
		b.Rows++
		b.Lines = append(b.Lines, b.Rows)
	}
	for i := range b.Columns {
		v := &b.Columns[i]
		v.Spans = append(v.Spans, make([]Span, n)...)
		v.Parsed = slices.Grow(v.Parsed, n)[:b.Rows]
		for row := b.Rows - n; row < b.Rows; row++ {
			v.Parsed[row] = math.NaN()
		}
	}
}

// Len returns the number of rows.
func (c *Cells) Len() int { return c.rows.T.Block.Rows }

// Large reports whether the memory is more than a few rows need.
func (c *Cells) Large() bool { return cap(c.cells) > largeCells }

const largeCells = 1 << 16

// Cell returns the text of row n in a column of the schema, from 0; empty for an unused column.
func (c *Cells) Cell(n, column int) string {
	at := c.rows.Features[column].At
	if at < 0 {
		return ""
	}
	return c.rows.T.Block.Columns[at].Cell(n)
}

// Set sets a cell, which is text[from:to] without blanks around it.
func (c *Cells) Set(row, column, from, to int) {
	v := &c.rows.T.Block.Columns[column]
	v.Spans[row], v.Parsed[row] = Span{int32(from), int32(to)}, ScanNumber(c.text, from, to)
}

// SetApart sets a cell that is not part of the text.
func (c *Cells) SetApart(row, column int, cell string) {
	v := &c.rows.T.Block.Columns[column]
	v.Spans[row] = Span{int32(len(v.Apart)), -1}
	v.Apart = append(v.Apart, cell)
}

// Read reads the rows. A cell that cannot be read is an *Error, whose line is the number of its row from 1.
func (c *Cells) Read() error {
	r, t := c.rows, c.rows.T
	width, n := r.Width(), t.Block.Rows
	c.X, c.Exposed, c.cells = c.X[:0], c.Exposed[:0], slices.Grow(c.cells[:0], n*width)[:n*width]
	r.Missing = Missing{Policy: r.Missing.Policy, First: "-"} // which would name a place of a file
	t.At, t.Row, t.err = -1, 0, io.EOF
	for rest := c.cells; ; rest = rest[width:] {
		switch err := r.Next(); {
		case err == io.EOF && len(c.X) < n:
			return Faultf(t.Name, "%d of %d rows have an exposure that weighs nothing", n-len(c.X), n)
		case err == io.EOF:
			c.Missing = r.Missing
			c.Missing.First = ""
			return nil
		case err != nil:
			return err
		}
		at := 0
		for i, n := range c.width {
			r.Features[i].Encode(rest[at:at+n], r.Raw[i])
			at += n
		}
		c.X = append(c.X, rest[:width:width])
		if r.exposed != nil {
			c.Exposed = append(c.Exposed, r.exposure)
		}
	}
}
