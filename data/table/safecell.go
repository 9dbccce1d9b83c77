package table

import "strings"

// What a spreadsheet may take for the start of a formula, also as wide as a Chinese
// character, and for the start of a cell within a cell: one of another language has
// other delimiters.
const (
	formulaStarts = "=+-@＝＋－＠"
	cellStarts    = ",;\t\r\n"
)

// SafeCell returns a cell with a ' wherever a spreadsheet would begin to read a
// formula other than a number: before =, +, -, @ at its start or after a comma,
// semicolon, tab or line end, and before a tab or carriage return at its start. All
// else stays as it is.
func SafeCell(cell string) string {
	var b strings.Builder
	done, begins := 0, true
	for i, r := range cell {
		formula := begins && strings.ContainsRune(formulaStarts, r) && !BeginsNumber(cell[i:])
		if formula || i == 0 && (r == '\t' || r == '\r') {
			b.WriteString(cell[done:i])
			b.WriteByte('\'')
			done = i
		}
		begins = strings.ContainsRune(cellStarts, r) || begins && r == '"' // which is none if the cell begins with it
	}
	if done == 0 && b.Len() == 0 {
		return cell
	}
	return b.String() + cell[done:]
}

// beginsNumber reports whether the text up to the next start of a cell is a number.
func BeginsNumber(text string) bool {
	if end := strings.IndexAny(text, cellStarts); end >= 0 {
		text = text[:end]
	}
	_, ok := ParseNumber(strings.TrimSpace(text))
	return ok
}

// makeSafe makes cells safe and reports whether that changed one.
func MakeSafe(cells []string) (changed bool) {
	for i, cell := range cells {
		if safe := SafeCell(cell); safe != cell {
			cells[i], changed = safe, true
		}
	}
	return changed
}
