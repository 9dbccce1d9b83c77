package data

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// number reads a trimmed cell as parseNumber does. In a table that is separated by semicolons or tabs the decimal mark
// may also be a comma.
func (t *table) number(cell string) (float64, bool) {
	if v, ok := parseNumber(cell); ok || t.delim == ',' {
		return v, ok
	}
	return parseComma(cell)
}

// parseComma reads a number with a decimal comma.
func parseComma(cell string) (float64, bool) {
	at := strings.IndexByte(cell, ',')
	if at < 0 || strings.IndexByte(cell, '.') >= 0 {
		return 0, false
	}
	return parseNumber(cell[:at] + "." + cell[at+1:])
}

// decimal is what the numbers of a column show of its decimal mark: the first cell of each kind.
type decimal struct {
	point   *Error // 1.5
	comma   *Error // 1,5
	grouped *Error // 1,234: the comma may separate thousands
	small   *Error // 999: no mark, where a separator of thousands would have none either
}

var (
	grouped   = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2},[0-9]{3}$`)
	thousands = regexp.MustCompile(`^[+-]?[0-9]{1,3}([.,'’_ \x{a0}\x{2009}\x{202f}][0-9]{3})+([.,][0-9]*)?$`)
)

// see notes a cell, which is a number, of the current row of a table that is not separated by commas.
func (d *decimal) see(t *table, at int) {
	kind := &d.small
	cell := t.cells[at]
	switch mark := decimalMark(cell); {
	case mark == '.':
		kind = &d.point
	case mark == ',' && d.comma == nil && grouped.MatchString(strings.TrimSpace(cell)):
		kind = &d.grouped
	case mark == ',':
		kind = &d.comma
	default:
		if digits := strings.Trim(cell, " +-"); len(digits) > 3 || digits == "0" {
			return
		}
	}
	if *kind == nil {
		*kind = t.fault(at, "")
	}
}

// decimalMark returns the point or comma of a number; 0 if it has none.
func decimalMark(cell string) byte {
	for i := range len(cell) {
		if cell[i] == '.' || cell[i] == ',' {
			return cell[i]
		}
	}
	return 0
}

// add adds what other rows of the column show.
func (d *decimal) add(o decimal) {
	d.point, d.comma = earlier(d.point, o.point), earlier(d.comma, o.comma)
	d.grouped, d.small = earlier(d.grouped, o.grouped), earlier(d.small, o.small)
}

// earlier returns the one that is further up in the table; nil is nowhere.
func earlier(a, b *Error) *Error {
	if a == nil || b != nil && b.Line < a.Line {
		return b
	}
	return a
}

// commas reports whether the numbers have decimal commas. Points as well as commas are an *Error, and so are commas that
// may separate thousands: whole numbers below 1000 are there, and no other comma, nor has another column one (decided).
func (d *decimal) commas(decided bool) (bool, *Error) {
	first := earlier(d.comma, d.grouped)
	switch {
	case first == nil:
		return false, nil
	case d.point != nil:
		fault := *first
		if d.point.Line > first.Line {
			fault = *d.point
		}
		fault.Message = fmt.Sprintf("numbers with a point (%s) and with a comma (%s): write one decimal mark and no thousands separators",
			quote(d.point.Cell), quote(first.Cell))
		return false, &fault
	case !decided && d.comma == nil && d.small != nil:
		fault := *first
		fault.Message = whyNotNumber(strings.TrimSpace(fault.Cell))
		return false, &fault
	}
	return true, nil
}

// withCommas returns the names of the columns that have decimal commas.
func withCommas(names []string, decimals []decimal) (with []string, err error) {
	decided := slices.ContainsFunc(decimals, func(d decimal) bool { return d.comma != nil })
	for i, name := range names {
		commas, fault := decimals[i].commas(decided)
		if fault != nil {
			fault.Message = "column " + quote(name) + ": " + fault.Message
			return nil, fault
		}
		if commas {
			with = append(with, name)
		}
	}
	return with, nil
}
