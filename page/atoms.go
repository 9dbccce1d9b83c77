package page

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number returns the shortest decimal that identifies v among float64s, without an exponent from 1e-9 up to 1e15.
func number(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 1e-9 && size < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// with returns a number and its unit.
func with(number, unit string) string {
	if unit == "" {
		return number
	}
	return number + " " + name(unit)
}

// value, of and signed return a number of the target, of a column, and of the target with its sign.
func (w *writer) value(v float64) string             { return with(number(v), w.page.Unit) }
func (w *writer) of(column string, v float64) string { return with(number(v), w.page.unit(column)) }
func (w *writer) signed(v float64, blank string) string {
	sign := "+"
	if math.Signbit(v) {
		sign = "-"
	}
	return sign + blank + w.value(math.Abs(v))
}

// unit returns the unit of a column.
func (p *Page) unit(column string) string {
	if i := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == column }); i >= 0 {
		return p.Columns[i].Unit
	}
	return ""
}

// reserved are the words that end a name, unless it is quoted.
var reserved = func() map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields("is not or and if IF AND THEN at per of up to in from above below as counts counted always " +
		"without all / + -") {
		all[word] = true
	}
	return all
}()

// name returns a name, level or unit as the grammar has it: in quotes unless it is plain.
func name(s string) string {
	for _, word := range strings.Split(s, " ") {
		if !plain(word) {
			return strconv.Quote(s)
		}
	}
	return s
}

// plain reports whether a word of a name needs no quotes.
func plain(word string) bool {
	odd := func(r rune) bool {
		return r == utf8.RuneError || !strconv.IsPrint(r) || strings.ContainsRune(",;:()\"\\", r)
	}
	return word != "" && !reserved[word] && !strings.ContainsAny(word[:1], "0123456789+-.") && word[len(word)-1] != '.' &&
		!strings.ContainsFunc(word, odd)
}

// token is an atom of a text, or a part of one.
type token struct {
	kind         tokenKind
	text         string // of a quoted name, without its quotes
	value        float64
	line, column int  // from 1
	first        bool // on its line
}

type tokenKind int

const (
	endToken tokenKind = iota
	wordToken
	quotedToken
	numberToken
	markToken
)

// lexeme matches a number, a mark or a word at the beginning of a text.
var lexeme = regexp.MustCompile(`^(?:([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|([,;:().+-])|([^\s,;:()"\\]+))`)

// tokens splits a text. The last token is an endToken.
func tokens(text string) ([]token, *Error) {
	var all []token
	line, start, last := 1, 0, 0 // number and first byte of the line; line of the previous token
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		t := token{line: line, column: utf8.RuneCountInString(text[start:i]) + 1, first: line != last}
		switch {
		case r == '\n':
			line, start = line+1, i+1
			fallthrough
		case unicode.IsSpace(r):
			i += n
			continue
		case r == '"':
			quoted, err := strconv.QuotedPrefix(text[i:])
			if err != nil {
				return nil, t.errorf("a name in quotes does not end on its line, or has an unknown escape")
			}
			t.kind, n = quotedToken, len(quoted)
			t.text, _ = strconv.Unquote(quoted)
		default:
			fault := t.read(text[i:])
			if fault != nil {
				return nil, fault
			}
			n = len(t.text)
		}
		all, last = append(all, t), line
		i += n
	}
	return append(all, token{line: line, column: utf8.RuneCountInString(text[start:]) + 1, first: true}), nil
}

// read reads a number, a mark or a word, with which a text begins.
func (t *token) read(text string) *Error {
	m := lexeme.FindStringSubmatch(text)
	if m == nil {
		return t.errorf("unexpected %q: a name with this character is quoted, such as \"wind, m/s\"", firstRune(text))
	}
	t.text = m[0]
	switch {
	case m[1] != "":
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return t.errorf("%s is not a finite number", m[1])
		}
		if rest := text[len(m[0]):]; !ends(strings.TrimPrefix(rest, ".")) && !strings.HasPrefix(rest, "% ") {
			return t.errorf("unexpected %q after %s: a blank separates a number and its unit, and a name that begins with a digit is quoted",
				firstRune(rest), m[1])
		}
		t.kind, t.value = numberToken, v
	case m[2] != "" && (m[2] != "." && m[2] != "+" && m[2] != "-" || ends(text[1:])):
		t.kind = markToken
	case m[2] != "":
		return t.errorf("unexpected %q: a name that begins with it is quoted", m[2])
	default:
		if t.kind = wordToken; strings.HasSuffix(t.text, ".") && ends(text[len(t.text):]) {
			t.text = strings.TrimRight(t.text, ".")
		}
	}
	return nil
}

// ends reports whether a number or a word ends before this text.
func ends(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text == "" || unicode.IsSpace(r) || strings.ContainsRune(",;:()", r)
}

func firstRune(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	return string(r)
}
