package table

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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
