package table

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// IsWord reports whether a trimmed cell can only be the level of a category: it begins with a letter and does not denote
// a number.
func IsWord(cell string) bool {
	first, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsLetter(first) && !isInfinite(cell)
}

func isInfinite(cell string) bool {
	lower := strings.ToLower(strings.TrimLeft(cell, "+-"))
	return lower == "inf" || lower == "infinity"
}

// What to do about a cell that is not a number.
const (
	OfFeature = "or ignore the column (data.ignore), or code it (data.categorical)" // if it is a word
	ofNumber  = "or list it in data.na if it marks a missing value"
	ofMark    = ofNumber + ", or code the column (data.categorical)" // if it is neither a number nor a word, in a feature
	ofTarget  = ofNumber + ", or set task: classification to predict classes"
)

// WhyNotNumber describes what is wrong with a trimmed cell that parseNumber refuses, and the remedy for a column of its kind.
func WhyNotNumber(cell, remedy string) string {
	problem := escape.Quote(cell) + " is not a plain decimal number"
	switch _, err := strconv.ParseFloat(cell, 64); {
	case isInfinite(cell):
		return escape.Quote(cell) + " is not finite"
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrRange:
		return escape.Quote(cell) + " is beyond the range of a 64-bit number"
	}
	mark := strings.IndexByte(cell, ',')
	switch _, comma := ParseComma(cell); {
	case comma && grouped(cell, mark):
		return eitherMark(cell, "comma")
	case Thousands.MatchString(cell):
		return escape.Quote(cell) + " has thousands separators: write it without them"
	case comma:
		return problem + ": is the comma a decimal point? Write a point"
	}
	if _, ok := ParseNumber(separators.Replace(cell)); ok {
		return problem + ": write it without separators"
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return problem + ": write it in decimal" // hexadecimal
	}
	if remedy == OfFeature && !IsWord(cell) {
		remedy = ofMark
	}
	return problem + ": correct it, " + remedy
}

// separators removes what separates digits.
var separators = strings.NewReplacer("_", "", ",", "", " ", "", "'", "", "\u00a0", "")

// ParseNumber reads a trimmed cell as a plain finite decimal, see ScanNumber.
func ParseNumber(cell string) (float64, bool) {
	v := ScanNumber(cell, 0, len(cell))
	return v, !math.IsNaN(v)
}

// ParseComma reads a number with a decimal comma.
func ParseComma(cell string) (float64, bool) {
	at := strings.IndexByte(cell, ',')
	if at < 0 || strings.IndexByte(cell, '.') >= 0 {
		return 0, false
	}
	return ParseNumber(cell[:at] + "." + cell[at+1:])
}

// IsMissing reports whether a trimmed cell marks a missing value: blank, NA, N/A, NaN, null or ?, in any case.
func IsMissing(cell string) bool {
	switch len(cell) {
	case 0:
		return true
	case 1:
		return cell == "?"
	case 2, 3, 4:
		lower := strings.ToLower(cell)
		return lower == "na" || lower == "n/a" || lower == "nan" || lower == "null"
	}
	return false
}

// NumberText writes a number of a column of numbers as its cell, which has the number exactly; a missing one, NaN, is blank. Numbers are
// written without an exponent where a table usually has none, from 1e-7 to below 1e21.
func NumberText(v float64) string {
	format := byte('f')
	switch size := math.Abs(v); {
	case math.IsNaN(v):
		return ""
	case size >= 1e21 || size < 1e-7 && v != 0:
		format = 'g'
	}
	return strconv.FormatFloat(v, format, -1, 64)
}

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

// BeginsNumber reports whether the text up to the next start of a cell is a number.
func BeginsNumber(text string) bool {
	if end := strings.IndexAny(text, cellStarts); end >= 0 {
		text = text[:end]
	}
	_, ok := ParseNumber(strings.TrimSpace(text))
	return ok
}

// MakeSafe makes cells safe and reports whether that changed one.
func MakeSafe(cells []string) (changed bool) {
	for i, cell := range cells {
		if safe := SafeCell(cell); safe != cell {
			cells[i], changed = safe, true
		}
	}
	return changed
}
