package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// count reads a number of rows, or of a rule.
func (in *parser) count(what string) int {
	t := in.peek()
	v := in.number(true)
	if v != float64(int(v)) || v < 0 || v > 1e15 {
		in.fail(t, "%s: want %s", t.text, what)
	}
	return int(v)
}

func (in *parser) rule() {
	in.words("Rule")
	in.count("the number of the rule")
	var r Rule
	if in.take("(") {
		in.statistics(&r)
	}
	in.words("IF")
	if !in.take("always") {
		r.Conditions = append(r.Conditions, in.condition())
		for in.take("AND") {
			r.Conditions = append(r.Conditions, in.condition())
		}
	}
	if !in.at("THEN") {
		in.want("AND, or THEN")
	}
	in.words("THEN")
	in.take("about")
	r.About = in.value()
	centre := in.centre()
	for in.at("+") || in.at("-") || in.peek().kind == numberToken {
		r.Terms = append(r.Terms, in.term(centre))
	}
	for _, c := range centre {
		if in.fault == nil && !slices.ContainsFunc(r.Terms, func(t Term) bool { return t.Level == "" && t.Column == c.column }) {
			in.fail(c.token, "no term is per %s", escape.Quote(c.column))
		}
	}
	in.page.Rules = append(in.page.Rules, r)
}

// statistics reads what a rule says about rows of the training part.
func (in *parser) statistics(r *Rule) {
	r.Rows = in.count("a number of rows")
	if in.take("of") {
		t := in.peek()
		n := in.count("a number of rows")
		if known := in.page.Samples; known != 0 && n != known {
			in.fail(t, "%d rows in all, but an earlier rule has %d", n, known)
		}
		in.page.Samples = n
	}
	in.words("rows")
	r.Counted = r.Rows > 0 && !in.at(",")
	for more := in.take(","); more; more = in.take(",") {
		switch {
		case in.take("mean"):
			r.Mean = in.value()
		case in.take("within"):
			r.Within = in.value()
			in.words("in 9 of 10")
		case in.peek().kind == numberToken:
			in.share(r)
		default:
			in.want("mean, within, or a share in percent")
		}
	}
	in.words(")")
}

// share reads the share of a class, or of targets below a quantile.
func (in *parser) share(r *Rule) {
	t := in.peek()
	r.Percent = in.number(true)
	in.words("%")
	class, below := "", in.take("below")
	if !below {
		class = in.name("the name of a class, or below")
	}
	if p := in.page; (p.Class != "" || p.Below) && (class != p.Class || below != p.Below) {
		in.fail(t, "a share of something else than in an earlier rule")
	}
	in.page.Class, in.page.Below = class, below
}

// centred is the centre of a column in a rule, and where it is written.
type centred struct {
	column string
	at     float64
	token  token
}

// centreOf returns the centre of a column, 0 without one.
func centreOf(column string, all []centred) float64 {
	if i := slices.IndexFunc(all, func(c centred) bool { return c.column == column }); i >= 0 {
		return all[i].at
	}
	return 0
}

// centre reads the centre of a rule's terms, never nil, and the words after it.
func (in *parser) centre() []centred {
	all := []centred{}
	for more := in.take("at"); more; more = in.take(",") && !in.at("without") {
		t := in.peek()
		c := in.column(t, in.name("a column"))
		if slices.ContainsFunc(all, func(o centred) bool { return o.column == c.Name }) {
			in.fail(t, "%s twice", escape.Quote(c.Name))
		}
		all = append(all, centred{c.Name, in.of(c), t})
	}
	if in.take(",") || in.at("without") {
		in.words("without the")
		if !in.take("tables") {
			in.words("terms for all rules")
		} else if in.take("and") {
			in.words("the terms for all rules")
		}
	}
	return all
}

// condition reads a condition.
func (in *parser) condition() (c Condition) {
	t := in.peek()
	c.Column = in.name("a column, or always")
	in.words("is")
	if next := in.peek(); next.kind != numberToken && !in.at("at") && !in.at("above") && !in.at("below") {
		c.Not = in.take("not")
		c.Levels = in.levels("or", "a level, a number, not, above, below, at least, or at most")
		in.column(t, c.Column, c.Levels...)
		return c
	}
	column := in.column(t, c.Column)
	if in.peek().kind == numberToken {
		low := in.of(column)
		high := low
		if in.take("to") {
			high = in.of(column)
		}
		c.Above, c.AtMost = step(before(low)), step(high)
		return c
	}
	if lower := in.at("above") || in.next+1 < len(in.tokens) && in.tokens[in.next+1].text == "least"; lower {
		if c.Above = in.border(column, "above", "least", true); !in.take(",") {
			return c
		}
	}
	c.AtMost = in.border(column, "below", "most", false)
	return c
}

// step returns a border without a ramp.
func step(at float64) *Border { return &Border{at, at, at} }

// border reads a border and its ramp: the word, or "at" and at, and a number.
func (in *parser) border(c *Column, word, at string, lower bool) *Border {
	closed := false // whether the border itself is above it
	if !in.take(word) {
		if !in.at("at") {
			in.want(word + ", or at " + at)
		}
		in.words("at " + at)
		closed = lower
	} else {
		closed = !lower
	}
	v := in.of(c)
	if closed {
		v = before(v)
	}
	b := step(v)
	if ahead := in.next + 1; in.at(",") && in.tokens[ahead].kind == wordToken && in.tokens[ahead].text == "from" {
		in.words(", from")
		b.From = in.of(c)
		in.words("to")
		b.To = in.of(c)
		in.words("in proportion")
	}
	return b
}

// levels reads levels with a word between them.
func (in *parser) levels(between, what string) []string {
	all := []string{in.name(what)}
	for in.take(between) {
		all = append(all, in.name("a level"))
	}
	return all
}

// term reads a term: of a rule with its centre or, for nil, of all rules, with a centre of its own.
func (in *parser) term(centre []centred) (t Term) {
	v := in.signed()
	if in.take("if") {
		at := in.peek()
		t.Column = in.name("a column")
		in.words("is")
		t.Level, t.Yes = in.name("a level"), v
		if in.column(at, t.Column, t.Level); in.take(",") {
			t.No = in.signed()
			in.words("if not")
		}
		return t
	}
	if !in.at("per") {
		in.want("per, or if")
	}
	in.words("per")
	t.Slope = v
	unit, at := in.peek(), in.peek()
	t.Column = in.name("a column, or a unit")
	read, named := t.Column, in.take("of")
	if named {
		at = in.peek()
		t.Column = in.name("a column")
	}
	c := in.column(at, t.Column)
	if named {
		in.same(unit, &c.Unit, read)
	}
	if in.take("from") {
		from := in.of(c)
		t.From = &from
		in.words("up")
	}
	if t.From != nil && in.at("to") || t.From == nil && in.take("up") {
		in.words("to")
		to := in.of(c)
		t.To = &to
	}
	if t.At = centreOf(t.Column, centre); centre == nil && in.take(",") {
		in.words("counted from")
		t.At = in.of(c)
	}
	return t
}

// entry reads an entry of a table: a number with its sign or, of a factor, after an x.
func (in *parser) entry() float64 {
	if !in.page.Factors {
		return in.signed()
	}
	t := in.peek()
	after, ok := strings.CutPrefix(t.text, "x")
	m := lexeme.FindStringSubmatch(after)
	v, err := strconv.ParseFloat(after, 64)
	if !ok || err != nil || t.kind != wordToken || m[1] != after {
		in.want("a factor, such as x1.2")
		return 0
	}
	in.next++
	return v
}

func (in *parser) table() {
	in.words("Table")
	at := in.peek()
	t := Table{Column: in.name("a column")}
	if in.take("(") {
		in.words("between entries in proportion )")
	}
	numbers := in.peek().kind == numberToken
	others := false // the last entry
	for more := true; more; more = in.take(",") {
		switch {
		case others:
			in.want("nothing after the entry of all others")
		case numbers:
			t.Knots = append(t.Knots, in.of(in.column(at, t.Column)))
		case in.take("all"):
			in.words("others")
			others = true
		default:
			group := in.levels("/", "a level, or all others")
			in.column(at, t.Column, group...)
			t.Groups = append(t.Groups, group)
		}
		in.words(":")
		t.Entries = append(t.Entries, in.entry())
	}
	if !numbers && !others {
		in.want("a comma, and the entry of all others")
	}
	in.page.Tables = append(in.page.Tables, t)
}
