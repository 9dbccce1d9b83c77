package csv

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// pieceSize is how many bytes of a table are cut off at a time.
const pieceSize = 128 << 10

// piece is a part of a table, of whole records. Only a record longer than table.MaxRow is cut off somewhere: its
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

const byteOrderMark = "\xef\xbb\xbf" // of UTF-8

// kinds are files that are no text in UTF-8, by how they begin.
var kinds = []struct{ magic, fault string }{
	{"\xff\xfe\x00\x00", "the table is UTF-32: save it as UTF-8"},
	{"\x00\x00\xfe\xff", "the table is UTF-32: save it as UTF-8"},
	{"\xff\xfe", "the table is UTF-16: save it as UTF-8"},
	{"\xfe\xff", "the table is UTF-16: save it as UTF-8"},
	{"PK\x03\x04", "the file is a ZIP archive, as Excel workbooks (.xlsx) are: save the sheet as CSV in UTF-8"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "the file is an Excel workbook (.xls): save the sheet as CSV in UTF-8"},
	{"PAR1\x15", "the file is Parquet: export it as CSV"},
	{"\x1f\x8b", "the table is compressed by gzip: decompress it first"},
	{"\x28\xb5\x2f\xfd", "the table is compressed by zstd: decompress it first"},
	{"\xfd7zXZ\x00", "the table is compressed by xz: decompress it, or compress it by gzip or zstd"},
	{"BZh91AY&SY", "the table is compressed by bzip2: decompress it, or compress it by gzip or zstd"},
}

// begin removes byte order marks of UTF-8, refuses files of another kind, and finds out how lines end.
func (c *cutter) begin() error {
	for {
		for c.err == nil && c.undecided() {
			c.read()
		}
		if !bytes.HasPrefix(c.buf[:c.held], []byte(byteOrderMark)) {
			break
		}
		c.drop(len(byteOrderMark))
		c.marks += int64(len(byteOrderMark))
	}
	for _, kind := range kinds {
		if bytes.HasPrefix(c.buf[:c.held], []byte(kind.magic)) {
			return &table.Error{File: c.name, Line: 1, Column: 1, Message: kind.fault}
		}
	}
	c.findLineEnd()
	return nil
}

// undecided reports whether more bytes may show a byte order mark or another kind of file.
func (c *cutter) undecided() bool {
	may := func(magic string) bool {
		return c.held < len(magic) && magic[:c.held] == string(c.buf[:c.held])
	}
	return may(byteOrderMark) || slices.ContainsFunc(kinds, func(kind struct{ magic, fault string }) bool { return may(kind.magic) })
}

// findLineEnd reads up to the first line end that is not within quotes. If it is a carriage return without a line
// feed, all carriage returns of the table end lines.
func (c *cutter) findLineEnd() {
	quoted := false
	for at := 0; c.held <= table.MaxRow; at++ {
		for at >= c.held-1 && c.err == nil { // one more byte is held, to see what follows a return
			c.read()
		}
		if at >= c.held {
			return
		}
		switch b := c.buf[at]; {
		case b == '"':
			quoted = !quoted
		case b == '\n' && !quoted:
			return
		case b == '\r' && !quoted:
			if c.returns = at+1 == c.held || c.buf[at+1] != '\n'; c.returns {
				endLines(c.buf[:c.held])
			}
			return
		}
	}
}

// endLines writes line feeds for carriage returns.
func endLines(text []byte) {
	for i, b := range text {
		if b == '\r' {
			text[i] = '\n'
		}
	}
}

// Beginning is what a reader of rows from the middle of a delimited text must know of its beginning: a text of Header and rows
// is a table again.
type Beginning struct {
	Header  string // all up to the first row, as [data.Header] has it; it ends with a line feed if anything follows
	Records int    // in Header: 1, or 2 with a line that names the delimiter

	Marks   int64 // bytes of byte order marks, before the text
	Returns bool  // a carriage return ends a line too, wherever it is; then Header has line feeds in place of them
}

// Begin reads the beginning of a delimited text, as the format does: the delimiter is found if it is 0. The text must not be
// compressed. The faults are those of the format.
func Begin(name string, r io.Reader, delimiter byte) (Beginning, error) {
	src, err := open(name, r, delimiter)
	if err != nil {
		return Beginning{}, err
	}
	s := src.(*source)
	b := Beginning{Header: s.header.Text, Records: 1, Marks: s.in.marks, Returns: s.in.returns}
	var first scanner
	first.open(newPiece([]byte(b.Header), 0))
	if first.fetch() == nil && first.at < len(b.Header) {
		b.Records = 2
	}
	return b, s.Close()
}

// Lines returns the number of line ends in Header.
func (b Beginning) Lines() int { return strings.Count(b.Header, "\n") }

// EndLines writes line feeds for the carriage returns of a text whose Beginning has Returns.
func EndLines(text []byte) { endLines(text) }

// Border is a place in a delimited text between two records, or within one.
type Border struct {
	Offset  int64 // bytes before it
	Lines   int64 // line ends before it
	Records int64 // that end before it, without empty lines
}

// Borders finds the borders between records by the counts of ranges that follow one another.
type Borders struct {
	at     Border // after the ranges so far; Records ended
	quoted int    // 1 within quotes
	under  Filling
}

// Add adds the next range. It returns the first border between records after the start of the range and, if there is none in
// it, false. Of the first range, the start of the text is no border.
func (b *Borders) Add(c Counts) (first Border, ok bool) {
	e := c.In[b.quoted]
	under := b.under.Add(e.Head)
	if ok = e.First >= 0; ok {
		if under == Content {
			b.at.Records++
		}
		first = Border{b.at.Offset + e.First, b.at.Lines + e.FirstLines, b.at.Records}
		b.at.Records += e.Records
		under = e.Tail
	}
	b.under = under
	b.at.Offset += c.Bytes
	b.at.Lines += c.Lines
	if c.Odd {
		b.quoted = 1 - b.quoted
	}
	return first, ok
}

// End returns the end of the text, after the last record.
func (b *Borders) End() Border {
	end := b.at
	if b.under == Content {
		end.Records++
	}
	return end
}
