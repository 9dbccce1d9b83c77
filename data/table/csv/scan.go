package csv

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// scanner reads the records of a piece of delimited text (RFC 4180) one at a time. It differs from encoding/csv in
// what untrusted tables need: it keeps the raw record, allows blanks around a quoted cell,
// bounds the memory, and locates NUL bytes, lone CRs and the quote that is not closed. Empty lines are skipped.
//
// fetch finds the next record, raw; splitPlain or split cuts it into cells.
type scanner struct {
	name  string // of the table, for errors
	delim byte
	piece piece
	at    int // offset of the next record in the piece

	plain table.Splitter // of the piece
	seek  bool           // plain does not stand at the current record
	ends  []int          // of the cells of a record that plain splits, in the piece

	line  int      // line of the record's first byte, from 1
	lines int      // line ends read
	raw   string   // the record with its line end
	body  int      // bytes of raw without the line end
	cells []string // unquoted, not trimmed
	start []int    // offset of each cell in raw
}

// open begins a piece.
func (s *scanner) open(p piece) {
	s.piece, s.at, s.lines = p, 0, p.lines
	s.plain, s.seek = table.NewSplitter(p.text, s.delim), false
}

// rest is what is left of the piece.
func (s *scanner) rest() piece {
	p := s.piece
	p.text, p.lines = p.text[s.at:], s.lines
	return p
}

// hold makes a record of a table the current one.
func (s *scanner) hold(raw string) {
	s.raw, s.body = raw, len(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r"))
	s.piece = newPiece([]byte(raw), 0)
}

// fetch finds the next record that is not empty; io.EOF after the last.
func (s *scanner) fetch() error {
	for {
		if err := s.gather(); err != nil {
			return err
		}
		s.body = len(strings.TrimSuffix(strings.TrimSuffix(s.raw, "\n"), "\r"))
		if s.body > 0 {
			break
		}
	}
	if s.piece.nuls {
		if at := strings.IndexByte(s.raw, 0); at >= 0 {
			return s.faultAt(at, "a NUL byte: the table is damaged, or UTF-16 (then save it as UTF-8)")
		}
	}
	return nil
}

// gather takes lines until the quotes are even in number: within a quoted cell, a line end is text.
func (s *scanner) gather() error {
	rest := s.piece.text[s.at:]
	if rest == "" {
		return io.EOF
	}
	s.line = s.lines + 1
	quotes, end := 0, 0
	for whole := false; !whole; {
		n := strings.IndexByte(rest[end:], '\n') + 1
		if n > 0 {
			s.lines++
		} else {
			n = len(rest) - end
		}
		if s.piece.quotes {
			quotes += strings.Count(rest[end:end+n], `"`)
		}
		end += n
		whole = quotes%2 == 0 || end == len(rest)
	}
	s.raw = rest[:end]
	s.at += end
	if len(s.raw) > table.MaxRow {
		if quotes%2 == 1 {
			return s.faultAt(strings.LastIndexByte(s.raw, '"'), "a quote that is not closed within %d MiB", table.MaxRow>>20)
		}
		return s.faultAt(0, "a row longer than %d MiB: are the line ends missing?", table.MaxRow>>20)
	}
	return nil
}

// splitPlain splits a record without quotes into a row of the columns. It reports false, and has done nothing that matters,
// for one that needs split: it has quotes, or something is wrong with it.
func (s *scanner) splitPlain(columns []table.Values, row int) bool {
	line := s.raw[:s.body]
	if s.piece.quotes && strings.IndexByte(line, '"') >= 0 || s.piece.returns && strings.IndexByte(line, '\r') >= 0 {
		s.seek = true
		return false
	}
	text, at := s.piece.text, s.at-len(s.raw)
	if s.seek {
		s.plain.Seek(at)
	}
	s.ends = slices.Grow(s.ends[:0], len(columns))[:len(columns)]
	if s.seek = !s.plain.Split(s.ends, at+s.body); s.seek {
		return false
	}
	for i, end := range s.ends {
		column := &columns[i]
		column.Spans[row] = table.Span{From: int32(at), To: int32(end)}
		column.Parsed[row] = table.ScanNumber(text, at, end)
		at = end + 1
	}
	return true
}

// split splits the record into cells, [table.MaxColumns] at most.
func (s *scanner) split() error {
	s.cells, s.start = s.cells[:0], s.start[:0]
	line := s.raw[:s.body]
	for at := 0; ; at++ {
		if len(s.cells) == table.MaxColumns {
			return s.faultAt(at, "more than %d columns: leave some out, or exchange rows and columns", table.MaxColumns)
		}
		s.start = append(s.start, at)
		if open := s.skipBlanks(line, at); open < len(line) && line[open] == '"' {
			cell, end, err := s.unquote(line, open)
			if err != nil {
				return err
			}
			s.cells, at = append(s.cells, cell), end
		} else {
			end := strings.IndexByte(line[at:], s.delim)
			if end < 0 {
				end = len(line) - at
			}
			cell := line[at : at+end]
			if q := strings.IndexByte(cell, '"'); q >= 0 {
				return s.faultAt(at+q, "a quote within a cell: quote the whole cell and double the quote")
			}
			if err := s.checkReturn(cell, at); err != nil {
				return err
			}
			s.cells, at = append(s.cells, cell), at+end
		}
		if at == len(line) {
			return nil
		}
	}
}

// unquote reads the quoted cell that opens at line[open] and returns its text and the offset of the delimiter (or
// the end of the line) after it.
func (s *scanner) unquote(line string, open int) (string, int, error) {
	for at, doubled := open+1, false; ; doubled = true {
		n := strings.IndexByte(line[at:], '"')
		if n < 0 {
			return "", 0, s.faultAt(open, "a quote that is not closed")
		}
		at += n + 1
		if at < len(line) && line[at] == '"' {
			at++
			continue
		}
		end := s.skipBlanks(line, at)
		if end < len(line) && line[end] != s.delim {
			return "", 0, s.faultAt(end, "text after the closing quote of a cell: double the quotes within a cell")
		}
		text := line[open+1 : at-1]
		if doubled {
			text = strings.ReplaceAll(text, `""`, `"`)
		}
		return text, end, nil
	}
}

// skipBlanks returns the offset of the first byte from at on that is no blank.
func (s *scanner) skipBlanks(line string, at int) int {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') && line[at] != s.delim {
		at++
	}
	return at
}

// checkReturn refuses a carriage return within unquoted text, which starts at the given offset of the record.
func (s *scanner) checkReturn(text string, offset int) error {
	if !s.piece.returns {
		return nil
	}
	if at := strings.IndexByte(text, '\r'); at >= 0 {
		return s.faultAt(offset+at, "a carriage return without a line feed: save the table with LF or CRLF line ends")
	}
	return nil
}

// faultAt is a fault at an offset of the record.
func (s *scanner) faultAt(offset int, format string, args ...any) *table.Error {
	at := s.place(offset)
	return &table.Error{File: s.name, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}

// places returns where the cells of a record that split has split begin, in the memory of dst.
func (s *scanner) places(dst []table.Place) []table.Place {
	at, offset := s.place(0), 0
	dst = slices.Grow(dst[:0], len(s.start))
	for _, start := range s.start {
		at, offset = after(at, s.raw[offset:start]), start
		dst = append(dst, at)
	}
	return dst
}

// place returns where an offset of the record is.
func (s *scanner) place(offset int) table.Place {
	return after(table.Place{Line: s.line, Column: 1}, s.raw[:offset])
}

// after returns the place behind a text that begins at p.
func after(p table.Place, text string) table.Place {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return table.Place{Line: p.Line + strings.Count(text, "\n"), Column: len(text) - i}
	}
	return table.Place{Line: p.Line, Column: p.Column + len(text)}
}

// quote quotes s for a message.
func quote(s string) string { return escape.Quote(s) }
