package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// PageLimits sets the limits of predictions to those of pages, one of each output, if they have any; the training mean must be between
// them. Pages of quantiles have equal limits, those of log odds and of scores none; else it is an error.
func (p *Preprocessing) PageLimits(pages ...*page.Page) error {
	next := 0
	err := p.change(func(t *Target) error {
		if next++; next > len(pages) {
			return nil
		}
		low, high := pageLimits(pages[next-1])
		return t.Limit(math.Inf(1), &[2]float64{low, high})
	})
	if err != nil {
		return err
	}
	return p.checkLimits(pages)
}

// pageLimits returns the least and the largest value of a page; infinite without limits.
func pageLimits(pg *page.Page) (low, high float64) {
	if pg.Low < pg.High {
		return pg.Low, pg.High
	}
	return math.Inf(-1), math.Inf(1)
}

// checkLimits checks that each page has the limits of its output.
func (p *Preprocessing) checkLimits(pages []*page.Page) error {
	for c, pg := range pages {
		of, _ := p.output(c)
		low, high := pageLimits(pg)
		if a, b := of.Target.Limits(); a != low || b != high {
			return fmt.Errorf("%s: values from %v to %v by its page, and from %v to %v by the model", escape.Quote(pg.Target), low, high, a, b)
		}
	}
	return nil
}

// ReadMissing sets what missing cells count as to what a page can state, where means replace them (ImputeMeans): a number to its mean,
// rounded to at most a hundredth of its standard deviation; a category to none of its levels or, if these have an order, to the level
// nearest to the mean. Call it before the samples are scaled.
func (p *Preprocessing) ReadMissing() {
	if !p.ImputeMeans {
		return
	}
	p.Features = slices.Clone(p.Features)
	at := 0
	for _, c := range p.Schema.Parts() {
		for i := range c.Width() {
			switch f := &p.Features[at+i]; {
			case f.Constant:
			case c.Numbers():
				f.Mean = max(f.Min, min(f.Max, numeric.RoundTo(f.Mean, decimalPlace(f.SD/100))))
			case c.Nominal():
				f.Mean, f.SD = 0, 1
			default:
				f.Mean = math.Round(f.Mean)
			}
		}
		at += c.Width()
	}
}

// TakeMissing sets what missing cells count as to what the columns of pages state, where means replace missing cells. A
// number outside the range of its column, and what cannot be stated of a column, are errors.
func (p *Preprocessing) TakeMissing(pages ...*page.Page) error {
	var columns []page.Column
	for _, pg := range pages {
		columns = append(columns, pg.Columns...)
	}
	p.Features = slices.Clone(p.Features)
	for _, stated := range columns {
		at := 0
		for _, c := range p.Schema.Columns {
			if f := &p.Features[at]; c.Name == stated.Name && stated.Missing != nil {
				v := stated.Missing.Number
				if level := slices.Index(c.Levels, stated.Missing.Level); !c.Numbers() {
					v = float64(level + 1)
				}
				switch {
				case !p.ImputeMeans:
					return fmt.Errorf("the page says what a missing %s counts as, but the model was not trained with data.missing mean: leave it out",
						escape.Quote(c.Name))
				case c.Missing && !c.Numbers():
					if stated.Missing.Level != page.MissingLevel {
						return fmt.Errorf("a missing %s is a level of its own: it counts as %s", escape.Quote(c.Name), page.MissingLevel)
					}
				case c.Nominal() && stated.Missing.Level != "":
					return fmt.Errorf("a missing %s counts as none of its levels, not as %s: leave it out, or give the model of the page (--model)",
						escape.Quote(c.Name), escape.Quote(stated.Missing.Level))
				case c.Nominal():
				case v < f.Min || v > f.Max:
					return fmt.Errorf("a missing %s counts as a value from %v to %v", escape.Quote(c.Name), f.Min, f.Max)
				default:
					f.Mean = v
				}
			}
			at += c.Width()
		}
	}
	return nil
}

// FillPage sets what missing cells of the columns of pages count as, after [Preprocessing.ReadMissing].
func (p Preprocessing) FillPage(pages ...*page.Page) {
	for _, pg := range pages {
		pg.Columns = append([]page.Column{}, pg.Columns...) // a page of one number has none
		for i := range pg.Columns {
			c := &pg.Columns[i]
			c.Missing = p.fillOf(c.Name)
			if f := c.Missing; f != nil && f.Level == page.MissingLevel && !slices.Contains(c.Levels, f.Level) {
				c.Levels = append(slices.Clone(c.Levels), f.Level) // that training has none of
			}
		}
	}
}

// fillOf returns what a missing cell of a column counts as; nil where it is not replaced by a mean.
func (p Preprocessing) fillOf(name string) *page.Fill {
	at := 0
	for _, c := range p.Schema.Columns {
		switch f := p.Features[at]; {
		case c.Name != name:
		case !p.ImputeMeans:
			return nil
		case c.Numbers():
			return &page.Fill{Number: f.Mean}
		case c.Missing:
			return &page.Fill{Level: page.MissingLevel}
		case c.Nominal():
			return &page.Fill{}
		default:
			return &page.Fill{Level: c.Levels[max(0, min(len(c.Levels)-1, int(f.Mean)-1))]}
		}
		at += c.Width()
	}
	return nil
}

// checkPages checks that a model with pages has their rules and limits.
func checkPages(m *Model) error {
	if m.Pages == nil {
		return nil
	}
	rb, err := m.pageRules(m.Pages, m.RuleBase.Rules())
	if err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	for _, pg := range m.Pages {
		for _, c := range pg.Columns {
			if fill := m.fillOf(c.Name); !reflect.DeepEqual(c.Missing, fill) {
				return fmt.Errorf("pages: a missing %s does not count as in the model", escape.Quote(c.Name))
			}
		}
	}
	if err := m.checkLimits(m.Pages); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	if !reflect.DeepEqual(newRulesContent(rb), newRulesContent(m.RuleBase)) {
		return errors.New("pages: the rules of the model are not those of its pages: correct one, or remove the pages")
	}
	return nil
}

// pageGroups returns the index of the rule that people read for each rule compiled from it, and the number of these; of several pages, one
// rule of each together count as one. group is nil if each rule is compiled to one.
func (m *Model) pageGroups() (group []int, n int) {
	R := m.RuleBase.Rules()
	if m.Pages == nil {
		return nil, R
	}
	of := m.PageRule()
	var seen [][]int // [n][C]
	for r := range R {
		var pages []int
		for _, rules := range of {
			pages = append(pages, rules[r])
		}
		k := slices.IndexFunc(seen, func(o []int) bool { return slices.Equal(o, pages) })
		if k < 0 {
			k, seen = len(seen), append(seen, pages)
		}
		group = append(group, k)
	}
	if len(seen) == R {
		return nil, R
	}
	return group, len(seen)
}
