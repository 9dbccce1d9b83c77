package words

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// PageSum is a prediction as a person computes it with a page: the shares of the rules whose IF parts hold times what these say, plus the
// terms of all rules and the entries of the tables or, if these are factors, times them, within the limits.
type PageSum struct {
	Rules   []PageRuleSum `json:"rules"`
	Others  []PagePart    `json:"others,omitempty"`  // terms of all rules, and entries of tables that are summands
	Factors []PagePart    `json:"factors,omitempty"` // entries of tables that are factors
	Before  float64       `json:"before,omitempty"`  // the sum before the factors
	Sum     float64       `json:"sum"`
	Value   float64       `json:"value"` // the sum within the limits: the prediction
}

// PageRuleSum is what a rule says, as a sum.
type PageRuleSum struct {
	Rule  int        `json:"rule"`
	Share float64    `json:"share"` // less than 1 between the ends of a ramp
	If    []string   `json:"if,omitempty"`
	Parts []PagePart `json:"parts"`
	Sum   float64    `json:"sum"`
}

// PagePart is a number of a sum, and where it is from.
type PagePart struct {
	Amount float64 `json:"amount"`
	Text   string  `json:"text"`
}

// sumOfPage returns the prediction of a sample by the page of a model of one output; nil for a model without one.
func sumOfPage(m *model.Model, x []float64) *PageSum {
	if m.Pages == nil {
		return nil
	}
	p, text, row := m.Pages[0], newPageText(m.Pages[0]), pageRow(m, m.Pages[0], x)
	s := &PageSum{}
	for r, share := range pageGrades(p, row) {
		rule := p.Rules[r]
		if share == 0 {
			continue
		}
		one := PageRuleSum{Rule: r + 1, Share: share, If: text.rules[r].conditions, Parts: []PagePart{{rule.About, "to begin with"}},
			Sum: rule.About}
		for i, t := range rule.Terms {
			part := partOfTerm(p, t, row, text.rules[r].terms[i])
			one.Parts = append(one.Parts, part)
			one.Sum += part.Amount
		}
		s.Rules = append(s.Rules, one)
		s.Sum += float64(share * one.Sum)
	}
	for _, t := range p.Terms {
		s.Others = append(s.Others, partOfTerm(p, t, row, plain(t.Column)+" in all rules"))
	}
	for _, t := range p.Tables {
		cell := row[t.Column]
		entry := t.Entry(pageColumn(p, t.Column).Within(cell.number), cell.level)
		of := &s.Others
		if p.Factors {
			of = &s.Factors
		}
		*of = append(*of, PagePart{entry, "table " + plain(t.Column) + ": " + tablePlace(p, t, cell)})
	}
	for _, part := range s.Others {
		s.Sum += part.Amount
	}
	if s.Factors != nil {
		s.Before = s.Sum
	}
	for _, part := range s.Factors {
		s.Sum *= part.Amount
	}
	if s.Value = s.Sum; p.Low < p.High {
		s.Value = min(max(s.Sum, p.Low), p.High)
	}
	return s
}

// partOfTerm returns a term with the row's value: of a number as a product.
func partOfTerm(p *page.Page, t page.Term, row map[string]pageCell, text string) PagePart {
	c, cell := pageColumn(p, t.Column), row[t.Column]
	if t.Level != "" {
		is := cmp.Or(plain(cell.level), "none of its levels")
		if pageColumn(p, t.Column).Own && cell.level == "" {
			is = "known"
		}
		return PagePart{termValue(t, c, cell), fmt.Sprintf("%s: it is %s", text, is)}
	}
	u := taken(t, c, cell.number)
	return PagePart{termValue(t, c, cell), fmt.Sprintf("%s: %s x (%s - %s)%s", text, exactly(t.Slope), exactly(u), negative(t.At),
		countsAs(cell.number, u))}
}

// negative formats a number that is subtracted: in parentheses if it has a sign.
func negative(v float64) string {
	if v < 0 {
		return "(" + exactly(v) + ")"
	}
	return exactly(v)
}

// byPage writes the sum of a page, below a title.
func (s *explainedSum) byPage(title string) {
	p := s.Page
	s.WriteString("\n" + title + ":\n")
	for _, r := range p.Rules {
		holds := "holds"
		if r.Share < 1 {
			holds = "holds in the proportion " + allDigits(r.Share)
		}
		when := "always"
		if len(r.If) > 0 {
			when = strings.Join(r.If, ", and ")
		}
		s.term("", "rule %d %s: %s", r.Rule, holds, when)
		for i, part := range r.Parts {
			amount := s.digits(part.Amount)
			if i > 0 {
				amount = s.signedDigits(part.Amount)
			}
			s.term(amount, "%s", part.Text)
		}
		if r.Share < 1 {
			s.term(s.signedDigits(r.Share*r.Sum), "of it: %s x %s", allDigits(r.Share), s.digits(r.Sum))
		}
	}
	for _, part := range p.Others {
		s.term(s.signedDigits(part.Amount), "%s", part.Text)
	}
	if p.Factors != nil {
		fmt.Fprintf(s, "= %12s  without the tables\n", s.digits(p.Before))
	}
	for _, part := range p.Factors {
		s.term("x"+allDigits(part.Amount), "%s", part.Text)
	}
	if p.Value != p.Sum {
		fmt.Fprintf(s, "= %12s  which the page limits to %s\n", s.digits(p.Sum), s.digits(p.Value))
		return
	}
	fmt.Fprintf(s, "= %12s\n", s.digits(p.Sum))
}

// digits formats an amount of a sum, with more digits than other amounts: its terms add up.
func (e *Explained) digits(v float64) string { return trimmed(near(v, e.spread/1e4)) }

// signedDigits formats an amount of a sum with its sign.
func (e *Explained) signedDigits(v float64) string {
	if v < 0 {
		return e.digits(v)
	}
	return "+" + e.digits(v)
}

// pageCell is a cell of a row: of a number its value, of a category its level, empty for a cell of none.
type pageCell struct {
	number float64
	level  string
}

// pageRow returns a sample by the columns of a page.
func pageRow(m *model.Model, pg *page.Page, x []float64) map[string]pageCell {
	row := map[string]pageCell{}
	for _, c := range pg.Columns {
		row[c.Name] = pageCellOf(m, c.Name, x)
	}
	return row
}

// pageCellOf returns a sample's cell of a column, with the means of features for a missing one.
func pageCellOf(m *model.Model, name string, x []float64) pageCell {
	column, first := schemaColumn(m, name, false)
	features := slices.Clone(x[first:][:column.Width()])
	for i, v := range features {
		if math.IsNaN(v) {
			features[i] = m.Features[first+i].Mean
		}
	}
	cell := pageCell{number: features[0]}
	if level := column.Level(features); level >= 0 {
		cell.level = column.Levels[level]
	} else if beside, at := schemaColumn(m, name, true); beside.Beside() && x[at] == 1 {
		cell.level = page.MissingLevel
	}
	return cell
}

// pageGrades returns the grade of the IF part of each rule: the shares of the rules.
func pageGrades(p *page.Page, row map[string]pageCell) []float64 {
	all := slices.Repeat([]float64{1}, len(p.Rules))
	for r, rule := range p.Rules {
		for _, c := range rule.Conditions {
			all[r] *= c.Grade(row[c.Column].number, row[c.Column].level)
		}
	}
	return all
}

// taken returns the value of a number that a term takes.
func taken(t page.Term, c page.Column, v float64) float64 {
	v = c.Within(v)
	if t.From != nil {
		v = max(v, *t.From)
	}
	if t.To != nil {
		v = min(v, *t.To)
	}
	return v
}

// termValue returns the value of a term.
func termValue(t page.Term, c page.Column, cell pageCell) float64 {
	switch {
	case t.Level == "":
		return t.Slope * (taken(t, c, cell.number) - t.At)
	case t.Level == cell.level:
		return t.Yes
	}
	return t.No
}

// tablePlace says where the entry of a table of a page for a cell is from.
func tablePlace(p *page.Page, t page.Table, cell pageCell) string {
	if t.Knots == nil {
		if slices.Contains(slices.Concat(t.Groups...), cell.level) {
			return plain(cell.level)
		}
		return "all others"
	}
	v := pageColumn(p, t.Column).Within(cell.number)
	v = max(t.Knots[0], min(t.Knots[len(t.Knots)-1], v))
	k, exact := slices.BinarySearch(t.Knots, v)
	if exact {
		return exactly(v) + countsAs(cell.number, v)
	}
	return fmt.Sprintf("%s, in proportion between %s at %s and %s at %s%s", exactly(v), entryText(p, t.Entries[k-1]), exactly(t.Knots[k-1]),
		entryText(p, t.Entries[k]), exactly(t.Knots[k]), countsAs(cell.number, v))
}

// countsAs says that a term or table takes a value as another one; empty if they are equal.
func countsAs(v, taken float64) string {
	if v == taken {
		return ""
	}
	return fmt.Sprintf(", as %s counts as %s", exactly(v), exactly(taken))
}

// pageColumn returns a column of a page.
func pageColumn(p *page.Page, name string) page.Column {
	return p.Columns[slices.IndexFunc(p.Columns, func(c page.Column) bool { return c.Name == name })]
}

// conditionText returns a condition of a page that has one border or some levels.
func conditionText(c page.Condition, unit string) string {
	is, border := "is at most ", c.AtMost
	switch {
	case c.Levels != nil:
		var names []string
		for _, level := range c.Levels {
			names = append(names, plain(level))
		}
		if is = "is "; c.Not {
			is = "is not "
		}
		return plain(c.Column) + " " + is + strings.Join(names, " or ")
	case border == nil:
		is, border = "is above ", c.Above
	}
	text := plain(c.Column) + " " + is + withUnit(exactly(border.At), unit)
	if border.From < border.To {
		text += fmt.Sprintf(", from %s to %s in proportion", exactly(border.From), exactly(border.To))
	}
	return text
}
