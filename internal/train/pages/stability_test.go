package pages

import (
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// TestStability finds clear rules again in all samples, and rules of noise in few.
func TestStability(t *testing.T) {
	testenv.SkipRace(t)
	clear := testenv.Must(Find(t.Context(), samples(900, 0.3), everything)).Page
	for k, r := range clear.Rules {
		testenv.Equal(t, r.Again.Found, resamples, "samples in which a clear rule is found")
		for _, b := range r.Again.Borders {
			if b[0] > 30 || b[1] < 30 || b[1]-b[0] > 2 {
				t.Errorf("rule %d: the border is between %v and %v, and lies at 30", k+1, b[0], b[1])
			}
		}
	}
	if clear.Moved > 0.1 {
		t.Errorf("predictions move by %v", clear.Moved)
	}
	other := clear.Rules[1]
	other.Conditions = []page.Condition{{Column: "age", Above: border(40)}}
	if alike(other.Conditions, clear.Rules[1].Conditions) {
		t.Error("a rule on another column is the same")
	}
}

// TestSteadiest prefers the page whose rules most samples have, and draws groups as a whole.
func TestSteadiest(t *testing.T) {
	near := []score{{setting: setting{rules: 2}}, {setting: setting{rules: 3}}, {setting: setting{rules: separateRules + 1}}}
	found := func(again ...bool) (all []places) {
		for _, f := range again {
			if all = append(all, nil); f {
				all[len(all)-1] = places{}
			}
		}
		return all
	}
	all := [][][]places{{found(true, false), found(false, false)}, {found(true, true, true), found(true, true, false)},
		{found(true), found(true)}}
	testenv.Equal(t, foundAgain(all[0]), 0.25, "rules of the first found again")
	testenv.Equal(t, []int{steadiest(near, all), steadiest(near[:1], all), steadiest(near[2:], all)}, []int{1, 0, 0},
		"places of the steadiest")
	s := Samples{Y: make([]float64, 90), Groups: make([]int, 90)}
	for i := range s.Groups {
		s.Groups[i] = i / 30
	}
	total := 0.0
	for i, times := range s.draw(rand.New(rand.NewPCG(1, 1))) {
		if total += times; i%30 > 0 && times != s.draw(rand.New(rand.NewPCG(1, 1)))[i-1] {
			t.Fatalf("row %d is drawn %v times, not as the row of its group before", i, times)
		}
	}
	testenv.Equal(t, total, 90.0, "rows drawn")
}

// TestSeparation counts the means of the sides of splits, and finds the split that separates them most.
func TestSeparation(t *testing.T) {
	s := samples(900, 0.3)
	f, y := newFrame(s), standard(s.Y, nil)
	o := everything
	root := func(o Options) (column int) {
		found := f.newSearch(y, o)
		n := &node{rows: sample(len(found.m.rows), len(found.m.rows))}
		found.with(func(w *scratch) { n.fit = found.m.fit(w, n.rows, nil) })
		found.expand(n)
		b := n.splits[0]
		if gain := b.criterion - b.value; (gain > 0) != (o.means != nil) {
			t.Errorf("%v counts of the means", gain)
		}
		return b.column
	}
	root(o)
	o.means = make([]float64, len(y))
	for i, bmi := range s.Columns[1].Values {
		if bmi > 30 {
			o.means[i] = 10
		}
	}
	testenv.Equal(t, s.Columns[root(o)].Name, "bmi", "the column that separates the means")
}
