package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// PageSum is a prediction as a person computes it with a page: the shares of the rules whose IF parts hold times what these say, plus the
// terms of all rules and the entries of the tables, within the limits.
type PageSum struct {
	Rules  []PageRuleSum `json:"rules"`
	Others []PagePart    `json:"others,omitempty"` // terms of all rules and entries of tables
	Sum    float64       `json:"sum"`
	Value  float64       `json:"value"` // the sum within the limits: the prediction
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

// sumOfPage returns the prediction of a sample by the page of a model; nil for a model without one.
func sumOfPage(m *model.Model, x []float64) *PageSum {
	if m.Page == nil {
		return nil
	}
	p, text, row := m.Page, newPageText(m.Page), pageRow(m, x)
	s := &PageSum{}
	for r, share := range pageGrades(p, row) {
		rule := p.Rules[r]
		if share == 0 {
			continue
		}
		one := PageRuleSum{Rule: r + 1, Share: share, If: text.rules[r].conditions, Parts: []PagePart{{rule.About, "about"}}, Sum: rule.About}
		for i, t := range rule.Terms {
			part := partOfTerm(p, t, row, text.rules[r].terms[i])
			one.Parts = append(one.Parts, part)
			one.Sum += part.Amount
		}
		s.Rules = append(s.Rules, one)
		s.Sum += float64(share * one.Sum)
	}
	for _, t := range p.Terms {
		s.Others = append(s.Others, partOfTerm(p, t, row, "for all rules"))
	}
	for _, t := range p.Tables {
		s.Others = append(s.Others, partOfTable(p, t, row))
	}
	for _, part := range s.Others {
		s.Sum += part.Amount
	}
	s.Value = min(max(s.Sum, p.Low), p.High)
	return s
}

// pageGrades returns the grade of the IF part of each rule: the shares of the rules.
func pageGrades(p *page.Page, row map[string]page.Cell) []float64 {
	all := slices.Repeat([]float64{1}, len(p.Rules))
	for r, rule := range p.Rules {
		for _, c := range rule.Conditions {
			all[r] *= c.Grade(row[c.Column])
		}
	}
	return all
}

// pageRow returns a sample by the columns of a page, with the means of features for missing cells.
func pageRow(m *model.Model, x []float64) map[string]page.Cell {
	row := map[string]page.Cell{}
	for _, c := range m.Page.Columns {
		column, first := schemaColumn(m, c.Name)
		features := slices.Clone(x[first:][:column.Width()])
		for i, v := range features {
			if math.IsNaN(v) {
				features[i] = m.Features[first+i].Mean
			}
		}
		cell := page.Cell{Number: features[0]}
		if level := column.Level(features); level >= 0 {
			cell.Level = column.Levels[level]
		}
		row[c.Name] = cell
	}
	return row
}

func pageColumn(p *page.Page, name string) page.Column {
	return p.Columns[slices.IndexFunc(p.Columns, func(c page.Column) bool { return c.Name == name })]
}

// partOfTerm returns a term with the row's value: of a number as a product.
func partOfTerm(p *page.Page, t page.Term, row map[string]page.Cell, text string) PagePart {
	c, cell := pageColumn(p, t.Column), row[t.Column]
	amount := t.Value(c, cell)
	if t.Level != "" {
		is := cell.Level
		if is == "" {
			is = "none of its levels"
		}
		return PagePart{amount, fmt.Sprintf("%s: %s is %s", text, plain(t.Column), plain(is))}
	}
	return PagePart{amount, fmt.Sprintf("%s: %s x (%s - %s)%s", text, exactly(t.Slope), exactly(t.Taken(c, cell.Number)), exactly(t.At),
		countsAs(cell.Number, t.Taken(c, cell.Number)))}
}

// countsAs says that a term or table takes a value as another one; empty if they are equal.
func countsAs(v, taken float64) string {
	if v == taken {
		return ""
	}
	return fmt.Sprintf(", as %s counts as %s", exactly(v), exactly(taken))
}

// partOfTable returns the entry of a table for the row.
func partOfTable(p *page.Page, t page.Table, row map[string]page.Cell) PagePart {
	c, cell := pageColumn(p, t.Column), row[t.Column]
	amount, text := t.Value(c, cell), "table "+plain(t.Column)
	if t.Knots == nil {
		if cell.Level == "" {
			return PagePart{amount, text + ": none of its levels"}
		}
		return PagePart{amount, text + ": " + plain(cell.Level)}
	}
	v := min(max(cell.Number, c.Low), c.High)
	v = min(max(v, t.Knots[0]), t.Knots[len(t.Knots)-1])
	text += " at " + exactly(v)
	if k, exact := slices.BinarySearch(t.Knots, v); !exact {
		text += fmt.Sprintf(": in proportion between %s at %s and %s at %s", withSign(t.Entries[k-1]), exactly(t.Knots[k-1]),
			withSign(t.Entries[k]), exactly(t.Knots[k]))
	}
	return PagePart{amount, text + countsAs(cell.Number, v)}
}

// byPage writes the sum of a page.
func (s *explainedSum) byPage() {
	p := s.Page
	s.WriteString("\nBy the page:\n")
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
			amount := allDigits(part.Amount)
			if i > 0 {
				amount = signedDigits(part.Amount)
			}
			s.term(amount, "%s", part.Text)
		}
		if r.Share < 1 {
			s.term(signedDigits(r.Share*r.Sum), "of it: %s x %s", allDigits(r.Share), allDigits(r.Sum))
		}
	}
	for _, part := range p.Others {
		s.term(signedDigits(part.Amount), "%s", part.Text)
	}
	if p.Value != p.Sum {
		fmt.Fprintf(s, "= %12s  which the page limits to %s\n", allDigits(p.Sum), allDigits(p.Value))
		return
	}
	fmt.Fprintf(s, "= %12s\n", allDigits(p.Sum))
}

// signedDigits formats a number with its sign and all its digits.
func signedDigits(v float64) string {
	if v < 0 {
		return allDigits(v)
	}
	return "+" + allDigits(v)
}
