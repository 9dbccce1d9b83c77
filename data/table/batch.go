package table

import (
	"cmp"
	"io"
)

// Batch is a number of consecutive rows of a table. The zero value is ready for Reader.Next; reused, it allocates little.
type Batch struct {
	X       [][]float64 // [N,M], N of this batch
	Lines   []int       // [N], where each row begins, see Block
	Records []string    // [N], all cells of each row, unchanged or safe, as a record of CSV without line end
	Missing Missing     // the missing cells of this batch
	File    string      // the file of the rows, or the name of the table

	reader  *Reader
	block   Block
	cells   []float64 // backs X
	records *Recorder
}

// Parse reads the rows of the batch. Different batches of a Reader may be parsed at the same time. On a faulty row,
// an *Error, X, Lines and Records hold the rows before it.
func (b *Batch) Parse() error {
	whole := b.reader.table
	b.Lines, b.Records, b.cells, b.X = b.Lines[:0], b.Records[:0], b.cells[:0], b.X[:0]
	end := b.block.decode(whole.Src, len(whole.Header.Names))
	b.File = cmp.Or(b.block.File, whole.Name)
	if end == nil {
		end = io.EOF
	}
	t := &Cursor{Name: whole.Name, Src: whole.Src, Header: whole.Header, index: whole.index, Commas: whole.Commas, Block: b.block, At: -1, err: end}
	r, err := knownRows(t, b.reader.schema, b.reader.how.Missing)
	if err != nil {
		return err
	}
	if b.reader.how.Lenient {
		r.passOver()
	}
	if b.records == nil {
		b.records = NewRecorder(t)
	}
	x, plain := make([]float64, r.Width()), r.Plain()
	if plain {
		x = r.Raw
	}
	for err = r.Next(); err == nil; err = r.Next() {
		if !plain {
			r.Encode(x, r.Raw)
		}
		b.cells = append(b.cells, x...)
		b.Lines = append(b.Lines, t.Line())
		b.Records = append(b.Records, b.records.record(t, b.reader.how.SafeCells))
	}
	b.reader.saw(r)
	b.Missing = r.Missing
	for i := range b.Lines {
		b.X = append(b.X, b.cells[i*len(x):(i+1)*len(x):(i+1)*len(x)])
	}
	if err == io.EOF {
		return nil
	}
	return err
}
