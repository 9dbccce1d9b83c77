package csv

import (
	"io"
	"strings"
)

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
