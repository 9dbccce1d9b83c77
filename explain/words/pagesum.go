package words

import (
	"cmp"
	"fmt"
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
		entry, at := tableValue(t, pageColumn(p, t.Column), row[t.Column])
		s.Others = append(s.Others, PagePart{entry, "table " + plain(t.Column) + ": " + at})
	}
	for _, part := range s.Others {
		s.Sum += part.Amount
	}
	s.Value = min(max(s.Sum, p.Low), p.High)
	return s
}

// partOfTerm returns a term with the row's value: of a number as a product.
func partOfTerm(p *page.Page, t page.Term, row map[string]pageCell, text string) PagePart {
	c, cell := pageColumn(p, t.Column), row[t.Column]
	if t.Level != "" {
		is := cmp.Or(plain(cell.level), "none of its levels")
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
