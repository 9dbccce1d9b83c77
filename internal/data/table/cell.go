package table

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
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
	return strings.TrimSuffix(problem+": correct it, "+remedy, ", ")
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

// Decimal is the evidence of the numbers of a column about its decimal mark: the first cell of each kind.
type Decimal struct {
	Point  *Error // 1.5
	Points *Error // 1.234: the point may separate thousands
	Comma  *Error // 1,5
	Commas *Error // 1,234: the comma may separate thousands
	Small  *Error // 999: no mark, where a separator of thousands would have none either
}

// Thousands matches numbers with separators of thousands.
var Thousands = regexp.MustCompile(`^[+-]?[0-9]{1,3}([.,'’_ \x{a0}\x{2009}\x{202f}][0-9]{3})+([.,][0-9]*)?$`)

// grouped reports whether the only mark of a number, which is at an offset, may separate thousands.
func grouped(cell string, mark int) bool {
	whole := strings.TrimLeft(cell[:mark], " +-")
	return len(strings.TrimRight(cell[mark:], " ")) == 4 && 1 <= len(whole) && len(whole) <= 3 && whole[0] != '0'
}

// decimalMark returns the offset of the point or comma of a number; -1 if it has none.
func decimalMark(cell string) int {
	for i := range len(cell) {
		if cell[i] == '.' || cell[i] == ',' {
			return i
		}
	}
	return -1
}

// follow adds the evidence of rows further down in the column.
func (d *Decimal) follow(later Decimal) {
	d.Point, d.Points = cmp.Or(d.Point, later.Point), cmp.Or(d.Points, later.Points)
	d.Comma, d.Commas = cmp.Or(d.Comma, later.Comma), cmp.Or(d.Commas, later.Commas)
	d.Small = cmp.Or(d.Small, later.Small)
}

// add adds the evidence of other rows of the column.
func (d *Decimal) add(o Decimal) {
	d.Point, d.Points = earlier(d.Point, o.Point), earlier(d.Points, o.Points)
	d.Comma, d.Commas = earlier(d.Comma, o.Comma), earlier(d.Commas, o.Commas)
	d.Small = earlier(d.Small, o.Small)
}

// earlier returns the one further up in the table; nil if both are.
func earlier(a, b *Error) *Error {
	if a == nil || b != nil && b.Line < a.Line {
		return b
	}
	return a
}

// HasCommas reports whether the numbers have decimal commas. Points as well as commas are an *Error. So are marks that may
// all separate thousands: commas beside whole numbers below 1000, unless a column of the table certainly has
// decimal commas, and points, if one has and none certainly has decimal points.
func (d *Decimal) HasCommas(content sureMarks) (bool, *Error) {
	comma, point := earlier(d.Comma, d.Commas), earlier(d.Point, d.Points)
	var fault Error
	switch {
	case comma != nil && point != nil:
		fault = *comma
		if point.Line > comma.Line {
			fault = *point
		}
		fault.Message = fmt.Sprintf("numbers with a point (%s) and with a comma (%s): write one decimal mark and no thousands separators",
			escape.Quote(point.Cell), escape.Quote(comma.Cell))
	case d.Comma == nil && d.Commas != nil && d.Small != nil && !content.commas:
		fault = *d.Commas
		fault.Message = eitherMark(strings.TrimSpace(fault.Cell), "comma")
	case d.Point == nil && d.Points != nil && content.commas && !content.points:
		fault = *d.Points
		fault.Message = eitherMark(strings.TrimSpace(fault.Cell), "point")
	default:
		return comma != nil, nil
	}
	return false, &fault
}

// eitherMark returns the message that the mark of a number is ambiguous.
func eitherMark(cell, mark string) string {
	return fmt.Sprintf("%s has a thousands separator or a decimal %s: write it without a separator, or with the decimal mark of the table",
		escape.Quote(cell), mark)
}

// sureMarks reports whether columns of a table have commas, and points, that cannot be thousands separators.
type sureMarks struct{ commas, points bool }

func SureMarksOf(decimals []Decimal) (sure sureMarks) {
	for _, d := range decimals {
		sure.commas = sure.commas || d.Comma != nil
		sure.points = sure.points || d.Point != nil
	}
	return sure
}

// WithCommas returns the names of the columns that have decimal commas.
func WithCommas(names []string, decimals []Decimal) (with []string, err error) {
	sure := SureMarksOf(decimals)
	for i, name := range names {
		commas, fault := decimals[i].HasCommas(sure)
		if fault != nil {
			fault.Message = "column " + escape.Quote(name) + ": " + fault.Message
			return nil, fault
		}
		if commas {
			with = append(with, name)
		}
	}
	return with, nil
}

// Marks is what a Reader has seen of the decimal marks of its columns. Of a table that is read in parts, the marks of all parts
// together say which columns have decimal commas. They can be encoded by encoding/json and encoding/gob. The zero value is of no rows.
type Marks struct {
	Names    []string  // [K], of the columns
	Decimals []Decimal // [K]
}

// Add returns the marks of the rows of both, which are of the same schema.
func (m Marks) Add(o Marks) Marks {
	if m.Names == nil {
		return o
	}
	sum := Marks{m.Names, slices.Clone(m.Decimals)}
	for i, d := range o.Decimals {
		sum.Decimals[i].add(d)
	}
	return sum
}

// Commas returns the columns whose numbers have decimal commas. A column with points as well, or with commas that may
// separate thousands, is an *Error.
func (m Marks) Commas() ([]string, error) { return WithCommas(m.Names, m.Decimals) }
