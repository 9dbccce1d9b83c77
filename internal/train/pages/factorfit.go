package pages

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// factor returns the product of the factors of each row, but one of them; -1: of all.
func (v *version) factor(but int) []float64 {
	out := slices.Repeat([]float64{1}, v.f.n)
	for t, values := range v.factors {
		if p := &v.parts[v.tables[t].part]; t != but {
			for i := range out {
				out[i] *= p.value(values, i)
			}
		}
	}
	return out
}

// rule returns the value of the rule of each row.
func (v *version) rule() []float64 {
	g := v.rulesAt(v.f, v.leafs())
	for i := range g {
		g[i] += v.offset
	}
	return g
}

// fit fits rules and factors by turns, each time to what the others leave, until the squared error hardly falls.
func (v *version) fit() {
	v.fitRules()
	last := math.Inf(1)
	for range mostTurns {
		e := v.error()
		if e *= e; len(v.tables) == 0 || !(e < settled*last) {
			return
		}
		last = e
		g := v.rule()
		for t := range v.tables {
			v.fitFactor(t, g)
		}
		for t, values := range v.factors { // mean one
			p, mean := &v.parts[v.tables[t].part], 0.0
			for i, w := range v.factored.f.weight {
				mean += float64(w * p.value(values, i))
			}
			mean /= numeric.WeightSum(v.factored.f.weight, v.f.n)
			for k := range values {
				values[k] /= mean
			}
		}
		v.fitRules()
	}
}

// fitRules fits the constants and terms of the rules.
func (v *version) fitRules() {
	t := slices.Clone(v.tree)
	var unknowns []int // of the terms that are not taken out
	for l := range t {
		unknowns, t[l].terms = append(unknowns, v.first[l]), nil
		for k, term := range v.tree[l].terms {
			if u := v.first[l] + 1 + k; v.in[u] {
				unknowns, t[l].terms = append(unknowns, u), append(t[l].terms, term)
			}
		}
	}
	clear(v.w)
	for k, w := range v.over(v.factor(-1)).newDraft(t, nil).solve().weights() {
		v.w[unknowns[k]] = w
	}
}

// fitFactor fits the entries of factor t to what the rules' values g and the other factors leave.
func (v *version) fitFactor(t int, g []float64) {
	p, shapes, times, target := &v.parts[v.tables[t].part], v.shapes(t), v.factor(t), make([]float64, v.f.n)
	for i := range times {
		times[i] *= g[i]
		target[i] = v.factored.y[i] + v.offset
	}
	clear(v.factors[t])
	for e, entry := range p.entries(shapes, times, target, v.factored.f.weight) {
		for k, s := range shapes[e] {
			v.factors[t][k] += float64(entry * s)
		}
	}
}

// entries returns the entries of a table by which the values times [n] are to be multiplied to be nearest to the target [n], but a little
// nearer to one. The value of the table at its points is the sum of the entries times their shapes [entries][points].
func (p *part) entries(shapes [][]float64, times, target, weight []float64) []float64 {
	n, m := p.points(), len(shapes)
	own, next, right, sum := make([]float64, n), make([]float64, n), make([]float64, n), 0.0
	for i, k := range p.at {
		w := float64(weight[i] * times[i])
		y := float64(w * target[i])
		w = float64(w * times[i])
		sum += w
		if p.knots == nil {
			own[k] += w
			right[k] += y
			continue
		}
		high, up := float64(w*p.share[i]), float64(y*p.share[i])
		both := float64(high * p.share[i])
		right[k] += y - up
		right[k+1] += up
		own[k] += w - high - (high - both)
		next[k] += high - both
		own[k+1] += both
	}
	a, ridge, width := make([]float64, (m+1)*(m+1)), slices.Repeat([]float64{float64(towardsOne * sum)}, m), m+1
	for i, p := range shapes {
		for j, q := range shapes {
			for k, w := range own {
				a[i*width+j] += float64(w * float64(p[k]*q[k]))
				if k+1 < n {
					a[i*width+j] += float64(next[k] * (float64(p[k]*q[k+1]) + float64(p[k+1]*q[k])))
				}
			}
		}
		for k, y := range right {
			a[i*width+m] += float64(y * p[k])
		}
		a[i*width+m] += ridge[i]
		a[m*width+i] = a[i*width+m]
	}
	w, _ := solution(a, ridge, nil)
	for e, v := range w {
		w[e] = min(max(v, leastFactor), mostFactor)
	}
	return w
}

// shapes returns the functions [entries][points] of the entries of factor t: they sum to one.
func (v *version) shapes(t int) (all [][]float64) {
	at, table := v.place(t), v.tables[t]
	p := &v.parts[table.part]
	rest := slices.Repeat([]float64{1}, p.points())
	if p.knots == nil {
		for g, group := range table.groups {
			if v.in[at+g] {
				shape := make([]float64, p.points())
				for _, i := range group {
					shape[i-p.first], rest[i-p.first] = 1, 0
				}
				all = append(all, shape)
			}
		}
		return append(all, rest)
	}
	if !v.in[at] {
		return [][]float64{rest}
	}
	knots := v.knots(t)
	for e, k := range knots {
		shape := make([]float64, len(p.knots))
		shape[k] = 1
		if e > 0 {
			for h := knots[e-1]; h < k; h++ {
				shape[h] = (p.knots[h] - p.knots[knots[e-1]]) / (p.knots[k] - p.knots[knots[e-1]])
			}
		}
		if e+1 < len(knots) {
			for h := k + 1; h < knots[e+1]; h++ {
				shape[h] = (p.knots[knots[e+1]] - p.knots[h]) / (p.knots[knots[e+1]] - p.knots[k])
			}
		}
		all = append(all, shape)
	}
	return all
}

// turns is how often factors and all else are fitted to what the others leave, when a page is fitted again.
const turns = 20

// factor returns the product of the factors of a page at each row.
func (e evaluation) factor(pg *page.Page) []float64 {
	all := slices.Repeat([]float64{1}, len(e.out))
	if !pg.Factors {
		return all
	}
	for _, t := range pg.Tables {
		e.out = make([]float64, len(all))
		e.table(t)
		for i, v := range e.out {
			all[i] *= v
		}
	}
	return all
}

// addFactor adds a table of factors, whose entries are those that the fit starts from.
func (f *fitted) addFactor(t *page.Table) {
	t.Entries = slices.Clone(t.Entries)
	c := f.s.column(t.Column, t.Groups != nil)
	p := part{knots: t.Knots, size: len(t.Entries)}
	if t.Knots != nil {
		p.at, p.share = among(t.Knots, c.Values)
	} else {
		group := make([]uint8, len(c.Levels)+1)
		for k := range group {
			group[k] = uint8(len(t.Groups))
			for g, levels := range t.Groups {
				if k < len(c.Levels) && slices.Contains(levels, c.Levels[k]) {
					group[k] = uint8(g)
				}
			}
		}
		for _, k := range c.Codes {
			p.at = append(p.at, group[k])
		}
	}
	f.factors = append(f.factors, p)
}

// fitFactors fits the entries of all factors by turns with the rules, whose values rule fits and returns.
func (f *fitted) fitFactors(rule func() []float64) {
	if len(f.factors) == 0 {
		return
	}
	target := make([]float64, len(f.weight))
	for i, y := range f.s.Y {
		target[i] = y / f.sd
	}
	for range turns {
		g := rule()
		for t := range f.factors {
			p, entries := &f.factors[t], f.page.Tables[t].Entries
			times := f.factor(f.page)
			for i := range times {
				times[i] *= g[i] / p.value(entries, i)
			}
			copy(entries, p.entries(identity(len(entries)), times, target, f.weight))
		}
		for t := range f.factors { // mean one
			p, entries, mean := &f.factors[t], f.page.Tables[t].Entries, 0.0
			for i, w := range f.weight {
				mean += float64(w * p.value(entries, i))
			}
			mean /= sumOf(f.weight)
			for k := range entries {
				entries[k] /= mean
			}
		}
	}
	rule()
}

// identity returns the unit matrix.
func identity(n int) [][]float64 {
	all := make([][]float64, n)
	for k := range all {
		all[k] = make([]float64, n)
		all[k][k] = 1
	}
	return all
}
