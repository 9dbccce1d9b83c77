package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Error is a fault in the text of a page.
type Error struct {
	Line, Column int // from 1
	Message      string
}

// Error returns the place and the message.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

func (t token) errorf(format string, a ...any) *Error {
	return &Error{t.line, t.column, fmt.Sprintf(format, a...)}
}

// maxText is the largest size of a text, in bytes.
const maxText = 1 << 16

// Parse reads the text of a page, as [Page.String] writes it or as a person does: a line may break anywhere except within a name and
// between a number and its unit. What rules say about rows of the training part, the ranges of columns, and the limits of the value may be
// absent. Columns are in the order in which the page mentions them, with the levels that it mentions.
//
// The error is an [Error] of the first fault, or that of [Page.Validate].
func Parse(text string) (*Page, error) {
	all, err := ParseAll(text)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, fmt.Errorf("%d pages: want one", len(all))
	}
	return all[0], nil
}

// ParseAll reads the text of one or several pages, one after another.
func ParseAll(text string) ([]*Page, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%d bytes: a page has at most %d", len(text), maxText)
	}
	tokens, fault := tokens(text)
	if fault != nil {
		return nil, fault
	}
	in := &parser{tokens: tokens}
	var all []*Page
	for all == nil || in.another() {
		all = append(all, in.read())
	}
	if t := in.peek(); t.kind != endToken {
		in.want("Rule, Table, For all rules, In formulas and tables, A missing, or No value, in this order")
	}
	if in.fault != nil {
		return nil, in.fault
	}
	for _, p := range all {
		if err := p.Validate(); err != nil {
			if len(all) > 1 {
				err = fmt.Errorf("page of %s: %w", escape.Quote(p.Target), err)
			}
			return nil, err
		}
	}
	return all, nil
}

// another reports whether another page begins.
func (in *parser) another() bool {
	next := in.next + 1
	for in.tokens[in.next].kind == wordToken && in.tokens[next].kind == wordToken && !reserved[in.tokens[next].text] {
		next++
	}
	for _, word := range []string{"is", "the", "value"} {
		if next >= len(in.tokens) || in.tokens[next].text != word {
			return false
		}
		next++
	}
	return true
}

// read reads a page.
func (in *parser) read() *Page {
	in.page = &Page{}
	in.header()
	for in.at("Rule") {
		in.rule()
	}
	for in.at("Table") {
		in.table()
	}
	if in.at("For") {
		in.words("For all rules :")
		in.page.Terms = append(in.page.Terms, in.term(nil))
		for in.take(";") {
			in.page.Terms = append(in.page.Terms, in.term(nil))
		}
	}
	in.closing()
	return in.page
}

// parser reads tokens. After a fault it reads only the last one, the end.
type parser struct {
	tokens []token
	next   int
	fault  *Error
	page   *Page
}

func (in *parser) peek() token { return in.tokens[in.next] }

// fail notes the first fault, at a token.
func (in *parser) fail(t token, format string, a ...any) {
	if in.fault == nil {
		in.fault = t.errorf(format, a...)
	}
	in.next = len(in.tokens) - 1
}

// want fails at the next token, with what is allowed.
func (in *parser) want(what string) {
	t := in.peek()
	if t.kind == endToken {
		in.fail(t, "the text ends too early: want %s", what)
		return
	}
	hint := ""
	if t.kind == wordToken && reserved[t.text] {
		hint = "; a name with this word is quoted"
	}
	in.fail(t, "unexpected %s: want %s%s", escape.Quote(t.text), what, hint)
}

// at reports whether a word or a mark is next.
func (in *parser) at(text string) bool {
	t := in.peek()
	return (t.kind == wordToken || t.kind == markToken) && t.text == text
}

// take consumes the word or mark if it is next.
func (in *parser) take(text string) bool {
	if !in.at(text) {
		return false
	}
	in.next++
	return true
}

// words consumes words and marks that must come.
func (in *parser) words(phrase string) {
	for _, word := range strings.Fields(phrase) {
		if t := in.peek(); t.kind == numberToken && t.text == word {
			in.next++
		} else if !in.take(word) {
			in.want(escape.Quote(word))
			return
		}
	}
}

// name reads a name: in quotes, or words of one line.
func (in *parser) name(what string) string {
	t := in.peek()
	if t.kind == quotedToken {
		in.next++
		return t.text
	}
	if t.kind != wordToken || reserved[t.text] {
		in.want(what)
		return ""
	}
	words := []string{t.text}
	for in.next++; ; in.next++ {
		t := in.peek()
		if t.kind != wordToken || t.first || reserved[t.text] {
			return strings.Join(words, " ")
		}
		words = append(words, t.text)
	}
}

// number reads a number, with a sign only if it may be signed.
func (in *parser) number(signed bool) float64 {
	t := in.peek()
	switch {
	case t.kind != numberToken:
		in.want("a number")
	case !signed && strings.ContainsAny(t.text[:1], "+-"):
		in.fail(t, "%s after a sign: want a number without one", t.text)
	default:
		in.next++
	}
	return t.value
}

// unit reads the unit after a number, if there is one, which must equal that of earlier numbers.
func (in *parser) unit(unit *string) {
	t := in.peek()
	if t.first || t.kind != quotedToken && (t.kind != wordToken || reserved[t.text]) {
		return
	}
	in.same(t, unit, in.name("a unit"))
}

// same notes a unit.
func (in *parser) same(t token, unit *string, read string) {
	switch *unit {
	case "", read:
		*unit = read
	default:
		in.fail(t, "unit %s, but an earlier number has %s", escape.Quote(read), escape.Quote(*unit))
	}
}

// value reads a number of the target.
func (in *parser) value() float64 {
	v := in.number(true)
	in.unit(&in.page.Unit)
	return v
}

// of reads a number of a column.
func (in *parser) of(c *Column) float64 {
	v := in.number(true)
	in.unit(&c.Unit)
	return v
}

// signed reads a number of the target with its sign, with or without a blank between them.
func (in *parser) signed() float64 {
	t, sign := in.peek(), 1.0
	switch {
	case in.take("-"):
		sign = -1
	case in.take("+"):
	case t.kind == numberToken && strings.ContainsAny(t.text[:1], "+-"):
		return in.value()
	default:
		in.want("+ or -, and a number")
	}
	v := sign * in.number(false)
	in.unit(&in.page.Unit)
	return v
}

// column returns a column of numbers or, with levels, a category. Its earlier uses must agree, except that numbers may have the level of
// missing cells, see [Column.Own]. The pointer is valid until the next
// call.
func (in *parser) column(t token, name string, levels ...string) *Column {
	columns := &in.page.Columns
	i := slices.IndexFunc(*columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		i = len(*columns)
		*columns = append(*columns, Column{Name: name})
		if levels != nil {
			(*columns)[i].Levels = []string{}
		}
	}
	c := &(*columns)[i]
	missing := []string{MissingLevel}
	if c.Own = c.Own || levels == nil && slices.Equal(c.Levels, missing) || slices.Equal(levels, missing) && c.Levels == nil; c.Own {
		if c.Levels = nil; levels == nil || slices.Equal(levels, missing) {
			return c
		}
	}
	if in.fault == nil && (c.Levels != nil) != (levels != nil) {
		in.fail(t, "%s has levels in one place, and numbers in another: a level that looks like a number is quoted", escape.Quote(name))
	}
	for _, level := range levels {
		if !slices.Contains(c.Levels, level) {
			c.Levels = append(c.Levels, level)
		}
	}
	return c
}

func (in *parser) header() {
	in.page.Target = in.name("the name of the target")
	in.words("is the value of the one rule whose IF holds")
	if in.take(",") && !in.at("plus") && !in.at("times") {
		if in.words("or of several in proportion"); !in.take(",") {
			in.words(".")
			return
		}
	}
	if in.page.Factors = in.take("times"); in.page.Factors {
		in.words("the factors of the tables")
	} else if in.at("plus") {
		in.words("plus the entries of the tables")
	}
	in.words(".")
}

// closing reads the ranges of columns and the limits of the value, if the text has them.
func (in *parser) closing() {
	if in.at("In") {
		in.words("In formulas and tables ,")
		limited := in.page.inFormulas()
		for more := true; more; more = in.take(";") {
			t := in.peek()
			c := in.column(t, in.name("a column"))
			switch {
			case in.fault != nil:
			case !slices.Contains(limited, c.Name):
				in.fail(t, "no term and no table has numbers of %s", escape.Quote(c.Name))
			case c.Low < c.High:
				in.fail(t, "%s twice", escape.Quote(c.Name))
			}
			in.words("counts as at least")
			c.Low = in.of(c)
			in.words("and at most")
			if c.High = in.of(c); !(c.Low < c.High) {
				in.fail(t, "%s from %v to %v: want a range", escape.Quote(c.Name), c.Low, c.High)
			}
		}
		in.words(".")
	}
	if in.at("A") {
		in.words("A missing")
		in.missing()
		for in.take(";") {
			in.words("a missing")
			in.missing()
		}
		in.words(".")
	}
	if t := in.peek(); in.at("No") {
		in.words("No value is below")
		in.page.Low = in.value()
		in.words("or above")
		in.page.High = in.value()
		if in.words("."); !(in.page.Low < in.page.High) {
			in.fail(t, "from %v to %v: want a range", in.page.Low, in.page.High)
		}
	}
}

// missing reads what a missing cell counts as.
func (in *parser) missing() {
	t, of := in.peek(), in.name("a column")
	in.words("counts as")
	var fill Fill
	switch next := in.peek(); {
	case next.kind == numberToken || next.kind == markToken:
		fill.Number = in.of(in.column(t, of))
	case in.at("none") && in.tokens[in.next+1].text == "of":
		in.words("none of its levels")
		in.column(t, of, []string{}...)
	default:
		fill.Level = in.name("a number, a level, or none of its levels")
		in.column(t, of, fill.Level)
	}
	for i := range in.page.Columns {
		if c := &in.page.Columns[i]; c.Name == of {
			c.Missing = &fill
		}
	}
}

// before returns the float64 before v: x is at least v if it is above this.
func before(v float64) float64 { return math.Nextafter(v, math.Inf(-1)) }
