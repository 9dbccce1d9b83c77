package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// paged describes a model by its pages: the rules have the pages' conditions, and their THEN parts their terms.
func paged(m *model.Model) Description {
	d := Description{
		Pages: m.Pages, Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Membership: m.RuleBase.Shape.Name(),
		Samples: m.Training.Samples, Sample: m.Training.Sample, Response: newResponse(m), Interval: UsualInterval(m), Neighbours: neighboursOf(m),
		precision: precision{true}, spread: (m.Target.Max - m.Target.Min) / 4,
	}
	addInference(&d, m.RuleBase)
	for c, of := range m.PageRule() {
		d.addPage(m, c, of)
	}
	if !d.Response.IsZero() {
		d.Response.Outputs = d.of
	}
	d.Tree, d.noTree = pageTree(d)
	d.weighted = weightedRows(m)
	return d
}

// weightedRows says what is weighted in the headings of the pages of a model, and by which keys; empty if nothing is.
func weightedRows(m *model.Model) string {
	var by []string
	if m.Schema.Weight != "" {
		by = append(by, "data.weight")
	}
	if m.Training.Options["train.class_weights"] == "balanced" {
		by = append(by, "train.class_weights")
	}
	says := func(p *page.Page) bool {
		return slices.ContainsFunc(p.Rules, func(r page.Rule) bool { return r.Described() })
	}
	if by == nil || !slices.ContainsFunc(m.Pages, says) {
		return ""
	}
	what := "Means"
	switch p := m.Pages[0]; {
	case p.Class != "":
		what = "Shares"
	case p.Below:
		what = "Means and shares"
	}
	return fmt.Sprintf("%s of rows are weighted (%s); numbers of rows are not.", what, strings.Join(by, ", "))
}

// addPage adds page c of a model; of has the number of the page's rule for each rule of the model.
func (d *Description) addPage(m *model.Model, c int, of []int) {
	pg, text := m.Pages[c], newPageText(m.Pages[c])
	text.before = len(d.Rules)
	if len(m.Pages) > 1 {
		text.of = " of " + plain(pg.Target)
		for i := range text.tables {
			text.tables[i].Heading += text.of
		}
	}
	target := (&model.Model{Preprocessing: m.Preprocessing}).Output(c).Target
	d.of = append(d.of, Output{Name: pg.Target, Unit: pg.Unit, precision: d.precision, spread: (target.Max - target.Min) / 4,
		alone: text.of == ""})
	d.paged = append(d.paged, text)
	became := make([][]int, len(pg.Rules))
	for i, number := range of {
		became[number-1] = append(became[number-1], i+1)
	}
	for r, rule := range pg.Rules {
		one := Rule{Fires: became[r], Number: text.before + r + 1, Samples: rule.Rows, Then: Consequent{Intercept: rule.About, stated: true},
			page: c, name: fmt.Sprintf("Rule %d%s", r+1, text.of)}
		if pg.Samples > 0 {
			one.Share = float64(rule.Rows) / float64(pg.Samples)
		}
		for i, c := range rule.Conditions {
			one.Words = append(one.Words, pageCondition(m, c, text.rules[r].conditions[i]))
		}
		for _, t := range rule.Terms {
			one.Terms = append(one.Terms, pageTerm(m, pg, t))
		}
		if !d.Response.IsZero() {
			one.Outputs = []Said{{pg.Target, one.Then, one.Terms}}
			one.Then, one.Terms = Consequent{}, nil
		}
		d.Rules = append(d.Rules, one)
	}
}

// rule returns a rule of a page, the index of the page, and that of the rule on the page.
func (d *Description) rule(r Rule) (*page.Rule, int, int) {
	k := r.Number - d.paged[r.page].before - 1
	return &d.Pages[r.page].Rules[k], r.page, k
}

// pageCondition returns a condition of a page; text is how the page prints it.
func pageCondition(m *model.Model, c page.Condition, text string) Condition {
	column, first := schemaColumn(m, c.Column, c.Levels != nil)
	all := Condition{Column: c.Column, Unit: column.Unit, numbered: true, of: &c, printed: text,
		cut: Cut{Feature: first, Mean: m.Features[first].Mean}}
	if _, is, ok := strings.Cut(text, " is "); ok {
		all.Is = is
	}
	if c.Levels == nil {
		if c.Above != nil {
			above := math.Nextafter(c.Above.From, math.Inf(1)) // where it begins to hold
			all.From, all.cut.From = &c.Above.At, &above
		}
		if c.AtMost != nil {
			if all.To, all.cut.To = &c.AtMost.At, &c.AtMost.At; c.AtMost.From < c.AtMost.To {
				below := math.Nextafter(c.AtMost.To, math.Inf(-1))
				all.cut.To = &below
			}
		}
		return all
	}
	if column.Nominal() {
		all.cut.Levels = column.Width()
	}
	var places []float64
	for _, level := range c.Levels {
		if k := slices.Index(column.Levels, level); k >= 0 {
			places = append(places, cutPlace(column, k))
		}
	}
	if all.cut.In = places; c.Not {
		all.cut.In, all.cut.Out = nil, places
	}
	return all
}

// cutPlace returns the value in a [Cut] of level k of a column.
func cutPlace(column data.Column, k int) float64 {
	if column.Nominal() {
		return float64(k)
	}
	return float64(k + 1)
}

// pageTerm returns a term of a page with its effect between the 5% and 95% quantiles of all training values.
func pageTerm(m *model.Model, pg *page.Page, t page.Term) Term {
	column, first := schemaColumn(m, t.Column, t.Level != "")
	f := m.Features[first]
	one := Term{Column: t.Column, Level: t.Level, Unit: column.Unit, Slope: t.Slope, To: 1, spread: f.SD}
	if t.Level != "" {
		one.Slope = t.Yes - t.No
		one.Effect = one.Slope
		return one
	}
	if f.Quantiles != nil {
		one.From, one.To = f.Quantile(0.05), f.Quantile(0.95)
	} else {
		one.From, one.To = f.Min, f.Max
	}
	one.Effect = termChange(pg, t, one.From, one.To)
	return one
}

// termChange returns the change of a term of a number from one value to another.
func termChange(p *page.Page, t page.Term, from, to float64) float64 {
	c := pageColumn(p, t.Column)
	return termValue(t, c, pageCell{number: to}) - termValue(t, c, pageCell{number: from})
}

// schemaColumn returns a column of a model, of which a page has levels or numbers, and the index of its first feature. Of numbers whose
// missing cells are a level it is that part, see [data.Column].
func schemaColumn(m *model.Model, name string, levels bool) (found data.Column, at int) {
	first := 0
	for _, c := range m.Schema.Parts() {
		if c.Name == name && (levels || !c.Beside()) {
			found, at = c, first
		}
		first += c.Width()
	}
	return found, at
}

// pageTree returns the partitions of pages as a tree, those of several below the names of their targets, or an error that says why there
// is none.
func pageTree(d Description) (*Tree, error) {
	one, root := 1.0, &Branch{}
	for c, p := range d.Pages {
		splits, ok := p.Splits()
		switch {
		case !ok:
			return nil, fmt.Errorf("%w: no condition of the page divides its rules", ErrNoTree)
		case splits == nil && len(d.Pages) == 1:
			return nil, fmt.Errorf("%w: there is a single rule", ErrNoTree)
		}
		all := make([]int, len(p.Rules))
		for r := range all {
			all[r] = r
		}
		b, before := pageBranch(p, splits, all), d.paged[c].before
		total := b.count(d.Rules[before:])
		b.sayPage(d.paged[c], total)
		if len(d.Pages) == 1 {
			root = b
			break
		}
		b.When = plain(p.Target)
		b.shift(before)
		root.Sides = append(root.Sides, b)
	}
	return &Tree{Root: root, Agreement: &one, partition: len(d.Pages)}, nil
}

// shift adds to the numbers of the rules.
func (b *Branch) shift(before int) {
	for _, side := range b.Sides {
		side.shift(before)
	}
	if b.Sides == nil {
		b.Rule += before
	}
}

// count sets the samples of a branch, and returns them.
func (b *Branch) count(of []Rule) int {
	if b.Sides == nil {
		b.Samples = of[b.Rule-1].Samples
	}
	for _, side := range b.Sides {
		b.Samples += side.count(of)
	}
	return b.Samples
}

// sayPage sets what the leaves say, of a tree with a number of samples.
func (b *Branch) sayPage(text *pageText, samples int) {
	for _, side := range b.Sides {
		side.sayPage(text, samples)
	}
	if b.Sides == nil {
		b.Says = namedRules([]int{b.Rule}) + ": " + text.rules[b.Rule-1].says
		if samples > 0 {
			b.Says += fmt.Sprintf(" (%s of the samples)", percent(float64(b.Samples)/float64(samples)))
		}
	}
}

// pageBranch returns the branch of some rules by the splits of a page, each of which follows the one whose side it divides.
func pageBranch(p *page.Page, splits []page.Split, some []int) *Branch {
	if len(some) == 1 {
		return &Branch{Rule: some[0] + 1}
	}
	s := splits[slices.IndexFunc(splits, func(s page.Split) bool {
		return len(s.Below)+len(s.Above) == len(some) && slices.Contains(slices.Concat(s.Below, s.Above), some[0])
	})]
	below, above := pageBranch(p, splits, s.Below), pageBranch(p, splits, s.Above)
	unit := pageColumn(p, s.Column).Unit
	if s.Border != nil {
		below.When = conditionText(page.Condition{Column: s.Column, AtMost: s.Border}, unit)
		above.When = conditionText(page.Condition{Column: s.Column, Above: s.Border}, unit)
	} else {
		below.When = conditionText(page.Condition{Column: s.Column, Levels: s.Levels}, unit)
		above.When = conditionText(page.Condition{Column: s.Column, Levels: s.Levels, Not: true}, unit)
	}
	return &Branch{Sides: []*Branch{below, above}}
}
