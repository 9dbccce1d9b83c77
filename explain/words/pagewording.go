package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// pageText is the text of a page in parts.
type pageText struct {
	all          string
	of           string // suffix of the names of its rules and tables, such as " of z"; empty for a single page
	before       int    // rules of the pages before it
	introduction string
	rules        []ruleText  // [R]
	tables       []PageTable // one of a column
	rest         string      // what holds for all rules
}

// ruleText is a rule as a page prints it.
type ruleText struct {
	text       string
	about      string   // what it says about its rows, such as "741 of 937 rows, mean 8700"
	conditions []string // none: it always holds
	says       string   // such as "about 8700 at age 40"
	terms      []string // such as "+ 264 per age"
}

// PageTable is a table of a page, whose entries are added to the value of the rule, or factors of it.
type PageTable struct {
	Heading string      `json:"heading"`
	Rows    []PageEntry `json:"rows"`
	Text    string      `json:"text"` // as printed
}

// PageEntry is a row of a table: a value or levels, and the entry there.
type PageEntry struct {
	At    string `json:"at"`
	Entry string `json:"entry"`
}

// newPageText divides the text of a page into its paragraphs: the introduction, the rules, the tables, and the rest.
func newPageText(p *page.Page) *pageText {
	t := &pageText{all: p.String()}
	paragraphs := strings.Split(strings.TrimRight(t.all, "\n"), "\n\n")
	t.introduction, paragraphs = paragraphs[0], paragraphs[1:]
	for range p.Rules {
		t.rules = append(t.rules, newRuleText(paragraphs[0]))
		paragraphs = paragraphs[1:]
	}
	for _, table := range p.Tables {
		t.tables = append(t.tables, newPageTable(p, table, paragraphs[0]))
		paragraphs = paragraphs[1:]
	}
	t.rest = strings.Join(paragraphs, "\n\n")
	return t
}

// newRuleText divides the paragraph of a rule into its parts, each in one line: what it says about its rows, the conditions, and the THEN
// part with its terms.
func newRuleText(paragraph string) ruleText {
	r := ruleText{text: paragraph + "\n"}
	name := ""
	part := &name
	for line := range strings.Lines(paragraph) {
		text, indent := strings.TrimSpace(line), len(line)-len(strings.TrimLeft(line, " "))
		key, rest, _ := strings.Cut(text, " ")
		switch {
		case indent == 2 && (key == "IF" || key == "AND"):
			r.conditions, text = append(r.conditions, ""), rest
			part = &r.conditions[len(r.conditions)-1]
		case indent == 2 && key == "THEN":
			part, text = &r.says, rest
		case r.says != "" && indent == termIndent && (key == "+" || key == "-"):
			r.terms = append(r.terms, "")
			part = &r.terms[len(r.terms)-1]
		}
		*part = strings.TrimSpace(*part + " " + strings.TrimSpace(text))
	}
	if _, about, ok := strings.Cut(name, "("); ok {
		r.about = strings.TrimSuffix(about, ")")
	}
	if len(r.conditions) == 1 && r.conditions[0] == "always" {
		r.conditions = nil
	}
	return r
}

// termIndent is the number of blanks before a term of a rule.
const termIndent = 9

// newPageTable returns a table of a page; text is how the page prints it.
func newPageTable(p *page.Page, t page.Table, text string) PageTable {
	heading, _, _ := strings.Cut(text, "\n")
	one := PageTable{Heading: strings.TrimSuffix(heading, ":"), Text: text + "\n"}
	for k, entry := range t.Entries {
		at := "all others"
		switch {
		case t.Knots != nil:
			at = exactly(t.Knots[k])
		case k < len(t.Groups):
			var names []string
			for _, level := range t.Groups[k] {
				names = append(names, plain(level))
			}
			at = strings.Join(names, " / ")
		}
		one.Rows = append(one.Rows, PageEntry{at, entryText(p, entry)})
	}
	return one
}

// entryText formats an entry of a table of a page: with its sign or, of a factor, an x.
func entryText(p *page.Page, v float64) string {
	switch {
	case p.Factors:
		return "x" + exactly(v)
	case v < 0:
		return exactly(v)
	}
	return "+" + exactly(v)
}

// Headings of what follows a page in a text: AboutRows of the rules' own rows, AboutTried of what training tried, AboutPage of all else
// where neither is printed.
const (
	AboutRows  = "About the rules' own rows"
	AboutTried = "About other samples of the rows, and other sizes"
	AboutPage  = "About this page"
)

// CutPage returns a text that begins with a page without what [Wording] adds to it.
func CutPage(text string) string {
	for _, heading := range []string{AboutRows, AboutTried, AboutPage} {
		if at := strings.Index("\n"+text, "\n"+heading+"\n"); at >= 0 {
			text = text[:at]
		}
	}
	return text
}

// sayPage adds the rules and tables of pages.
func (d Description) sayPage(w *Wording) {
	var all, introductions, rests []string
	for c, p := range d.paged {
		all, introductions = append(all, p.all), append(introductions, p.introduction)
		w.Tables = append(w.Tables, p.tables...)
		switch {
		case p.rest != "" && len(d.paged) > 1:
			rests = append(rests, "Of "+plain(d.of[c].Name)+":\n"+p.rest)
		case p.rest != "":
			rests = append(rests, p.rest)
		}
	}
	w.Page, w.Introduction = strings.Join(all, "\n"), strings.Join(introductions, "\n")+"\n"
	if w.Definitions = d.Response.meaningOfPages(); w.Definitions != "" {
		rests = append(rests, w.Definitions)
	}
	w.Computing = strings.Join(rests, "\n\n")
	for _, r := range d.Rules {
		w.Rules = append(w.Rules, d.ruleOfPage(r))
	}
	w.OwnRows = d.ownRows()
	w.Tried = triedLines(d.Pages)
}

// meaningOfPages says how the predictions follow from the values of pages; empty if they are these.
func (r *Response) meaningOfPages() string {
	text := r.meaning()
	switch r.Link {
	case "logit":
		of := plain(r.Classes[1])
		text += fmt.Sprintf("The probability of %s is 1 / (1 + exp(-log odds)). How likely %s is, by its log odds:\n%s\n", of, of,
			scale([]float64{-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4}, func(v float64) string { return percent(1 / (1 + math.Exp(-v))) }))
	case "softmax":
		text += "exp(score), by the score:\n" + scale([]float64{-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4},
			func(v float64) string { return numeric.Show(math.Exp(v), 2) }) + "\n"
	}
	return strings.TrimSuffix(text, "\n")
}

// scale returns a table in one line of some values of a page.
func scale(at []float64, of func(v float64) string) string {
	var all []string
	for _, v := range at {
		all = append(all, exactly(v)+": "+of(v))
	}
	return strings.Join(all, ", ")
}

// tried returns the paragraph on what training tried; empty if nothing is known.
func (w *Wording) tried() string {
	if w.Tried == nil {
		return ""
	}
	return AboutTried + "\n  " + strings.Join(w.Tried, "\n  ")
}

// meaning returns the paragraph on what the values of pages mean; empty if they are the predictions.
func (w *Wording) meaning() string {
	if w.Definitions == "" {
		return ""
	}
	return AboutPage + "\n  " + strings.ReplaceAll(w.Definitions, "\n", "\n  ")
}

// ruleOfPage returns a rule as the page prints it.
func (d Description) ruleOfPage(r Rule) RuleWording {
	_, c, k := d.rule(r)
	o, text := &d.of[c], d.paged[c].rules[k]
	w := RuleWording{Rule: r, Name: r.Name(), Numbers: []int{r.Number}, Activity: text.about, If: append([]string{}, text.conditions...),
		Text: text.text}
	if len(w.If) == 0 {
		w.Always = "ALWAYS"
	}
	then := ThenWording{Says: plain(o.Name) + " is " + text.says, Label: label(o.Name, o.Unit), page: true}
	for i, term := range text.terms {
		t := TermText{Product: term}
		if r.Local != nil && r.Local.Own != nil {
			t.Effect = o.effectOf(r.Local.Own.Effects[i])
		}
		then.Formula = append(then.Formula, t)
	}
	w.Then = &then
	if r.Local != nil && r.Local.Own != nil {
		w.Seen = d.aboutRows(r, false) // Formula has the effects
	}
	return w
}

// ownRows returns what the rules are on their own rows; empty if these are not known.
func (d Description) ownRows() string {
	var b strings.Builder
	begun := -1 // the page
	for _, r := range d.Rules {
		if r.Local == nil || r.Local.Own == nil {
			continue
		}
		_, c, k := d.rule(r)
		own, name := r.Local.Own, fmt.Sprintf("  Rule %-3d", k+1)
		if b.Len() == 0 {
			b.WriteString(AboutRows + "\n")
		}
		if begun < c {
			begun = c
			b.WriteString(d.aboutPictures(c, own))
		}
		lines := d.aboutRows(r, true)
		if own.Counts != nil {
			lines = append([]string{"|" + own.picture() + "|"}, lines...)
		}
		for _, line := range lines {
			fmt.Fprintf(&b, "%s %s\n", name, line)
			name = strings.Repeat(" ", len(name))
		}
	}
	return b.String()
}

// aboutPictures returns the lines before those of the rules of a page: the page, of several, and what pictures show.
func (d Description) aboutPictures(c int, own *Own) string {
	text, o, target := "", &d.of[c], d.of[c].Name
	if len(d.Pages) > 1 {
		text = "  " + plain(o.Name) + "\n"
	}
	if d.Response.Quantiles != nil {
		target = d.Target
	}
	if own.From < own.To {
		text += fmt.Sprintf("  Each picture has the rows of a rule over %s, from %s or less to %s or more.\n", plain(target),
			near(own.From, o.spread), withUnit(near(own.To, o.spread), o.Unit))
	}
	return text
}
