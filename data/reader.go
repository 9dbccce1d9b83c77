package data

import (
	"io"
	"strings"
	"sync"
)

// Reader reads a table of any size block by block, by a known schema, to predict its rows. Columns are found by
// name in any order; further columns pass through unread; the target need not be there.
//
//	r, err := data.NewReader(in, "new.csv", schema, data.ReaderOptions{})
//	var b data.Block
//	for r.Next(&b) == nil {
//		err := b.Parse() // by several goroutines, for several blocks, if it should be fast
//		... // b.X, b.Records
//	}
//
// A block takes about 128 KiB of the table: as much as a read gave, and at least one record, of at most 16 MiB.
type Reader struct {
	table  *table
	schema Schema
	how    ReaderOptions
	first  bool // the block of the header was not handed out yet

	mu       sync.Mutex
	names    []string  // of the columns
	decimals []decimal // of the columns in the blocks parsed
}

// ReaderOptions says how a Reader reads; see Options.
type ReaderOptions struct {
	Delimiter string // auto (default), comma, semicolon or tab
	Missing   string // error (default), drop (such rows are left out) or mean (NaN in X)
	SafeCells bool   // Records have SafeCell of each cell

	// Lenient goes on where a cell is no level of the schema, and takes Missing error for mean. Such cells are counted
	// in Dataset.Missing or Block.Missing. In X, the features of an unknown level are NaN in an Ordinal column and
	// zero in a OneHot one.
	Lenient bool
}

// NewReader reads the header; name stands for the table in errors. A compressed table is an *Error: see Open and
// Decompress. A column of the schema that the table does not
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
	reader := &Reader{table: t, schema: schema, how: opts, first: true}
	reader.names, reader.decimals = known.decimals()
	return reader, nil
}

// knownRows finds the columns of a schema in a table.
func knownRows(t *table, schema Schema, policy string) (*rows, error) {
	r := newRows(t, policy)
	r.known = true
	for _, c := range schema.Columns {
		at := -1
		if !c.Unused {
			var err error
			if at, err = t.find("a feature", c.Name); err != nil {
				return nil, err
			}
		}
		r.features = append(r.features, knownColumn(c, at, schema.NA.of(c.Name)))
	}
	r.raw = make([]float64, len(r.features))
	return r, nil
}

// Next cuts the next block off the table, for b.Parse to read; what b held is overwritten. After the last block the
// error is io.EOF; a table that cannot be read is an *Error.
func (r *Reader) Next(b *Block) (err error) {
	if r.first {
		r.first = false
		b.reader, b.text = r, r.table.rest()
		if b.text.text != "" {
			return nil
		}
	}
	b.reader = r
	b.text, err = r.table.in.next()
	return err
}

// Header returns the names of all columns of the table, trimmed.
func (r *Reader) Header() []string { return r.table.header }

// Delimiter returns what separates the cells: ',', ';' or a tab.
func (r *Reader) Delimiter() rune { return rune(r.table.delim) }

// Number reads a cell of a numeric column, as the rows of the table are read.
func (r *Reader) Number(cell string) (float64, bool) { return r.table.number(strings.TrimSpace(cell)) }

// Commas returns the columns whose numbers, in the blocks parsed so far, have decimal commas. A column with points as
// well, or with commas that may separate thousands, is an *Error: ask at the end of the table.
func (r *Reader) Commas() ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return withCommas(r.names, r.decimals)
}

// saw adds what a block shows of the decimal marks.
func (r *Reader) saw(block *rows) {
	_, decimals := block.decimals()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, d := range decimals {
		r.decimals[i].add(d)
	}
}

// Block is a number of rows that follow one another in a table. The zero value is ready for Reader.Next; used again
// and again, it allocates little.
type Block struct {
	X       [][]float64 // [N,M], N of this block
	Lines   []int       // [N], where each row begins in the file, from 1
	Records []string    // [N], all cells of each row, as they stand or safe, as a record of CSV without line end
	Missing Missing     // the missing cells of this block

	reader *Reader
	text   block
	cells  []float64 // backs X
	quote  *quoter
}

// Parse reads the rows of the block. Different blocks of a Reader may be parsed at the same time. On a faulty row,
// an *Error, X, Lines and Records hold the rows before it.
func (b *Block) Parse() error {
	from := b.reader.table
	t := &table{scanner: scanner{name: from.name, delim: from.delim}, header: from.header, index: from.index, nameless: from.nameless}
	t.open(b.text)
	r, err := knownRows(t, b.reader.schema, b.reader.how.Missing)
	if err != nil {
		return err
	}
	if b.reader.how.Lenient {
		r.passOver()
	}
	b.Lines, b.Records, b.cells = b.Lines[:0], b.Records[:0], b.cells[:0]
	if b.quote == nil {
		b.quote = newQuoter(t.delim)
	}
	x, plain := make([]float64, r.width()), r.plain()
	if plain {
		x = r.raw
	}
	for err = r.next(); err == nil; err = r.next() {
		if !plain {
			r.encode(x, r.raw)
		}
		b.cells = append(b.cells, x...)
		b.Lines = append(b.Lines, t.line)
		b.Records = append(b.Records, b.quote.record(t, b.reader.how.SafeCells))
	}
	b.reader.saw(r)
	b.Missing = r.missing
	b.X = b.X[:0]
	for i := range b.Lines {
		b.X = append(b.X, b.cells[i*len(x):(i+1)*len(x):(i+1)*len(x)])
	}
	if err == io.EOF {
		return nil
	}
	return err
}
