package pages

import (
	"slices"

	"github.com/tskgraph/tskgraph/page"
)

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
	c := &f.s.Columns[f.columns[t.Column]]
	p := part{knots: t.Knots, size: len(t.Entries)}
	if t.Knots != nil {
		p.locate(&column{Column: *c})
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
