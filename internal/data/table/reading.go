package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/series"
)

// Interrupted returns the error of a reading whose context is done; nil if it is not.
func Interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("interrupted while the table was read: %w", context.Cause(ctx))
}

// Reading is how a table is read: by options, or by a known schema.
type Reading struct {
	In        Input
	delimiter string
	rows      func(*Cursor) (*Rows, error)

	// describe returns the schema of a table that was read, given the columns of its features and the number of rows of each level
	// of the target; and, where classes were found, the index of the class of each level.
	Describe func(r *Rows, features []Column, counts []int) (Schema, []float64, error)

	Known bool // the schema is
}

// ReadingBy returns how a table is read by valid options.
func ReadingBy(o Options, in Input) *Reading {
	in.Samples, in.Learn = o.samples(), true
	var time *series.Spec
	rows := func(t *Cursor) (*Rows, error) {
		o, time = o.over(t), t.Spec
		return o.Rows(t)
	}
	return &Reading{In: in, delimiter: o.Delimiter, rows: rows,
		Describe: func(r *Rows, features []Column, counts []int) (s Schema, class []float64, err error) {
			s = Schema{Columns: features, Target: o.Target, TargetUnit: o.Offset.unit(o.Units, o.Target), Weight: o.Weight,
				Offset: o.Offset, NA: o.NA, Time: time}
			for _, name := range o.Others {
				s.Others = append(s.Others, Other{name, o.Units[name]})
			}
			if r.Targets[0].Encoding == OneHot {
				if s.Classes, class, err = foundClasses(r.Targets[0], counts, in.Name); err != nil {
					return s, nil, err
				}
			}
			if err := s.Validate(); err != nil { // a one-hot feature may meet the name of a column
				return s, nil, &Error{File: in.Name, Message: err.Error(), Err: err}
			}
			return s, class, nil
		}}
}

// ReadingAs returns how a table is read by a schema, see [ReadAs].
func ReadingAs(o Options, in Input, schema Schema) (*Reading, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if err := CheckReading(o.Delimiter, o.Missing); err != nil {
		return nil, err
	}
	if o.Target != "" || o.Task != "" || len(o.Others)+len(o.Features)+len(o.Ignore)+len(o.Categorical)+len(o.Units)+len(o.NA) > 0 ||
		o.Offset.Column+o.Group+o.SplitColumn != "" || o.NoCategorical {
		return nil, fmt.Errorf("data: a table read by a known schema takes the options query, delimiter, missing, lenient, run and weight only")
	}
	find := func(t *Cursor) (*Rows, error) { return rowsAs(o, t, schema) }
	describe := func(*Rows, []Column, []int) (Schema, []float64, error) { return schema, nil, nil }
	in.Samples, in.Learn = schema.Samples(), true
	return &Reading{In: in, delimiter: o.Delimiter, rows: find, Describe: describe, Known: true}, nil
}

// rowsAs finds the columns of a schema, its targets and the weight in a table.
func rowsAs(o Options, t *Cursor, schema Schema) (*Rows, error) {
	r, err := knownRows(t, schema, o.Missing)
	if err != nil {
		return nil, err
	}
	if r.Targets, err = KnownTargets(t, schema); err != nil {
		return nil, err
	}
	weight := o.Weight
	if weight != "" && r.Weight != nil {
		return nil, KeyFault("data.weight", "%s: the model has rows with weights by their exposure %s, and no others: leave it out",
			escape.Quote(weight), escape.Quote(r.Weight.Name))
	}
	if _, there := t.index[schema.Weight]; weight == "" && there {
		weight = schema.Weight
	}
	if weight != "" {
		at, err := t.find("data.weight", weight)
		if err != nil {
			return nil, err
		}
		r.Weight = numericColumn(weight, at, schema.NA.of(weight))
	}
	if o.Lenient {
		r.passOver()
	}
	return r, nil
}

// Open opens the table, which the caller closes. The context ends a query.
func (re *Reading) Open(ctx context.Context) (*Rows, error) {
	in := re.In
	in.Context = ctx
	t, err := OpenTable(in, re.delimiter)
	if err != nil {
		return nil, err
	}
	r, err := re.rows(t)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return r, nil
}

// Count returns the number of rows that a reading keeps.
func (re *Reading) Count(ctx context.Context) (n int, err error) {
	r, err := re.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	err = r.Each(ctx, func() error { n++; return nil })
	return n, err
}

// Reader reads a table of any size batch by batch, by a known schema, to predict its rows. Columns are found by
// name in any order; further columns pass through unread; the target need not be there.
//
//	r, err := data.NewReader(data.Input{Name: "new.csv"}, schema, data.ReaderOptions{})
//	defer r.Close()
//	var b data.Batch
//	for r.Next(&b) == nil {
//		err := b.Parse() // by several goroutines, for several batches, if it should be fast
//		... // b.X, b.Records
//	}
//
// A batch is a block of the table's RowSource.
type Reader struct {
	table  *Cursor
	schema Schema
	how    ReaderOptions

	mu       sync.Mutex
	names    []string  // of the columns
	decimals []Decimal // of the columns in the batches parsed
}

// ReaderOptions sets how a Reader reads; see Options.
type ReaderOptions struct {
	Delimiter string // auto (default), comma, semicolon or tab
	Missing   string // error (default), drop (such rows are left out) or mean (NaN in X); see Column.Missing for own
	SafeCells bool   // Records have SafeCell of each cell

	// Lenient continues where a cell is not a level of the schema, and treats Missing error as mean. Such cells are counted
	// in Dataset.Missing or Batch.Missing. In X, the features of an unknown level are NaN in a column whose levels have an
	// order, and zero in any other.
	Lenient bool
}

// NewReader opens a table and reads its header. A column of the schema that the table does not have is an *Error, unless it
// is unused.
func NewReader(in Input, schema Schema, opts ReaderOptions) (*Reader, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if err := CheckReading(opts.Delimiter, opts.Missing); err != nil {
		return nil, err
	}
	in.Samples = schema.Samples()
	t, err := OpenTable(in, opts.Delimiter)
	if err != nil {
		return nil, err
	}
	known, err := knownRows(t, schema, opts.Missing)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	r := &Reader{table: t, schema: schema, how: opts}
	r.names, r.decimals = known.Decimals()
	return r, nil
}

// Close closes the table; an Input.Reader stays open.
func (r *Reader) Close() error { return r.table.Close() }

// knownRows finds the columns of a schema in a table.
func knownRows(t *Cursor, schema Schema, policy string) (*Rows, error) {
	r := newRows(t, policy)
	r.known = true
	for _, c := range schema.Columns {
		at := -1
		if !c.Unused {
			var err error
			if at, err = t.find("a column of the model", c.Name); err != nil {
				return nil, err
			}
		}
		r.Features = append(r.Features, knownColumn(c, at, schema.NA.of(c.Name)))
	}
	r.Raw = make([]float64, len(r.Features))
	exposure, err := KnownExposure(t, schema)
	if exposure != nil {
		r.expose(schema.Offset, exposure)
	}
	return r, err
}

// Next reads the next batch, for b.Parse to parse; what b held is overwritten. After the last batch the error is io.EOF; a
// table that cannot be read further is an *Error, once b.Parse has given the rows before it.
func (r *Reader) Next(b *Batch) error {
	if r.table.err == nil {
		b.reader = r
		r.table.err = b.block.next(r.table.Src)
	}
	if r.table.err == nil {
		r.table.err = b.block.fault
		return nil
	}
	return r.table.err
}

// Header returns the names of all columns of the table, trimmed.
func (r *Reader) Header() []string { return r.table.Header.Names }

// Delimiter returns what separates the cells of Records: ',', ';' or a tab.
func (r *Reader) Delimiter() rune { return r.table.delimiter() }

// Number reads a cell of a numeric column, as the rows of the table are read.
func (r *Reader) Number(cell string) (float64, bool) { return r.table.Number(strings.TrimSpace(cell)) }

// Marks returns what the batches parsed so far have of decimal marks; at the end of the table, those of the table.
func (r *Reader) Marks() Marks {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Marks{r.names, slices.Clone(r.decimals)}
}

// saw adds the evidence of a batch about the decimal marks.
func (r *Reader) saw(batch *Rows) {
	_, decimals := batch.Decimals()
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, d := range decimals {
		r.decimals[i].add(d)
	}
}

// Batch is a number of consecutive rows of a table. The zero value is ready for Reader.Next; reused, it allocates little.
type Batch struct {
	X       [][]float64 // [N,M], N of this batch
	Exposed []float64   // [N] exposures; empty without Schema.Offset
	Lines   []int       // [N], where each row begins, see Block
	Records []string    // [N], all cells of each row, unchanged or safe, as a record of CSV without line end
	Missing Missing     // the missing cells of this batch
	File    string      // the file of the rows, or the name of the table

	reader  *Reader
	block   Block
	cells   []float64 // backs X
	rows    []int     // [N], in the block
	columns []*Coder  // of the schema
	records *Recorder
}

// Cell returns the text of row n in a column of the schema, from 0; empty for an unused column.
func (b *Batch) Cell(n, column int) string {
	at := b.columns[column].At
	if at < 0 {
		return ""
	}
	return b.block.Columns[at].text(b.rows[n])
}

// Parse reads the rows of the batch. Different batches of a Reader may be parsed at the same time. On a faulty row,
// an *Error, X, Lines and Records hold the rows before it.
func (b *Batch) Parse() error {
	whole := b.reader.table
	b.Lines, b.Records, b.cells, b.X, b.Exposed, b.rows = b.Lines[:0], b.Records[:0], b.cells[:0], b.X[:0], b.Exposed[:0], b.rows[:0]
	end := b.block.decode(whole.Src, len(whole.Header.Names))
	b.File = cmp.Or(b.block.File, whole.Name)
	if end == nil {
		end = io.EOF
	}
	t := &Cursor{Name: whole.Name, Src: whole.Src, Header: whole.Header, index: whole.index, Commas: whole.Commas, Block: b.block, At: -1,
		err: end}
	r, err := knownRows(t, b.reader.schema, b.reader.how.Missing)
	if err != nil {
		return err
	}
	if b.reader.how.Lenient {
		r.passOver()
	}
	if b.columns = r.Features; b.records == nil {
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
		b.rows = append(b.rows, t.At)
		if r.exposed != nil {
			b.Exposed = append(b.Exposed, r.exposure)
		}
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
