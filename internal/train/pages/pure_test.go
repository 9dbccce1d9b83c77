package pages

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// TestPure: where a shop is closed a rule says 0, by a level or by a number; one row of another target, or few rows, make none.
func TestPure(t *testing.T) {
	for name, c := range map[string]struct {
		column Column
		closed func(i int) bool
		want   string
	}{
		"level":    {Column{Name: "day", Levels: []string{"mo", "su", "tu"}}, func(i int) bool { return i%3 == 1 }, "day is su"},
		"number":   {Column{Name: "hour"}, func(i int) bool { return i%24 >= 20 }, "hour is above 19"},
		"too few":  {Column{Name: "hour"}, func(i int) bool { return i%24 >= 20 && i < 100 }, ""},
		"but one":  {Column{Name: "day", Levels: []string{"mo", "su", "tu"}}, func(i int) bool { return i%3 == 1 && i != 301 }, ""},
		"mostly":   {Column{Name: "day", Levels: []string{"mo", "su", "tu"}}, func(i int) bool { return i%160 != 0 }, ""},
		"no value": {Column{Name: "day", Levels: []string{"mo", "su", "tu"}}, func(int) bool { return false }, ""},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		s := Samples{Target: "sales", Columns: []Column{c.column, {Name: "price"}}}
		for i := range 480 {
			s.Columns[0].Values, s.Columns[0].Codes = append(s.Columns[0].Values, float64(i%24)), append(s.Columns[0].Codes, i%3)
			price := numeric.Round(1+5*r.Float64(), 3)
			s.Columns[1].Values = append(s.Columns[1].Values, price)
			y := 200 - 10*price + 3*numeric.Normal(r)
			if c.closed(i) {
				y = 0
			}
			s.Y = append(s.Y, y)
		}
		if s.Columns[0].Levels != nil {
			s.Columns[0].Values = nil
		} else {
			s.Columns[0].Codes = nil
		}
		f, found := newFrame(s), ""
		if f.pure.bins != nil {
			for _, right := range []bool{false, true} {
				for _, cond := range f.conditions([]side{{f.pure.column, f.pure.bins, right}}) {
					if all := rowsThatMeet(s, cond); len(all) > 0 && s.Y[all[0]] == 0 {
						found = condText(cond)
					}
				}
			}
		}
		testenv.Equal(t, found, c.want, "%s", name)
		if c.want == "" {
			continue
		}
		says := 0
		for _, rule := range testenv.Must(Find(t.Context(), s, everything)).Page.Rules {
			if rule.About == 0 && rule.Mean == 0 && len(rule.Terms) == 0 {
				says++
			}
		}
		testenv.Equal(t, says, 1, "%s: rules that say 0", name)
	}
}

// rowsThatMeet returns the rows that a condition holds of.
func rowsThatMeet(s Samples, c page.Condition) (rows []int) {
	for i, g := range s.shares(&page.Page{Rules: []page.Rule{{Conditions: []page.Condition{c}}}})[0] {
		if g == 1 {
			rows = append(rows, i)
		}
	}
	return rows
}

// condText returns a condition as a page writes it.
func condText(c page.Condition) string {
	switch {
	case c.Above != nil:
		return c.Column + " is above " + numeric.Show(c.Above.At, -1)
	case c.Not || len(c.Levels) != 1:
		return c.Column + " is not one level"
	}
	return c.Column + " is " + c.Levels[0]
}

// TestActing: a rule has no slope that two of its rows tell.
func TestActing(t *testing.T) {
	s := Samples{Target: "y", Columns: []Column{{Name: "x"}}}
	for i := range 200 {
		x := float64(i % 5)
		if i < 2 {
			x = 10
		}
		s.Columns[0].Values, s.Y = append(s.Columns[0].Values, x), append(s.Y, x)
	}
	f := newFrame(s)
	rows, all := sample(200, 200), make([]int, len(f.terms))
	for k := range all {
		all[k] = k
	}
	for _, k := range f.acting(all, rows) {
		if v := f.terms[k]; v.from >= 4 {
			t.Errorf("a term from %v to %v", v.from, v.to)
		}
	}
	testenv.Equal(t, len(f.acting(all, rows[:2])), 0, "terms of two rows")
}

// TestRampsAreMeasured: of noise in groups, ramps that fit the groups of all folds do not make a page that is said to err less than the
// mean, nor one with more numbers.
func TestRampsAreMeasured(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := Samples{Target: "y", Columns: []Column{{Name: "a"}, {Name: "b"}}}
		const groups, each = 30, 10
		folds := make([]Fold, 10)
		for g := range groups {
			a, b, level := 10*r.Float64(), 10*r.Float64(), 5*numeric.Normal(r)
			for i := range each {
				row := g*each + i
				s.Columns[0].Values = append(s.Columns[0].Values, numeric.Round(a+0.05*r.Float64(), 4))
				s.Columns[1].Values = append(s.Columns[1].Values, numeric.Round(b+0.05*r.Float64(), 4))
				s.Y, s.Groups = append(s.Y, level+0.1*numeric.Normal(r)), append(s.Groups, g)
				for k := range folds {
					if g%10 == k {
						folds[k].Held = append(folds[k].Held, row)
					} else {
						folds[k].Train = append(folds[k].Train, row)
					}
				}
			}
		}
		s.Folds = folds
		pg := testenv.Must(Find(t.Context(), s, everything)).Page
		_, _, sd := scaled(s.Y, nil)
		if size, ok := pg.Size(); !ok || size.RMSE < 0.7*sd || math.IsNaN(size.RMSE) {
			t.Errorf("seed %d: error %v of noise with the deviation %v:\n%s", seed, size.RMSE, sd, pg)
		}
	}
}
