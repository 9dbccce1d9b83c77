package page

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// textColumns is the largest width of the lines of a page's text, unless a single name is longer.
const textColumns = 100

// String returns the page as text, which [Parse] reads back; docs/reading-rules.md has its grammar. Numbers are the shortest that
// identify a float64, so that what is printed is what is computed. Text that controls a terminal is escaped within quoted names.
func (p *Page) String() string {
	w := &writer{page: p}
	w.header()
	for i := range p.Rules {
		w.rule(i)
	}
	for _, t := range p.Tables {
		w.table(t)
	}
	if len(p.Terms) > 0 {
		w.line("\n", "  ")
		w.words("For all rules:")
		for i, t := range p.Terms {
			w.term(t, true)
			if i < len(p.Terms)-1 {
				w.behind(";")
			}
		}
	}
	w.closing()
	return w.text.String() + strings.Join(w.atoms, " ") + "\n"
}

// writer lays out a page in lines that break between atoms: words, quoted names, and numbers with their units.
type writer struct {
	page   *Page
	text   strings.Builder
	atoms  []string // of the line so far
	width  int      // of the line so far
	indent string   // of the lines that continue it
}

// line begins a line with a lead, such as "  IF  ", or, if that is "\n", leaves a line empty and begins the next.
func (w *writer) line(lead, indent string) {
	w.text.WriteString(strings.Join(w.atoms, " ") + "\n")
	w.atoms, w.width, w.indent = nil, -1, indent
	if lead == "\n" {
		w.text.WriteString(lead)
	} else if lead != "" {
		w.atoms, w.width = []string{lead}, len(lead)
	}
}

// add appends atoms.
func (w *writer) add(atoms ...string) {
	for _, a := range atoms {
		n := utf8.RuneCountInString(a)
		if len(w.atoms) > 0 && w.width+1+n+2 > textColumns { // two more may follow: ")."
			w.line(w.indent[:max(0, len(w.indent)-1)], w.indent)
		}
		w.atoms, w.width = append(w.atoms, a), w.width+1+n
	}
}

// words appends the words of a phrase.
func (w *writer) words(phrase string) { w.add(strings.Fields(phrase)...) }

// behind appends punctuation to the last atom.
func (w *writer) behind(mark string) {
	w.atoms[len(w.atoms)-1] += mark
	w.width += len(mark)
}

func (w *writer) header() {
	w.width, w.indent = -1, "  "
	w.add(targetName(w.page.Target))
	w.words("is the value of the one rule whose IF holds")
	if w.page.Ramped() {
		w.behind(",")
		w.words("or of several in proportion")
	}
	if w.page.Factors {
		w.behind(",")
		w.words("times the factors of the tables")
	} else if len(w.page.Tables) > 0 {
		w.behind(",")
		w.words("plus the entries of the tables")
	}
	w.behind(".")
}

// targetName returns the name with which a page begins, in quotes if another paragraph of a page may begin with it.
func targetName(s string) string {
	switch first, _, _ := strings.Cut(s, " "); first {
	case "Rule", "Table", "For", "In", "A", "No":
		return strconv.Quote(s)
	}
	return name(s)
}

// Ramped reports whether a border is a ramp.
func (p *Page) Ramped() bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool {
		return slices.ContainsFunc(r.Conditions, func(c Condition) bool {
			return c.Above != nil && c.Above.From < c.Above.To || c.AtMost != nil && c.AtMost.From < c.AtMost.To
		})
	})
}

func (w *writer) rule(i int) {
	r := &w.page.Rules[i]
	w.line("\n", "    ")
	w.add("Rule", strconv.Itoa(i+1))
	w.statistics(r)
	if len(r.Conditions) == 0 {
		w.line("  IF  ", "       ")
		w.add("always")
	}
	for k, c := range r.Conditions {
		lead := "  AND "
		if k == 0 {
			lead = "  IF  "
		}
		w.line(lead, "         ")
		w.condition(c)
	}
	w.line("  THEN", "         ")
	rest := w.page.rest()
	if rest == "" { // with more, it may be far from the mean of the rule's rows
		w.add("about")
	}
	w.add(w.value(r.About))
	lead := "at"
	for _, t := range r.Terms {
		if t.Level == "" {
			if lead == "" {
				w.behind(",")
			} else {
				w.add(lead)
			}
			w.add(name(t.Column), w.of(t.Column, t.At))
			lead = ""
		}
	}
	if rest != "" {
		w.behind(",")
		w.words("without " + rest)
	}
	for _, t := range r.Terms {
		w.line("        ", "           ")
		w.term(t, false)
	}
}

// rest names what adds to a rule's value, or multiplies it; empty if nothing does.
func (p *Page) rest() string {
	var parts []string
	if len(p.Tables) > 0 {
		parts = append(parts, "the tables")
	}
	if len(p.Terms) > 0 {
		parts = append(parts, "the terms for all rules")
	}
	return strings.Join(parts, " and ")
}

// statistics appends what the rule says about the rows of the training part.
func (w *writer) statistics(r *Rule) {
	if r.Rows == 0 && w.page.Samples == 0 {
		return
	}
	w.add("(" + strconv.Itoa(r.Rows))
	if w.page.Samples > 0 {
		w.add("of", strconv.Itoa(w.page.Samples))
	}
	w.add("rows")
	switch percent := number(r.Percent) + "%"; {
	case !r.Described():
	case w.page.Class != "":
		w.behind(",")
		w.add(percent, name(w.page.Class))
	case w.page.Below:
		w.behind(",")
		w.add("mean", w.value(r.Mean)+",", percent, "below")
	default:
		w.behind(",")
		w.add("mean", w.value(r.Mean)+",", "within", w.value(r.Within), "in", "9", "of", "10")
	}
	w.behind(")")
}

// Described reports whether more is known of the rows of the rule than their number.
func (r *Rule) Described() bool {
	return r.Rows > 0 && !(r.Counted && r.Mean == 0 && r.Within == 0 && r.Percent == 0)
}

func (w *writer) condition(c Condition) {
	w.add(name(c.Column), "is")
	if c.Not {
		w.add("not")
	}
	for i, level := range c.Levels {
		if i > 0 {
			w.add("or")
		}
		w.add(name(level))
	}
	if c.Above == nil && c.AtMost == nil {
		return
	}
	if c.Above != nil && c.AtMost != nil && c.Above.From == c.Above.To && c.AtMost.From == c.AtMost.To {
		if low, after := behind(c.Above.At); after {
			if w.add(w.of(c.Column, low)); low != c.AtMost.At {
				w.add("to", w.of(c.Column, c.AtMost.At))
			}
			return
		}
	}
	for i, b := range []*Border{c.Above, c.AtMost} {
		if b == nil {
			continue
		}
		if i == 1 && c.Above != nil {
			w.behind(",")
		}
		words, at := []string{"above", "at most"}[i], b.At
		if next, after := behind(at); after {
			words, at = []string{"at least", "below"}[i], next
		}
		w.words(words)
		if w.add(w.of(c.Column, at)); b.From < b.To {
			w.behind(",")
			w.add("from", w.of(c.Column, b.From), "to", w.of(c.Column, b.To), "in", "proportion")
		}
	}
}

// behind returns the next float64 above v, and whether its text is shorter: x > v means that x is at least this, x <= v that x is below it.
func behind(v float64) (next float64, ok bool) {
	next = math.Nextafter(v, math.Inf(1)) + 0
	return next, !math.IsInf(next, 0) && len(number(next)) < len(number(v))
}

// term appends a term; alone, as one of all rules, with the number from which it counts.
func (w *writer) term(t Term, alone bool) {
	if t.Level != "" {
		w.add(w.signed(t.Yes, " "), "if", name(t.Column), "is", name(t.Level))
		if t.No != 0 || math.Signbit(t.No) {
			w.behind(",")
			w.add(w.signed(t.No, " "), "if", "not")
		}
		return
	}
	w.add(w.signed(t.Slope, " "), "per")
	if unit := w.page.unit(t.Column); unit != "" {
		w.add(name(unit), "of")
	}
	w.add(name(t.Column))
	switch {
	case t.From != nil && t.To != nil:
		w.add("from", w.of(t.Column, *t.From), "up", "to", w.of(t.Column, *t.To))
	case t.From != nil:
		w.add("from", w.of(t.Column, *t.From), "up")
	case t.To != nil:
		w.add("up", "to", w.of(t.Column, *t.To))
	}
	if alone && (t.At != 0 || math.Signbit(t.At)) {
		w.behind(",")
		w.add("counted", "from", w.of(t.Column, t.At))
	}
}

func (w *writer) table(t Table) {
	w.line("\n", "  ")
	if w.add("Table", name(t.Column)); t.Knots != nil {
		w.words("(between entries in proportion)")
	}
	w.line(" ", "  ")
	for i, entry := range t.Entries {
		if i > 0 {
			w.behind(",")
		}
		value := w.signed(entry, "")
		if w.page.Factors {
			value = "x" + number(entry)
		}
		switch {
		case i < len(t.Knots):
			w.add(w.of(t.Column, t.Knots[i]) + ": " + value)
		case i < len(t.Groups):
			for k, level := range t.Groups[i] {
				if k < len(t.Groups[i])-1 {
					w.add(name(level), "/")
				} else {
					w.add(name(level) + ": " + value)
				}
			}
		default:
			w.add("all", "others: "+value)
		}
	}
}

// closing appends the ranges of columns and the limits of the value.
func (w *writer) closing() {
	lead := "In formulas and tables,"
	for _, c := range w.page.ranged() {
		if lead != "" {
			w.line("\n", "  ")
			w.words(lead)
		} else {
			w.behind(";")
		}
		w.add(name(c.Name), "counts", "as", "at", "least", w.of(c.Name, c.Low), "and", "at", "most", w.of(c.Name, c.High))
		lead = ""
	}
	if lead == "" {
		w.behind(".")
	}
	begun := w.missing(lead == "")
	if p := w.page; p.Low < p.High {
		if w.line("", "  "); !begun {
			w.line("", "  ")
		}
		w.add("No", "value", "is", "below", w.value(p.Low), "or", "above", w.value(p.High)+".")
	}
}

// missing appends what missing cells count as, in the order of the names of columns; begun, and the result, say whether
// there are closing lines yet.
func (w *writer) missing(begun bool) bool {
	lead := "A missing"
	columns := slices.Clone(w.page.Columns)
	slices.SortFunc(columns, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
	for _, c := range columns {
		if c.Missing == nil {
			continue
		}
		if lead == "A missing" {
			if w.line("", "  "); !begun {
				w.line("", "  ")
			}
		} else {
			w.behind(";")
		}
		w.words(lead)
		w.add(name(c.Name), "counts", "as")
		switch {
		case c.Levels == nil:
			w.add(w.of(c.Name, c.Missing.Number))
		case c.Missing.Level == "":
			w.words("none of its levels")
		default:
			w.add(name(c.Missing.Level))
		}
		lead, begun = "a missing", true
	}
	if lead == "a missing" {
		w.behind(".")
	}
	return begun
}

// ranged returns the columns whose numbers are limited in terms and tables, in the order in which these have them.
func (p *Page) ranged() (all []Column) {
	for _, name := range p.inFormulas() {
		if i := slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name }); i >= 0 && p.Columns[i].Low < p.Columns[i].High {
			all = append(all, p.Columns[i])
		}
	}
	return all
}

// inFormulas returns the names of the columns of numbers in terms and tables, in the order in which these have them.
func (p *Page) inFormulas() (all []string) {
	add := func(name string, category bool) {
		if !category && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for _, r := range p.Rules {
		for _, t := range r.Terms {
			add(t.Column, t.Level != "")
		}
	}
	for _, t := range p.Tables {
		add(t.Column, t.Groups != nil)
	}
	for _, t := range p.Terms {
		add(t.Column, t.Level != "")
	}
	return all
}
