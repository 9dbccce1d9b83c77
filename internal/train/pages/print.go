package pages

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// printer makes a page of round numbers of a version.
type printer struct {
	*version
	s        Samples
	mean, sd float64 // of the target
	step     float64 // that values of the target are rounded to
	page     *page.Page
}

// print returns the page of a version with the limits of its value.
func (v *version) print(s Samples, mean, sd float64, o Options) *page.Page {
	p := &printer{version: v, s: s, mean: mean, sd: sd, step: stepOf(sd, v.error())}
	p.page = &page.Page{Target: s.Target, Unit: s.Unit, Low: o.Low, High: o.High, Samples: len(s.Y)}
	p.page.Factors = slices.ContainsFunc(v.factors, varies)
	for l := range v.tree {
		p.page.Rules = append(p.page.Rules, p.rule(l))
	}
	for t := range v.tables {
		p.table(t)
	}
	p.joinTerms()
	p.columns()
	p.describe(v.leafs())
	return p.page
}

// joinTerms adds terms of all rules to those that each rule has of the same column, and terms of a single rule to tables.
func (p *printer) joinTerms() {
	p.page.Terms = slices.DeleteFunc(p.page.Terms, func(all page.Term) bool {
		of := func(r page.Rule) int {
			return slices.IndexFunc(r.Terms, func(t page.Term) bool {
				return t.Column == all.Column && t.Level == "" && t.From == nil && t.To == nil
			})
		}
		if all.Level != "" || slices.ContainsFunc(p.page.Rules, func(r page.Rule) bool { return of(r) < 0 }) {
			return false
		}
		for _, r := range p.page.Rules {
			t := &r.Terms[of(r)]
			t.Slope = numeric.Round(t.Slope+all.Slope, 3)
		}
		return true
	})
	if len(p.page.Rules) == 1 && !p.page.Factors {
		p.page.Rules[0].Terms = slices.DeleteFunc(p.page.Rules[0].Terms, p.inTable)
	}
}

// inTable adds a term of the only rule to the table of its column, and returns whether there is one.
func (p *printer) inTable(t page.Term) bool {
	i := slices.IndexFunc(p.page.Tables, func(o page.Table) bool { return o.Column == t.Column && o.Knots != nil })
	if i < 0 || t.From != nil || t.To != nil {
		return false
	}
	for k, at := range p.page.Tables[i].Knots {
		e := &p.page.Tables[i].Entries[k]
		*e = roundNear(*e+float64(t.Slope*(at-t.At)), p.step)
	}
	return true
}

// stepOf returns what values of a target are rounded to, for its standard deviation and an error in multiples of this.
func stepOf(sd, error float64) float64 { return sd * min(max(error/10, 1e-4), 0.01) }

// error returns the root mean square error of a version at its own rows.
func (v *version) error() float64 {
	sum := 0.0
	for i, p := range v.predict(v.f, v.parts, v.leafs()) {
		sum += float64(v.f.weight[i] * float64((p-v.y[i])*(p-v.y[i])))
	}
	return math.Sqrt(sum / numeric.WeightSum(v.f.weight, v.f.n))
}

// rule returns the conditions and terms of leaf l.
func (p *printer) rule(l int) page.Rule {
	r := page.Rule{Conditions: p.f.conditions(p.tree[l].path)}
	rows := p.tree[l].rows
	var terms []rounding
	for i, k := range p.tree[l].terms {
		if at := p.first[l] + 1 + i; p.in[at] {
			if t := p.rounding(&p.f.terms[k], p.w[at], rows); t.effect() >= p.step/2 { // less is rounded away
				terms = append(terms, t)
			}
		}
	}
	centreTerms(terms, 0, p.step)
	for _, t := range terms {
		r.Terms = append(r.Terms, withoutIdleCaps(t.Term, r.Conditions))
	}
	return r
}

// centreTerms rounds the centres of the terms of a rule, which together are to make up for what is owed to the mean of its rows: what
// rounding a centre takes from it is given to the next term, of less effect.
func centreTerms(terms []rounding, owed, step float64) {
	order := make([]int, len(terms))
	for i := range order {
		order[i] = i
	}
	rank := func(t *rounding) float64 { // levels have no centre: they come first
		if t.Level != "" {
			return math.Inf(1)
		}
		return t.effect()
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rank(&terms[j]), rank(&terms[i])) })
	for n, i := range order {
		rest := step / 2 // that the next term can make up for
		if n+1 < len(order) {
			rest = terms[order[n+1]].effect()
		}
		owed = terms[i].centre(owed, rest, step)
	}
}

// withoutIdleCaps returns the term without the caps that no value reaches where the conditions hold.
func withoutIdleCaps(t page.Term, conditions []page.Condition) page.Term {
	for _, c := range conditions {
		if c.Column != t.Column {
			continue
		}
		if t.From != nil && c.Above != nil && c.Above.From >= *t.From {
			t.From = nil
		}
		if t.To != nil && c.AtMost != nil && c.AtMost.To <= *t.To {
			t.To = nil
		}
	}
	return t
}

// rounding is a term on the way to the page.
type rounding struct {
	page.Term
	mean, sd float64 // of the term's values in the rows
	slope    float64 // of a level the difference of Yes and No
}

func (t *rounding) effect() float64 { return math.Abs(t.slope) * t.sd }

// rounding returns the term with weight w, with its slope rounded.
func (p *printer) rounding(t *term, w float64, rows []int32) rounding {
	c := &p.f.columns[t.column]
	r := rounding{Term: page.Term{Column: c.Name}, slope: w * p.sd / t.sd}
	at := func(i int32) float64 {
		if t.level < 0 {
			return min(max(c.Values[i], t.from), t.to)
		}
		if c.Codes[i] == t.level {
			return 1
		}
		return 0
	}
	total, squares := 0.0, 0.0
	for _, i := range rows {
		w := p.f.weight[i]
		total += w
		r.mean += float64(w * at(i))
	}
	r.mean /= total
	for _, i := range rows {
		e := at(i) - r.mean
		squares += float64(p.f.weight[i] * float64(e*e))
	}
	r.sd = math.Sqrt(squares / total)
	if t.level >= 0 {
		r.Level = c.Levels[t.level]
		return r
	}
	digits := 3
	if r.effect() < 0.05*p.sd {
		digits = 2
	}
	r.slope = numeric.Round(r.slope, digits)
	r.Slope = r.slope
	if t.capped[0] {
		r.From = &t.from
	}
	if t.capped[1] {
		r.To = &t.to
	}
	return r
}

// centre rounds the centre so that the mean of the term makes up for what is owed, to this rest, and returns what is then owed.
func (t *rounding) centre(owed, rest, step float64) float64 {
	if t.Level != "" {
		t.Yes, t.No = roundNear(t.slope*(1-t.mean), step), roundNear(-t.slope*t.mean, step)
		return owed - float64(t.mean*t.Yes) - float64((1-t.mean)*t.No)
	}
	if t.slope == 0 {
		t.At = roundNear(t.mean, t.sd/5)
		return owed
	}
	shift := min(max(owed/t.slope, -t.sd/2), t.sd/2)
	t.At = roundNear(t.mean-shift, min(t.sd/5, rest/math.Abs(t.slope)))
	return owed - float64(t.slope*(t.mean-t.At))
}

// conditions returns the conditions of a path, one of each column.
func (f *frame) conditions(path []side) (all []page.Condition) {
	var columns []int
	for _, s := range path {
		if slices.Contains(columns, s.column) {
			continue
		}
		columns = append(columns, s.column)
		c := &f.columns[s.column]
		if c.isCategory() {
			all = append(all, f.levelCondition(path, s.column))
			continue
		}
		first, end := 0, c.bins
		for _, t := range path {
			if t.column == s.column {
				if b := slices.Index(t.bins, false); t.right {
					first = max(first, b)
				} else {
					end = min(end, b)
				}
			}
		}
		condition := page.Condition{Column: c.Name}
		if first > 0 {
			condition.Above = border(c.borders[first-1])
		}
		if end < c.bins {
			condition.AtMost = border(c.borders[end-1])
		}
		all = append(all, condition)
	}
	return all
}

func border(v float64) *page.Border { return &page.Border{At: v, From: v, To: v} }

// levelCondition returns the condition of a path on a category: where the cells that are none of the levels hold, by the levels that do
// not.
func (f *frame) levelCondition(path []side, column int) page.Condition {
	c := &f.columns[column]
	holds := make([]bool, c.bins)
	for b := range holds {
		holds[b] = !slices.ContainsFunc(path, func(s side) bool { return s.column == column && s.bins[b] == s.right })
	}
	out := page.Condition{Column: c.Name, Not: holds[c.bins-1]}
	for b, l := range c.levels {
		if holds[b] != out.Not {
			out.Levels = append(out.Levels, c.Levels[l])
		}
	}
	return out
}

// columns lists the columns that the page mentions.
func (p *printer) columns() {
	type column struct {
		name   string
		levels bool
	}
	named := map[column]bool{}
	terms := p.page.Terms
	for _, r := range p.page.Rules {
		for _, c := range r.Conditions {
			named[column{c.Column, c.Levels != nil}] = true
		}
		terms = append(slices.Clip(terms), r.Terms...)
	}
	for _, t := range terms {
		named[column{t.Column, t.Level != ""}] = true
	}
	for _, t := range p.page.Tables {
		named[column{t.Column, t.Groups != nil}] = true
	}
	for j := range p.f.columns {
		c := &p.f.columns[j]
		if !named[column{c.Name, c.Levels != nil}] {
			continue
		}
		out := page.Column{Name: c.Name, Unit: c.Unit, Levels: c.Levels}
		switch n := len(p.page.Columns); {
		case c.Beside && n > 0 && p.page.Columns[n-1].Name == c.Name:
			p.page.Columns[n-1].Own = true
			continue
		case c.Beside:
			out.Levels, out.Own = nil, true
		case c.Levels == nil:
			out.Low, out.High = c.low, c.high
		}
		p.page.Columns = append(p.page.Columns, out)
	}
}

// describe sets what the rules are about, centred by the rounded page, and what they say about their rows.
func (p *printer) describe(leaf []int) {
	pg := p.page
	value, factor := rest(pg, p.s, leaf)
	for l := range pg.Rules {
		r, rows := &pg.Rules[l], p.tree[l].rows
		left, y, weight := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
		same := true
		for i, n := range rows {
			left[i], y[i], weight[i] = p.s.Y[n]/factor[n]-value[n], p.s.Y[n], p.f.weight[n]
			same = same && left[i] == left[0]
		}
		r.Rows, r.Mean = len(rows), roundNear(numeric.WeightedMean(y, weight), p.step)
		for i, n := range rows {
			weight[i] = float64(weight[i] * float64(factor[n]*factor[n]))
		}
		r.About = roundNear(numeric.WeightedMean(left, weight), p.step)
		if same && (left[0] == 0 || !pg.Factors) {
			r.About = left[0]
		}
		for i, n := range rows {
			left[i] = math.Abs(min(max(float64(factor[n]*(r.About+value[n])), pg.Low), pg.High) - y[i])
		}
		r.Within = nineInTen(left, p.step)
	}
}
