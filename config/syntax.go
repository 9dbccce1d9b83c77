package config

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// unreadable returns the offset of the first byte that is no text; -1 if there is none.
func unreadable(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		control := r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 && r != 0x85
		if r == utf8.RuneError && size == 1 || control || r == 0xfffe || r == 0xffff || r == 0xfeff && i > 0 {
			return i
		}
		i += size
	}
	return -1
}

// parserError splits what the parser says: its line, which it seldom gets right, and
// what is wrong.
var parserError = regexp.MustCompile(`(?s)^(?:yaml: )?(?:line ([0-9]+): )?(.*)`)

// syntax is the fault of a text that the parser gave up on. The place is where it
// stopped reading, less the four characters that it reads ahead, unless it names a line
// between the two.
func (o origin) syntax(text []byte, err error) *Error {
	said := parserError.FindStringSubmatch(err.Error())
	text, read := whereItStops(text)
	at := read
	for range 4 {
		_, size := utf8.DecodeLastRune(text[:at])
		at -= size
	}
	ahead := text[at:min(read, len(text))]
	if line, _ := strconv.Atoi(said[1]); line > lineOf(text, at) && line <= lineOf(text, at)+bytes.Count(ahead, []byte("\n")) {
		at += bytes.LastIndexByte(ahead, '\n') + 1
	}
	return o.offset(text, min(at, len(bytes.TrimRight(text, blanks))), said[2])
}

const blanks = " \t\r\n"

// whereItStops feeds a text to the parser byte by byte, with room behind it to read
// ahead in, and returns it and how much was read.
func whereItStops(text []byte) ([]byte, int) {
	r := &oneByOne{text: append(bytes.TrimRight(text, blanks), "\n\n\n\n\n\n\n\n"...)}
	_ = yaml.NewDecoder(r).Decode(new(yaml.Node)) // the fault is known
	return r.text, r.read
}

// oneByOne is a reader that knows how much of it was read.
type oneByOne struct {
	text []byte
	read int
}

func (r *oneByOne) Read(to []byte) (int, error) {
	if r.read == len(r.text) {
		return 0, io.EOF
	}
	to[0] = r.text[r.read]
	r.read++
	return 1, nil
}

// offset is a fault at an offset of the text.
func (o origin) offset(text []byte, at int, message string) *Error {
	if o.file == "" {
		return &Error{Where: o.name, Message: message}
	}
	before := text[:at]
	return o.at(lineOf(text, at), utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])+1, "", message)
}

// lineOf is the line, from 1, of an offset.
func lineOf(text []byte, at int) int { return bytes.Count(text[:at], []byte("\n")) + 1 }
