package data

import (
	"encoding/csv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoter writes records as encoding/csv does: a cell is quoted where it must be, and only there.
type quoter struct {
	text strings.Builder
	csv  *csv.Writer
}

func newQuoter(delim byte) *quoter {
	q := &quoter{}
	q.csv = csv.NewWriter(&q.text)
	q.csv.Comma = rune(delim)
	return q
}

// record returns the cells of the current row of a table, safe or as they are, as a record without line end: the row as
// it stands if no cell was changed, is quoted or should be.
func (q *quoter) record(t *table, safe bool) string {
	line := t.raw[:t.body]
	changed := safe && makeSafe(t.cells)
	if !changed && t.bare(line) {
		return line
	}
	q.text.Reset()
	_ = q.csv.Write(t.cells) // a strings.Builder does not fail
	q.csv.Flush()
	return strings.TrimSuffix(q.text.String(), "\n")
}

// bare tells whether the row has no quotes and needs none.
func (t *table) bare(line string) bool {
	if t.block.quotes && strings.Contains(line, `"`) {
		return false
	}
	for _, cell := range t.cells {
		if cell == "" || ' ' < cell[0] && cell[0] < utf8.RuneSelf && cell[0] != '\\' {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(cell); unicode.IsSpace(first) || cell == `\.` {
			return false
		}
	}
	return true
}
