package yamltext

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
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
func syntax(text []byte, err error) Fault {
	said := parserError.FindStringSubmatch(err.Error())
	text, read := whereItStops(text)
	at := read
	for range 4 {
		_, size := utf8.DecodeLastRune(text[:at])
		at -= size
	}
	if named, _ := strconv.Atoi(said[1]); named > 0 {
		for i := at; i < read; i++ {
			if line, column := Position(text, i); line == named && column == 1 {
				at = i
				break
			}
		}
	}
	return faultAt(text, min(at, len(bytes.TrimRight(text, blanks))), said[2])
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

// faultAt returns a fault at an offset of the text.
func faultAt(text []byte, at int, message string) Fault {
	line, column := Position(text, at)
	return Fault{line, column, message}
}

// breaks turns all that ends a line in YAML into line feeds.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Position returns the line and the column, from 1, of an offset.
func Position(text []byte, at int) (line, column int) {
	before := breaks.Replace(string(text[:at]))
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}
