package data

import (
	"io"
	"strings"
)

// delimiters are the values of the option Delimiter. The empty value and "auto" mean the delimiter that occurs
// most in the header outside quotes.
var delimiters = map[string]byte{
	"": 0, "auto": 0,
	"comma": ',', ",": ',',
	"semicolon": ';', ";": ';',
	"tab": '\t', "\t": '\t', `\t`: '\t',
}

// fetchHeader fetches the header record.
func (t *table) fetchHeader() error {
	if err := t.fetch(); err == io.EOF {
		return &Error{File: t.name, Line: 1, Message: "the table is empty: want a header row and data rows"}
	} else if err != nil {
		return err
	}
	return nil
}

// findDelimiter sets the delimiter: the given one, or (for 0) that of a line sep=; before the header, as Excel writes
// and reads it, or the most frequent one. The line is skipped.
func (t *table) findDelimiter(given byte) error {
	named, line := separator(t.raw[:t.body])
	if line {
		if given == 0 && delimiters[named] == 0 {
			return t.faultAt(0, "the line names the delimiter %s: want comma, semicolon or tab", quote(named))
		}
		t.head = strings.Clone(t.raw)
		if err := t.fetchHeader(); err != nil {
			return err
		}
	}
	switch {
	case given != 0:
		t.delim = given
	case line:
		t.delim = delimiters[named]
	default:
		t.delim = mostFrequent(t.raw)
	}
	return nil
}

// separator returns the delimiter that a line sep=; names.
func separator(line string) (named string, ok bool) {
	line = strings.Trim(line, `"`)
	if len(line) < 5 || !strings.EqualFold(line[:4], "sep=") || len([]rune(line[4:])) != 1 {
		return "", false
	}
	return line[4:], true
}

// mostFrequent returns the one of comma, semicolon and tab that occurs most outside quotes; comma when none does.
func mostFrequent(header string) byte {
	count := map[byte]int{}
	quoted := false
	for _, b := range []byte(header) {
		switch {
		case b == '"':
			quoted = !quoted
		case !quoted:
			count[b]++
		}
	}
	best := byte(',')
	for _, b := range []byte{';', '\t'} {
		if count[b] > count[best] {
			best = b
		}
	}
	return best
}
