package model

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// joinedPages are the rules to which the pages of the outputs are compiled.
type joinedPages struct {
	pages []*pageCompiler
	rules []joinedRule
}

// joinedRule is a rule of the rulebase.
type joinedRule struct {
	of  []pageRule // of each page
	box box
}

// pageRule is a rule of a page, and its factor.
type pageRule struct {
	rule   int // from 0
	part   int // of the rule: a number of its combination of entries that are factors
	factor float64
}

// onPage makes a model that of page c of a model.
func (one *Model) onPage(m *Model, c int) {
	one.Pages = m.Pages[c : c+1]
	all, err := m.join(m.Pages, mostPageRules)
	own, failed := one.join(one.Pages, mostPageRules)
	if err != nil || failed != nil || len(m.Rules) != len(all.rules) {
		one.Pages = nil // Validate refuses the model
		return
	}
	one.RuleBase, one.Rules = own.ruleBase(), make([]RuleSummary, len(own.rules))
	for r, joined := range all.rules {
		within := 0 // the rule of the page that the joined one is a part of
		for k, o := range own.rules {
			if o.of[0] == joined.of[c] && !slices.ContainsFunc(joined.box.below(o.box), func(below bool) bool { return below }) {
				within = k
			}
		}
		one.Rules[within].Share += m.Rules[r].Share
		one.Rules[within].Samples += m.Rules[r].Samples
	}
}

// below returns on which inputs a box begins below another one.
func (b box) below(other box) (all []bool) {
	for m, p := range b {
		all = append(all, p[0] < other[m][0])
	}
	return all
}

// region is the common IF part of a rule of each page so far.
type region struct {
	conditions []page.Condition // at most one on a column of numbers
	of         []pageRule
}

func tooManyRules(most int) error {
	return fmt.Errorf("more than %d rules: use fewer rules, fewer entries that are factors, or pages with the same conditions", most)
}

// join returns the rules of pages, at most as many as given.
func (p Preprocessing) join(pages []*page.Page, most int) (*joinedPages, error) {
	if p.Components != nil || p.Link() == logLink {
		return nil, fmt.Errorf("pages predict by columns of a table: want no components, and no loss with the link log")
	}
	if len(pages) != p.OutputCount() {
		return nil, fmt.Errorf("%d pages of %d outputs: want one of each", len(pages), p.OutputCount())
	}
	j, regions := &joinedPages{}, []region{{}}
	for k, pg := range pages {
		of, _ := p.output(k)
		if pg == nil || pg.Target != of.Schema.Target {
			return nil, fmt.Errorf("output %d of the model is %s: want a page that predicts it", k+1, escape.Quote(of.Schema.Target))
		}
		if err := pg.Validate(); err != nil {
			return nil, err
		}
		c, err := newPageCompiler(of, pg, most)
		if err == nil {
			j.pages = append(j.pages, c)
			regions, err = c.divide(regions)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, r := range regions {
		boxes, err := j.pages[0].ifParts(r.conditions)
		if err != nil {
			return nil, err
		}
		for _, b := range boxes {
			j.rules = append(j.rules, joinedRule{r.of, b})
		}
		if len(j.rules) > most {
			return nil, tooManyRules(most)
		}
	}
	return j, nil
}

// divide divides regions by the rules of the page and, if its tables are factors, by their entries.
func (c *pageCompiler) divide(regions []region) ([]region, error) {
	var own []region
	for r, rule := range c.page.Rules {
		own = append(own, region{rule.Conditions, []pageRule{{rule: r, factor: 1}}})
	}
	for _, t := range c.page.Tables {
		if !c.page.Factors {
			break
		}
		hats, err := c.hats(t)
		if err == nil {
			own, err = c.cross(own, hats)
		}
		if err != nil {
			return nil, err
		}
		for i := range own { // of the page's rule, and of the entry
			of := own[i].of
			own[i].of = []pageRule{{of[0].rule, of[0].part*len(hats) + of[1].part, of[0].factor * of[1].factor}}
		}
	}
	return c.cross(regions, own)
}

// hats returns the regions of the entries of a table that is a factor. Between two knots their grades are the shares of the entries.
func (c *pageCompiler) hats(t page.Table) (all []region, err error) {
	add := func(factor float64, of ...page.Condition) {
		all = append(all, region{of, []pageRule{{part: len(all), factor: factor}}})
	}
	if t.Groups != nil {
		for g, levels := range t.Groups {
			add(t.Entries[g], page.Condition{Column: t.Column, Levels: levels})
		}
		add(t.Entries[len(t.Groups)], page.Condition{Column: t.Column, Levels: slices.Concat(t.Groups...), Not: true})
		return all, nil
	}
	part, err := c.table(t)
	if err != nil {
		return nil, err
	}
	if part.at == nil {
		add(part.constant)
		return all, nil
	}
	for k, at := range part.knots {
		one := page.Condition{Column: t.Column}
		if k > 0 {
			one.Above = &page.Border{At: at, From: part.knots[k-1], To: at}
		}
		if k < len(part.knots)-1 {
			one.AtMost = &page.Border{At: at, From: at, To: part.knots[k+1]}
		}
		add(part.at(at), one)
	}
	return all, nil
}

// cross returns the common region of each pair, unless no row can be in it.
func (c *pageCompiler) cross(some, others []region) (all []region, err error) {
	for _, a := range some {
		for _, b := range others {
			conditions, ok, err := both(a.conditions, b.conditions)
			if err == nil && ok && len(a.conditions) > 0 && len(b.conditions) > 0 {
				var boxes []box
				boxes, err = c.ifParts(conditions)
				ok = len(boxes) > 0
			}
			if err != nil {
				return nil, err
			}
			if ok {
				all = append(all, region{conditions, slices.Concat(a.of, b.of)})
			}
			if len(all) > c.most {
				return nil, tooManyRules(c.most)
			}
		}
	}
	return all, nil
}

// both returns the conditions of two IF parts together; ok is false if no number meets them. Ramps of a column that are equal are those of
// one partition, whose parts are the same or exclude each other.
func both(some, others []page.Condition) (all []page.Condition, ok bool, err error) {
	all = slices.Clone(some)
	for _, c := range others {
		i := slices.IndexFunc(all, func(o page.Condition) bool { return o.Column == c.Column && c.Levels == nil && o.Levels == nil })
		if i < 0 {
			all = append(all, c)
			continue
		}
		one := &all[i]
		for _, side := range []struct {
			of    **page.Border
			more  *page.Border
			later bool
		}{{&one.Above, c.Above, true}, {&one.AtMost, c.AtMost, false}} {
			switch a, b := *side.of, side.more; {
			case b == nil || a != nil && a.From == b.From && a.To == b.To:
			case a == nil || a.To <= b.From && side.later || b.To <= a.From && !side.later:
				*side.of = b
			case a.To > b.From && b.To > a.From:
				return nil, false, fmt.Errorf("the ramps of %s from %v to %v and from %v to %v overlap: want those of several pages equal "+
					"or apart", escape.Quote(c.Column), a.From, a.To, b.From, b.To)
			}
		}
		// ramps that overlap here, on opposite sides, overlap on the same side of another pair, which is an error
		if a, b := one.Above, one.AtMost; a != nil && b != nil && (a.From == b.From && a.To == b.To || b.To <= a.From) {
			return nil, false, nil
		}
	}
	return all, true, nil
}

// ruleBase returns the rules.
func (j *joinedPages) ruleBase() *rules.RuleBase {
	R, C, inputs := len(j.rules), len(j.pages), j.pages[0].inputs
	shape := membership.Ramp{}
	rb := &rules.RuleBase{Shape: shape, Parameters: rules.NewParameters(len(shape.Params()), R, len(inputs)), SpreadFloor: 1}
	rb.SetOutputs(C)
	knots, Q := j.knots()
	if Q > 0 {
		rb.Knots, rb.Curves = make([][]float64, len(inputs)), rules.NewCurves(C*R, Q)
	}
	for r, one := range j.rules {
		for m, p := range one.box {
			for k, v := range p {
				rb.Antecedents[k][r][m] = v
			}
		}
		rb.Consequents[r] = nil
		for c, of := range j.pages {
			rb.Consequents[r] = append(rb.Consequents[r], of.consequent(one.of[c])...)
			if Q > 0 {
				rb.Curves[c*R+r] = of.curve(one.of[c], knots)
			}
		}
	}
	for m, all := range knots {
		for _, k := range all {
			rb.Knots[m] = append(rb.Knots[m], j.pages[0].scaled(m, k))
		}
	}
	return rb
}

// knots returns the knots of each input, of all rules together, and their number.
func (j *joinedPages) knots() (knots [][]float64, Q int) {
	knots = make([][]float64, len(j.pages[0].inputs))
	for _, c := range j.pages {
		for _, then := range c.then {
			for _, part := range then.parts {
				if part.at != nil {
					knots[part.input] = append(knots[part.input], part.knots...)
				}
			}
		}
	}
	for m, all := range knots {
		slices.Sort(all)
		all = slices.Compact(all)
		if len(all) == rules.MinKnots-1 {
			all = slices.Insert(all, 1, all[0]+float64(0.5*(all[1]-all[0])))
		}
		knots[m] = all
		Q += len(all)
	}
	return knots, Q
}
