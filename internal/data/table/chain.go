package table

import (
	"errors"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// chain is a table of several files, which are read one after the other. Their columns are those of the first, in any order.
type Chain struct {
	files     []string
	delimiter byte // that was given
	header    Header

	next int   // file after the current one
	now  *link // the current one; nil: none is open
	file io.Closer
}

// link is an open file of a chain.
type link struct {
	name   string
	src    RowSource
	places []int // [K], where it has the columns of the table
	same   bool  // its records are those of the table: of the same columns and delimiter
}

// linked is Block.Raw of a block of a chain.
type linked struct {
	*link
	own Block // as the source of the file left it
}

// openChain opens the first of several files.
func openChain(files []string, delimiter byte) (*Chain, error) {
	c := &Chain{files: files, delimiter: delimiter}
	return c, c.open()
}

// openPart opens a part of a table, whose columns are those of a header.
func (in Input) OpenPart(delimiter byte, content Header) (*Chain, error) {
	src, file, err := in.OpenFile(delimiter)
	if err != nil {
		return nil, err
	}
	return NewPart(in.Name, src, file, content)
}

// newPart is openPart of a source.
func NewPart(name string, src RowSource, file io.Closer, content Header) (*Chain, error) {
	c := &Chain{header: content, file: file, now: &link{name: name, src: src}}
	if err := c.now.match(content); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// open opens the next file and finds the columns of the table in it.
func (c *Chain) open() error {
	name := c.files[c.next]
	src, file, err := Input{Name: name}.OpenFile(c.delimiter)
	if err != nil {
		return err
	}
	if c.next++; c.next == 1 {
		c.header = src.Header()
		c.header.File = name
	}
	c.now, c.file = &link{name: name, src: src}, file
	if err := c.now.match(c.header); err != nil {
		return errors.Join(err, c.Close())
	}
	return nil
}

// match finds the columns of a table in the file.
func (l *link) match(content Header) error {
	h := l.src.Header()
	fault := func(format string, args ...any) error {
		f := Faultf(l.name, format, args...)
		if h.Places != nil {
			f.Line = 1
		}
		return f
	}
	l.same = h.Delimiter == content.Delimiter && slices.Equal(h.Names, content.Names)
	at := map[string][]int{} // several of one name have none
	for i, name := range h.Names {
		at[name] = append(at[name], i)
	}
	for _, name := range content.Names {
		if len(at[name]) == 0 {
			return fault("the table has no column %s, which %s has%s (its columns: %s)", escape.Quote(name), content.File,
				registry.Hint(name, h.Names), escape.List(h.Names))
		}
		l.places = append(l.places, at[name][0])
		at[name] = at[name][1:]
	}
	for _, name := range h.Names {
		if len(at[name]) > 0 {
			return fault("column %s is not in %s: all files of a table have the same columns, in any order", escape.Quote(name), content.File)
		}
	}
	return nil
}

// Header, Next and Close make a chain a RowSource.
func (c *Chain) Header() Header { return c.header }

// Next reads the next block of the current file, or of the first after it that has one.
func (c *Chain) Next(b *Block) error {
	for {
		if c.now == nil {
			if c.next == len(c.files) {
				return io.EOF
			}
			if err := c.open(); err != nil {
				return err
			}
		}
		l, ok := b.Raw.(*linked)
		if !ok || l.link != c.now { // a source reuses blocks of its own only
			l = &linked{link: c.now}
		}
		l.own.Rows = 0
		err := c.now.src.Next(&l.own)
		if err == io.EOF {
			if err := c.Close(); err != nil {
				return err
			}
			continue
		}
		if _, later := c.now.src.(Decoder); later && err == nil {
			b.Raw = l
		} else {
			l.arrange(b)
		}
		return err
	}
}

// Decode decodes a block of any file.
func (c *Chain) Decode(b *Block) error {
	l := b.Raw.(*linked)
	d, ok := l.src.(Decoder)
	if !ok {
		return nil
	}
	err := d.Decode(&l.own)
	l.arrange(b)
	return err
}

// arrange makes b the block of the file, with the columns as the table has them.
func (l *linked) arrange(b *Block) {
	*b = l.own
	b.Raw, b.File = l, l.name
	if l.same || len(b.Columns) != len(l.places) {
		return
	}
	b.Records, b.Columns = nil, make([]Values, len(l.places))
	for i, at := range l.places {
		b.Columns[i] = l.own.Columns[at]
	}
}

// Locate asks the source of the file.
func (c *Chain) Locate(b *Block, row, column int) Place {
	l := b.Raw.(*linked)
	if locator, ok := l.src.(Locator); ok {
		return locator.Locate(&l.own, row, l.places[column])
	}
	return Place{Line: b.Lines[row]}
}

// Close closes the current file.
func (c *Chain) Close() error {
	if c.now == nil {
		return nil
	}
	err := errors.Join(c.now.src.Close(), c.file.Close())
	c.now = nil
	return err
}

// excerpt is the rows of a table from further down, after the header of the table: their lines are those of the table.
type excerpt struct {
	RowSource
	before int // added to the lines
}

// Next, Decode and Locate make an excerpt a [RowSource], a [Decoder] and a [Locator].
func (e *excerpt) Next(b *Block) error {
	err := e.RowSource.Next(b)
	if _, later := e.RowSource.(Decoder); !later {
		e.move(b)
	}
	return e.fault(err)
}

func (e *excerpt) Decode(b *Block) error {
	d, ok := e.RowSource.(Decoder)
	if !ok {
		return nil
	}
	err := d.Decode(b)
	e.move(b)
	return e.fault(err)
}

func (e *excerpt) Locate(b *Block, row, column int) Place {
	if l, ok := e.RowSource.(Locator); ok {
		return l.Locate(b, row, column) // the place is after the line of the block
	}
	return Place{Line: b.Lines[row]}
}

// move corrects the lines of a block.
func (e *excerpt) move(b *Block) {
	for i := range b.Lines {
		b.Lines[i] += e.before
	}
}

// fault corrects the line of a fault.
func (e *excerpt) fault(err error) error {
	var fault *Error
	if e.before == 0 || !errors.As(err, &fault) || fault.Line == 0 {
		return err
	}
	moved := *fault
	moved.Line += e.before
	return &moved
}
