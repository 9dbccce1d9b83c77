package csv

import (
	"bytes"
	"slices"

	"github.com/tskgraph/tskgraph/data/table"
)

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
