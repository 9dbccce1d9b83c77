package data

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// maxRecord bounds the bytes of one record, so that a quote that is never closed cannot fill the memory.
const maxRecord = 16 << 20

// scanner reads the records of a delimited text (RFC 4180) one at a time. It differs from encoding/csv in what a
// table of strangers needs: it keeps the record as it stands (raw), allows blanks around a quoted cell, bounds
// the memory, and locates NUL bytes, lone CRs and the quote that is not closed. Empty lines are skipped.
//
// fetch reads the next record into raw; split cuts it into cells. Both are valid until the next fetch.
type scanner struct {
	in    *bufio.Reader
	name  string // of the table, for errors
	delim byte

	line  int      // line of the record's first byte, from 1
	lines int      // line ends read
	raw   []byte   // the record with its line end
	body  int      // bytes of raw without the line end
	buf   []byte   // holds raw when the reader's own buffer cannot
	cells []string // unquoted, not trimmed
	start []int    // offset of each cell in raw
}

// newScanner removes a byte order mark of UTF-8 and refuses those of UTF-16.
func newScanner(r io.Reader, name string) (*scanner, error) {
	s := &scanner{in: bufio.NewReaderSize(r, 64<<10), name: name, delim: ','}
	mark, err := s.in.Peek(3)
	switch {
	case err != nil && err != io.EOF:
		return nil, fileFault(name, err)
	case bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")):
		_, _ = s.in.Discard(3) // cannot fail: the bytes were just peeked
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, &Error{File: name, Line: 1, Column: 1, Message: "the table is UTF-16: save it as UTF-8"}
	}
	return s, nil
}

// fetch reads the next record that is not empty; io.EOF after the last.
func (s *scanner) fetch() error {
	for {
		if err := s.gather(); err != nil {
			return err
		}
		s.body = len(bytes.TrimSuffix(bytes.TrimSuffix(s.raw, []byte("\n")), []byte("\r")))
		if s.body > 0 {
			break
		}
	}
	if at := bytes.IndexByte(s.raw, 0); at >= 0 {
		return s.faultAt(at, "a NUL byte: the table is damaged, or UTF-16 (then save it as UTF-8)")
	}
	return nil
}

// gather reads lines until the quotes are even in number: within a quoted cell, a line end is text.
func (s *scanner) gather() error {
	s.line, s.raw, s.buf = s.lines+1, nil, s.buf[:0]
	for quotes := 0; ; {
		piece, err := s.in.ReadSlice('\n')
		quotes += bytes.Count(piece, []byte{'"'})
		whole := err == io.EOF || err == nil && quotes%2 == 0
		if whole && len(s.buf) == 0 {
			s.raw = piece
		} else {
			s.buf = append(s.buf, piece...)
			s.raw = s.buf
		}
		switch {
		case err == nil:
			s.lines++
		case err == io.EOF && len(s.raw) == 0:
			return io.EOF
		case err != io.EOF && err != bufio.ErrBufferFull:
			fault := fileFault(s.name, err)
			fault.Line = s.lines + 1
			return fault
		}
		if len(s.raw) > maxRecord {
			if quotes%2 == 1 {
				return s.faultAt(bytes.LastIndexByte(s.raw, '"'), "a quote that is not closed within %d MiB", maxRecord>>20)
			}
			return s.faultAt(0, "a row longer than %d MiB: are the line ends missing?", maxRecord>>20)
		}
		if whole {
			return nil
		}
	}
}

// split cuts the record into cells.
func (s *scanner) split() error {
	s.cells, s.start = s.cells[:0], s.start[:0]
	line := s.raw[:s.body]
	if bytes.IndexByte(line, '"') >= 0 {
		return s.splitQuoted(line)
	}
	if err := s.checkReturn(line, 0); err != nil {
		return err
	}
	text := string(line)
	for at := 0; ; {
		s.start = append(s.start, at)
		end := bytes.IndexByte(line[at:], s.delim)
		if end < 0 {
			s.cells = append(s.cells, text[at:])
			return nil
		}
		s.cells = append(s.cells, text[at:at+end])
		at += end + 1
	}
}

func (s *scanner) splitQuoted(line []byte) error {
	for at := 0; ; at++ {
		s.start = append(s.start, at)
		if open := s.skipBlanks(line, at); open < len(line) && line[open] == '"' {
			cell, end, err := s.unquote(line, open)
			if err != nil {
				return err
			}
			s.cells, at = append(s.cells, cell), end
		} else {
			end := bytes.IndexByte(line[at:], s.delim)
			if end < 0 {
				end = len(line) - at
			}
			cell := line[at : at+end]
			if q := bytes.IndexByte(cell, '"'); q >= 0 {
				return s.faultAt(at+q, "a quote within a cell: quote the whole cell and double the quote")
			}
			if err := s.checkReturn(cell, at); err != nil {
				return err
			}
			s.cells, at = append(s.cells, string(cell)), at+end
		}
		if at == len(line) {
			return nil
		}
	}
}

// unquote reads the quoted cell that opens at line[open] and returns its text and the offset of the delimiter (or
// the end of the line) after it.
func (s *scanner) unquote(line []byte, open int) (string, int, error) {
	var text []byte
	for at := open + 1; ; {
		n := bytes.IndexByte(line[at:], '"')
		if n < 0 {
			return "", 0, s.faultAt(open, "a quote that is not closed")
		}
		text = append(text, line[at:at+n]...)
		at += n + 1
		if at < len(line) && line[at] == '"' { // doubled: one quote of the text
			text = append(text, '"')
			at++
			continue
		}
		end := s.skipBlanks(line, at)
		if end < len(line) && line[end] != s.delim {
			return "", 0, s.faultAt(end, "text after the closing quote of a cell: double the quotes within a cell")
		}
		return string(text), end, nil
	}
}

// skipBlanks returns the offset of the first byte from at on that is no blank.
func (s *scanner) skipBlanks(line []byte, at int) int {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') && line[at] != s.delim {
		at++
	}
	return at
}

// checkReturn refuses a carriage return within unquoted text, which starts at the given offset of the record.
func (s *scanner) checkReturn(text []byte, offset int) error {
	if at := bytes.IndexByte(text, '\r'); at >= 0 {
		return s.faultAt(offset+at, "a carriage return without a line feed: save the table with LF or CRLF line ends")
	}
	return nil
}

// faultAt is a fault at an offset of the record.
func (s *scanner) faultAt(offset int, format string, args ...any) *Error {
	before := s.raw[:offset]
	return &Error{
		File:    s.name,
		Line:    s.line + bytes.Count(before, []byte{'\n'}),
		Column:  offset - bytes.LastIndexByte(before, '\n'),
		Message: fmt.Sprintf(format, args...),
	}
}
