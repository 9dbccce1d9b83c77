package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Recorder writes rows as records of delimited text, as encoding/csv does: a cell is quoted where it must be, and only
// there. A table in another format becomes text separated by commas.
type Recorder struct {
	text  strings.Builder
	csv   *csv.Writer
	cells []string // of the current row
}

func NewRecorder(t *Cursor) *Recorder {
	r := &Recorder{}
	r.csv = csv.NewWriter(&r.text)
	r.csv.Comma = t.delimiter()
	return r
}

// record returns the cells of the current row of a table, safe or unchanged, without line end: the original row if
// no cell was changed, is quoted or must be.
func (r *Recorder) record(t *Cursor, safe bool) string {
	line := ""
	if t.Block.Records != nil {
		line = strings.TrimSuffix(strings.TrimSuffix(t.Block.Records[t.At], "\n"), "\r")
		if !safe && Bare(line) {
			return line
		}
	}
	r.cells = r.cells[:0]
	for i := range t.Block.Columns {
		r.cells = append(r.cells, t.Cell(i))
	}
	changed := safe && MakeSafe(r.cells)
	if t.Block.Records != nil && !changed && !strings.Contains(line, `"`) && bare(r.cells) {
		return line
	}
	return r.write(r.cells)
}

// Verbatim returns the original current row with its line end, or a record if the format is not delimited text.
func (r *Recorder) Verbatim(t *Cursor) string {
	if t.Block.Records != nil {
		return t.Block.Records[t.At]
	}
	return r.record(t, false)
}

// Kept is verbatim in memory of its own, where a block would be kept for it otherwise.
func (r *Recorder) Kept(t *Cursor) string { return strings.Clone(r.Verbatim(t)) }

// Header returns the original header, or a record if the format is not delimited text.
func (r *Recorder) Header(t *Cursor) string {
	if t.Header.Text != "" {
		return t.Header.Text
	}
	return r.write(t.Header.Names)
}

func (r *Recorder) write(cells []string) string {
	r.text.Reset()
	_ = r.csv.Write(cells) // a strings.Builder does not fail
	r.csv.Flush()
	return strings.TrimSuffix(r.text.String(), "\n")
}

// bare reports whether none of the cells, which contain no quotes, must be quoted.
func bare(cells []string) bool {
	for _, cell := range cells {
		if cell == "" || ' ' < cell[0] && cell[0] < utf8.RuneSelf && cell[0] != '\\' {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(cell); unicode.IsSpace(first) || cell == `\.` {
			return false
		}
	}
	return true
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
