package csv

import "strings"

// findDelimiter sets the delimiter: the given one, or (for 0) that of a line sep=; before the header, as Excel writes
// and reads it, or the most frequent one. The line is skipped and returned unchanged.
func (s *source) findDelimiter(sc *scanner, given byte) (before string, err error) {
	named, line := separator(sc.raw[:sc.body])
	if line {
		if given == 0 && !strings.Contains(delimiters, named) {
			return "", sc.faultAt(0, "the line names the delimiter %s: want comma, semicolon or tab", quote(named))
		}
		before = strings.Clone(sc.raw)
		if err := s.fetchHeader(sc); err != nil {
			return "", err
		}
	}
	switch {
	case given != 0:
		sc.delim = given
	case line:
		sc.delim = named[0]
	default:
		sc.delim = mostFrequent(sc.raw)
	}
	return before, nil
}

// delimiters are all there are.
const delimiters = ",;\t"

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
	for _, b := range []byte(delimiters) {
		if count[b] > count[best] {
			best = b
		}
	}
	return best
}
