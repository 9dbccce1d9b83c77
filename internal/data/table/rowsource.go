package table

import (
	"fmt"
	"io"
	"runtime"
	"sync"
)

// RowSource reads the rows of a table block by block: of a file, a stream or a query. Every reader of this package (Read,
// ReadAs, LookAt, Reader, WriteParts) uses it, so that a format which implements it can be trained on, predicted and
// surveyed. It need not be safe for concurrent use, and is closed once.
//
// A source may also be a Decoder and a Locator.
type RowSource interface {
	// Header returns what is known of the table before its rows are read.
	Header() Header
	// Next overwrites b with the rows that follow; b is reused from block to block to save memory. The error is io.EOF after the
	// last block, and an *Error that names the place for a faulty table; b then holds the rows before the fault, and Next is
	// not called again.
	Next(b *Block) error
	Close() error
}

// Decoder is the ability of a RowSource to decode blocks concurrently: Next only cuts off what it keeps in Block.Raw, and
// Decode fills the other fields from it. Decode may run for several blocks, and beside Next, at the same time, and after Close. Its
// error is that of Next, without io.EOF.
type Decoder interface {
	Decode(b *Block) error
}

// Locator is the ability of a RowSource to say where a cell of a decoded block begins. Locate may run for several blocks at the same time.
type Locator interface {
	Locate(b *Block, row, column int) Place
}

// MaxRow bounds the bytes of a row, as text, and of each of its cells: a [RowSource] refuses longer ones.
const MaxRow = 16 << 20

// Place is a line of a file and a byte in that line, both from 1; 0 is unknown.
type Place struct{ Line, Column int }

// Header describes a table of K columns.
type Header struct {
	Names  []string // [K], trimmed; an empty name marks a column that is not read. Package data checks the names
	Places []Place  // [K], where the names stand; nil in a format without lines

	Delimiter byte   // what separates the cells of delimited text: ',', ';' or a tab; 0 in all other formats
	Text      string // of delimited text: all up to the first row, as it stands

	File string // of a table of several files, the one that the header is of; else empty
}

// Block is a number of rows that follow one another.
type Block struct {
	Rows    int
	Columns []Values // [K]
	Lines   []int    // [Rows], the line where each row begins; in a format without lines the number of the row, from 1
	Records []string // [Rows], of delimited text: the rows as they stand, with their line ends; nil in all other formats

	Raw any // what Next leaves to Decode

	File string // of a table of several files, the one that the rows are of; else empty

	fault error // of Next, after the rows
}

// Values are the cells of one column of a block: numbers where the format knows them, else text. A column keeps its
// kind in all blocks.
type Values struct {
	Numbers []float64 // [Rows], NaN is a missing cell; nil for text
	Cells   []string  // [Rows], parsed by this package: a blank cell, NA and the like is missing; nil for numbers, and with Spans

	Spans []Span   // [Rows], cells in place of Cells, without their pointers, which a collector of garbage follows; else nil
	Text  string   // that has the cells of Spans
	Apart []string // cells that Text does not have

	// Parsed has the numbers of those cells that are plain finite decimals without blanks, and NaN for all others; nil if the
	// format leaves it to this package to parse them.
	Parsed []float64
}

// Span is the cell Text[From:To], or Apart[From] if To is less than From.
type Span struct{ From, To int32 }

// Cell returns a cell of a column of texts.
func (v *Values) Cell(row int) string {
	if v.Spans == nil {
		return v.Cells[row]
	}
	at := v.Spans[row]
	if at.To < at.From {
		return v.Apart[at.From]
	}
	return v.Text[at.From:at.To]
}

// text returns a cell as text; a missing number is blank.
func (v *Values) text(row int) string {
	if v.Numbers == nil {
		return v.Cell(row)
	}
	return NumberText(v.Numbers[row])
}

// next reads the next block of a source. The error comes without rows; a fault after rows is left to decode.
func (b *Block) next(src RowSource) error {
	b.Rows, b.fault = 0, nil
	err := src.Next(b)
	if b.Rows > 0 && err != nil && err != io.EOF {
		b.fault = err
		return nil
	}
	if err != nil {
		b.Rows = 0
	}
	return err
}

// decode makes the rows of a block ready, of a table with so many columns. Its error is about what follows these rows.
func (b *Block) decode(src RowSource, columns int) error {
	err := b.fault
	if d, ok := src.(Decoder); ok && err == nil {
		err = d.Decode(b)
	}
	if shape := b.Check(columns); shape != nil {
		b.Rows = 0
		return shape
	}
	return err
}

// Check refuses a block that does not have the shape of the table, which is a fault of its format.
func (b *Block) Check(columns int) error {
	if len(b.Columns) != columns || len(b.Lines) != b.Rows || b.Records != nil && len(b.Records) != b.Rows {
		return fmt.Errorf("data: a block of %d rows has %d columns, want %d, %d lines and %d records", b.Rows, len(b.Columns), columns,
			len(b.Lines), len(b.Records))
	}
	for i, v := range b.Columns {
		cells, kinds := max(len(v.Cells), len(v.Spans)), 0
		for _, has := range []bool{v.Numbers != nil, v.Cells != nil, v.Spans != nil} {
			if has {
				kinds++
			}
		}
		if len(v.Numbers)+cells != b.Rows || kinds > 1 || v.Parsed != nil && len(v.Parsed) != cells {
			return fmt.Errorf("data: column %d of a block of %d rows has %d numbers, %d cells and %d cells parsed", i+1, b.Rows, len(v.Numbers),
				cells, len(v.Parsed))
		}
	}
	return nil
}

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

// Lookahead reads the blocks of a source in order. Those of a Decoder are decoded concurrently, some blocks ahead of the reader:
// at most GOMAXPROCS, and none before the first block is read, so that a slow stream is read soon.
type Lookahead struct {
	Src     RowSource
	Columns int
	blocks  int         // read
	queue   []*decoding // in the order of the table
	free    []*decoding
	err     error // after the blocks of queue
	workers sync.WaitGroup
}

// decoding is a block that is being decoded.
type decoding struct {
	block Block
	err   error         // after its rows
	done  chan struct{} // receives a value when block and err are complete
}

// next replaces b by the next block; the error is about what follows its rows.
func (l *Lookahead) next(b *Block) error {
	for most := l.most(); l.err == nil && len(l.queue) < most; {
		l.read()
	}
	if len(l.queue) == 0 {
		b.Rows = 0
		return l.err
	}
	d := l.queue[0]
	l.queue = append(l.queue[:0], l.queue[1:]...)
	<-d.done
	*b, d.block = d.block, *b
	l.free = append(l.free, d)
	return d.err
}

// most is how many blocks may be under way.
func (l *Lookahead) most() int {
	if _, ok := l.Src.(Decoder); !ok {
		return 1
	}
	return 1 + min(l.blocks, runtime.GOMAXPROCS(0))
}

// read reads a block and begins to decode it.
func (l *Lookahead) read() {
	var d *decoding
	if n := len(l.free); n > 0 {
		d, l.free = l.free[n-1], l.free[:n-1]
	} else {
		d = &decoding{done: make(chan struct{}, 1)}
	}
	if l.err = d.block.next(l.Src); l.err != nil {
		return
	}
	l.blocks++
	l.queue = append(l.queue, d)
	if d.block.fault != nil {
		l.err = io.EOF // d.err will be the fault
	}
	l.workers.Go(func() { // which owns the block until done
		d.err = d.block.decode(l.Src, l.Columns)
		d.done <- struct{}{}
	})
}

// stop waits for the blocks that are being decoded.
func (l *Lookahead) stop() { l.workers.Wait() }
