// Package yamltext parses a YAML document to nodes and reports faults by line and column.
package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"go.yaml.in/yaml/v3"
)

// Fault is a fault of a text.
type Fault struct {
	Line, Column int // from 1
	Message      string
}

// Parse parses a text of one YAML document and returns its root; nil if there is none. It checks
// the number of documents, that no value lies deeper than maxDepth, and that there are no
// aliases. Values are not checked.
func Parse(text []byte, maxDepth int) (*yaml.Node, []Fault) {
	if at := unreadable(text); at >= 0 {
		return nil, []Fault{faultAt(text, at, "not a character of UTF-8 text")}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, []Fault{syntax(text, err)}
	}
	root := doc.Content[0]
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		at := root
		if err == nil {
			at = &second
		}
		return nil, []Fault{{at.Line, at.Column, "a second YAML document: want one"}}
	}
	if n := tooDeep(root, maxDepth); n != nil {
		return nil, []Fault{{n.Line, n.Column, fmt.Sprintf("more than %d values within one another", maxDepth)}}
	}
	var faults []Fault
	for _, alias := range aliases(root, nil) {
		faults = append(faults, Fault{alias.Line, alias.Column, fmt.Sprintf("*%s: aliases are not read: write the value out",
			escape.Text(alias.Value))})
	}
	if faults != nil {
		return nil, faults
	}
	return root, nil
}

// tooDeep returns a node that lies deeper than depth; nil if there is none.
func tooDeep(n *yaml.Node, depth int) *yaml.Node {
	if depth == 0 {
		return n
	}
	for _, c := range n.Content {
		if deep := tooDeep(c, depth-1); deep != nil {
			return deep
		}
	}
	return nil
}

func aliases(n *yaml.Node, found []*yaml.Node) []*yaml.Node {
	if n.Kind == yaml.AliasNode {
		return append(found, n)
	}
	for _, c := range n.Content {
		found = aliases(c, found)
	}
	return found
}

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
