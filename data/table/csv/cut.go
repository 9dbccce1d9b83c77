package csv

import (
	"bytes"
	"io"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// pieceSize is how many bytes of a table are cut off at a time.
const pieceSize = 128 << 10

// piece is a part of a table, of whole records. Only a record longer than data.MaxRow is cut off somewhere: its
// scanner refuses it.
type piece struct {
	text    string
	lines   int  // line ends before it
	quotes  bool // there are any in it
	returns bool
	nuls    bool
}

func newPiece(text []byte, lines int) piece {
	return piece{string(text), lines, bytes.IndexByte(text, '"') >= 0, bytes.IndexByte(text, '\r') >= 0, bytes.IndexByte(text, 0) >= 0}
}

// cutter cuts a table into pieces.
type cutter struct {
	in    io.Reader
	name  string // of the table, for errors
	lines int    // line ends cut off
	buf   []byte
	held  int   // bytes of buf that were read and not cut off
	err   error // what ended reading

	marks   int64 // bytes of byte order marks that were removed
	returns bool  // a carriage return ends a line
}

// newCutter begins to cut a table; see begin.
func newCutter(r io.Reader, name string) (*cutter, error) {
	c := &cutter{in: r, name: name, buf: make([]byte, pieceSize)}
	if err := c.begin(); err != nil {
		return nil, err
	}
	if c.err != nil && c.err != io.EOF && c.held == 0 {
		return nil, c.fault()
	}
	return c, nil
}

// next cuts off the next piece: what a read gives, as far as records are whole. io.EOF after the last.
func (c *cutter) next() (piece, error) {
	for {
		held := c.buf[:c.held]
		end := lastRecordEnd(held)
		if end == 0 && (c.err == io.EOF || len(held) > table.MaxRow) {
			end = len(held)
		}
		if end > 0 {
			p := newPiece(held[:end], c.lines)
			c.lines += bytes.Count(held[:end], []byte{'\n'})
			c.drop(end)
			return p, nil
		}
		if c.err == io.EOF {
			return piece{}, io.EOF
		}
		if c.err != nil {
			fault := c.fault()
			fault.Line = c.lines + bytes.Count(held, []byte{'\n'}) + 1
			return piece{}, fault
		}
		c.read()
	}
}

// fault is the error that ended reading.
func (c *cutter) fault() *table.Error {
	return &table.Error{File: c.name, Message: "the table cannot be read: " + c.err.Error(), Err: c.err}
}

// read reads once.
func (c *cutter) read() {
	if c.held == len(c.buf) {
		c.buf = append(c.buf, make([]byte, len(c.buf))...)
	}
	for range 100 {
		n, err := c.in.Read(c.buf[c.held:])
		if c.returns {
			endLines(c.buf[c.held : c.held+n])
		}
		c.held, c.err = c.held+n, err
		if n > 0 || err != nil {
			return
		}
	}
	c.err = io.ErrNoProgress
}

// drop removes the first n bytes held.
func (c *cutter) drop(n int) { c.held = copy(c.buf, c.buf[n:c.held]) }

// lastRecordEnd returns the offset after the last line end that is not within quotes; 0 if there is none.
func lastRecordEnd(text []byte) int {
	quotes := bytes.Count(text, []byte{'"'})
	for {
		at := bytes.LastIndexByte(text, '\n')
		if at < 0 {
			return 0
		}
		if quotes > 0 {
			quotes -= bytes.Count(text[at:], []byte{'"'})
		}
		if quotes%2 == 0 {
			return at + 1
		}
		text = text[:at]
	}
}
