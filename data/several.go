package data

import (
	"errors"
	"io"
	"slices"
)

// chain is a table of several files, which are read one after the other. Their columns are those of the first, in any order.
type chain struct {
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
func openChain(files []string, delimiter byte) (*chain, error) {
	c := &chain{files: files, delimiter: delimiter}
	return c, c.open()
}

// openPiece opens a piece of a table, whose columns are those of a header.
func openPiece(p Piece, delimiter byte, table Header) (*chain, error) {
	src, file, err := p.openFile(delimiter)
	if err != nil {
		return nil, err
	}
	return newPiece(p, src, file, table)
}

// newPiece is openPiece of a source.
func newPiece(p Piece, src RowSource, file io.Closer, table Header) (*chain, error) {
	c := &chain{header: table, file: file, now: &link{name: p.Name, src: src}}
	if err := c.now.match(table); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// open opens the next file and finds the columns of the table in it.
func (c *chain) open() error {
	name := c.files[c.next]
	src, file, err := Input{Name: name}.openFile(c.delimiter)
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
func (l *link) match(table Header) error {
	h := l.src.Header()
	fault := func(format string, args ...any) error {
		f := faultf(l.name, format, args...)
		if h.Places != nil {
			f.Line = 1
		}
		return f
	}
	l.same = h.Delimiter == table.Delimiter && slices.Equal(h.Names, table.Names)
	at := map[string][]int{} // several of one name have none
	for i, name := range h.Names {
		at[name] = append(at[name], i)
	}
	for _, name := range table.Names {
		if len(at[name]) == 0 {
			return fault("the table has no column %s, which %s has%s (its columns: %s)", quote(name), table.File, didYouMean(name, h.Names), list(h.Names))
		}
		l.places = append(l.places, at[name][0])
		at[name] = at[name][1:]
	}
	for _, name := range h.Names {
		if len(at[name]) > 0 {
			return fault("column %s is not in %s: all files of a table have the same columns, in any order", quote(name), table.File)
		}
	}
	return nil
}

// Header, Next and Close make a chain a RowSource.
func (c *chain) Header() Header { return c.header }

// Next reads the next block of the current file, or of the first after it that has one.
func (c *chain) Next(b *Block) error {
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
func (c *chain) Decode(b *Block) error {
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
func (c *chain) Locate(b *Block, row, column int) Place {
	l := b.Raw.(*linked)
	if locator, ok := l.src.(Locator); ok {
		return locator.Locate(&l.own, row, l.places[column])
	}
	return Place{Line: b.Lines[row]}
}

// Close closes the current file.
func (c *chain) Close() error {
	if c.now == nil {
		return nil
	}
	err := errors.Join(c.now.src.Close(), c.file.Close())
	c.now = nil
	return err
}
