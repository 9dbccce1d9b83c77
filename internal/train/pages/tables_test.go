package pages

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// bentSamples adds a table of the first column, with knots at 30 and 50, to the samples' target, and groups of a category of five levels.
func bentSamples(n int, noise float64) Samples {
	s := samples(n, noise)
	color := Column{Name: "color", Levels: []string{"red", "green", "blue", "white", "black"}}
	for i, age := range s.Columns[0].Values {
		k := (i*7 + i/5) % 5
		color.Codes = append(color.Codes, k)
		s.Y[i] += float64(0.8*min(max(age, 30), 50)) + []float64{0, 6, 0, 6, 0}[k]
	}
	s.Columns = append(s.Columns, color)
	return s
}

// values are those of a page at the rows of its leaves.
func values(pg *page.Page, s Samples, leaf []int) []float64 {
	v, factor := rest(pg, s, leaf)
	for i := range v {
		v[i] = (v[i] + pg.Rules[leaf[i]].About) * factor[i]
	}
	return v
}

// TestTables finds the knots of a target's table, and its groups of levels, again.
func TestTables(t *testing.T) {
	testenv.SkipRace(t)
	s := bentSamples(900, 0.01)
	f := newFrame(s)
	y, mean, sd := scaled(s.Y, nil)
	trees := testenv.Must(f.trees(t.Context(), y, everything))
	for l := range trees[2] { // only tables know the levels
		leaf := &trees[2][l]
		leaf.terms = slices.DeleteFunc(leaf.terms, func(k int) bool { return f.terms[k].level >= 0 })
	}
	d := newBasis(f, y, y).newDraft(trees[2], []int{0, 1, 2, 3})
	d.tabulate(2)
	v := d.solve().path([]int{math.MaxInt})[0]
	pg := v.print(s, mean, sd, everything.limits(s))
	var knots []float64
	var groups [][]string
	for _, table := range pg.Tables {
		if knots = append(knots, table.Knots...); table.Groups != nil {
			groups = table.Groups
		}
	}
	testenv.Equal(t, groups, [][]string{{"green", "white"}}, "groups of levels")
	if i, j := slices.Index(knots, 30), slices.Index(knots, 50); i < 0 || j < 0 {
		t.Errorf("knots %v, without 30 and 50", knots)
	}
	if e := math.Sqrt(squares(values(pg, s, d.leafs()), s.Y) / 900); e > 0.35 {
		t.Errorf("a page of the target's own shape errs by %v", e)
	}
}

func squares(a, b []float64) (sum float64) {
	for i := range a {
		sum += float64((a[i] - b[i]) * (a[i] - b[i]))
	}
	return sum
}

// TestPrinted holds all pages of all sizes against the versions that they print: numbers, errors, and means of rules.
func TestPrinted(t *testing.T) {
	testenv.SkipRace(t)
	s := bentSamples(400, 3)
	o := everything.limits(s)
	budgets := []int{80, 40, 20, 1}
	y, mean, sd := scaled(s.Y, nil)
	f := newFrame(s)
	drafts := testenv.Must(grow(t.Context(), f, y, o, anyTables))
	pages, factors := 0, 0
	for _, sizes := range append(drafts, testenv.Must(growFactors(t.Context(), f, y, mean/sd, o))...) {
		for _, d := range sizes {
			for b, v := range d.solve().path(budgets) {
				if v == nil {
					continue
				}
				pg := v.print(s, mean, sd, o)
				if err := pg.Validate(); err != nil {
					t.Fatalf("%v:\n%s", err, pg)
				}
				if rules := len(pg.Rules); pg.Factors {
					for _, table := range pg.Tables {
						rules *= len(table.Entries)
					}
					if factors++; rules > mostRules {
						t.Errorf("a page of %d rules in all:\n%s", rules, pg)
					}
				}
				if n := pg.Numbers(); n != v.numbers || n > budgets[b] {
					t.Fatalf("%d numbers on a page of %d, within a budget of %d: %+v", n, v.numbers, budgets[b], pg)
				}
				exact := v.predict(d.f, d.parts, d.leafs())
				for i := range exact {
					exact[i] = mean + float64(sd*exact[i])
				}
				was, is := math.Sqrt(squares(exact, s.Y)), math.Sqrt(squares(values(pg, s, d.leafs()), s.Y))
				if math.Abs(is/was-1) > 0.002 {
					t.Errorf("rounding changes the error from %v to %v", was, is)
				}
				for l, r := range pg.Rules {
					gap := 0.0
					for _, i := range d.tree[l].rows {
						gap += (r.About - s.Y[i]) / sd / float64(r.Rows)
					}
					if math.Abs(gap) > 0.01 && pg.Tables == nil && pg.Terms == nil {
						t.Errorf("about %v, %v sd beside the mean", r.About, gap)
					}
				}
				pages++
			}
		}
	}
	if pages < 70 || factors < 15 {
		t.Errorf("%d pages, %d of them with factors", pages, factors)
	}
}

// TestWeights fits rows of weight two as it fits rows that occur twice.
func TestWeights(t *testing.T) {
	testenv.SkipRace(t)
	s := bentSamples(300, 1)
	s.Weight = make([]float64, 300)
	var twice []int
	for i := range s.Weight {
		s.Weight[i] = float64(1 + i%2)
		twice = append(twice, slices.Repeat([]int{i}, 1+i%2)...)
	}
	f := newFrame(s)
	repeated := s.at(twice)
	repeated.Weight = nil
	y, _, _ := scaled(s.Y, s.Weight)
	tree := testenv.Must(f.trees(t.Context(), y, everything))[1]
	weights := func(f *frame, y []float64) ([]float64, []table) {
		own := slices.Clone(tree)
		for l, rows := range f.leafOf(tree) {
			if l == 0 {
				for k := range own {
					own[k].rows = nil
				}
			}
			own[rows].rows = append(own[rows].rows, int32(l))
		}
		d := newBasis(f, y, y).newDraft(own, []int{0, 1, 2})
		d.tabulate(2)
		return d.solve().weights(), d.tables
	}
	w, tables := weights(f, y)
	again, others := weights(f.applied(repeated), pick(y, twice))
	testenv.Equal(t, others, tables, "tables")
	for k := range w {
		if math.Abs(w[k]-again[k]) > 1e-6*(1+math.Abs(w[k])) {
			t.Errorf("weight %d: %v of rows that occur twice, %v", k, again[k], w[k])
		}
	}
}

// TestConstantRule says of rows whose target is always the same just that.
func TestConstantRule(t *testing.T) {
	testenv.SkipRace(t)
	s := samples(400, 0.5)
	for i, smoker := range s.Columns[2].Codes {
		if smoker == 1 {
			s.Y[i] = 1.2345
		}
	}
	pg := testenv.Must(Find(t.Context(), s, everything)).Page
	i := slices.IndexFunc(pg.Rules, func(r page.Rule) bool { return r.About == 1.2345 })
	if i < 0 || pg.Rules[i].Terms != nil || pg.Rules[i].Within != 0 || pg.Tables != nil {
		t.Errorf("no rule is about 1.2345 alone: %+v", pg.Rules)
	}
}

// TestErrors refuses samples that have no page.
func TestErrors(t *testing.T) {
	s := samples(50, 1)
	s.Y[3] = math.NaN()
	_, err := Find(t.Context(), s, everything)
	testenv.FailsWith(t, err, "not finite")
	for _, large := range []func(s *Samples) *float64{func(s *Samples) *float64 { return &s.Y[3] },
		func(s *Samples) *float64 { return &s.Columns[0].Values[3] }} {
		s := samples(50, 1)
		*large(&s) = -1e61
		_, err = Find(t.Context(), s, everything)
		testenv.FailsWith(t, err, "beyond 1e+60")
	}
	_, err = Find(t.Context(), Samples{}, everything)
	testenv.FailsWith(t, err, "rows")
	same := samples(50, 1)
	for i := range same.Y {
		same.Y[i] = 7
	}
	pg := testenv.Must(Find(t.Context(), same, everything)).Page
	testenv.Equal(t, []float64{float64(len(pg.Rules)), pg.Rules[0].About}, []float64{1, 7}, "rules of a constant target, about")
}

// BenchmarkFind finds the page of 1,000 rows of four columns.
func BenchmarkFind(b *testing.B) {
	s := bentSamples(1000, 3)
	for b.Loop() {
		testenv.Must(Find(b.Context(), s, everything))
	}
}
