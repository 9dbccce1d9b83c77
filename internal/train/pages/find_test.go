package pages

import (
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

var everything = Options{Numbers: 80, Rules: 8, Conditions: 3, Terms: 4, Low: math.Inf(-1), High: math.Inf(1), Seed: 1}

// samples has two columns of numbers and a category, and the target of three rules and a table, with noise of this size.
func samples(n int, noise float64) Samples {
	r := rand.New(rand.NewPCG(1, 2))
	s := Samples{Target: "charges", Columns: []Column{{Name: "age"}, {Name: "bmi"}, {Name: "smoker", Levels: []string{"no", "yes"}}}}
	age, bmi, smoker := &s.Columns[0], &s.Columns[1], &s.Columns[2]
	for range n {
		a, b, c := math.Floor(18+47*r.Float64()), numeric.Round(30+6*numeric.Normal(r), 3), 0
		if r.Float64() < 0.4 {
			c = 1
		}
		age.Values, bmi.Values, smoker.Codes = append(age.Values, a), append(bmi.Values, b), append(smoker.Codes, c)
		y := 8 + 0.25*a
		switch {
		case c == 1 && b > 30:
			y = 40 + 0.5*(b-30)
		case c == 1:
			y = 20
		}
		s.Y = append(s.Y, y+noise*numeric.Normal(r))
	}
	return s
}

// TestFind finds a partition with slopes again, and the same page on any number of processors.
func TestFind(t *testing.T) {
	s := samples(900, 0.3)
	stages, o := map[string]int{}, everything
	o.OnStep = func(stage string, done, total int) {
		if stages[stage]++; stages[stage] != done+1 || done > total {
			t.Errorf("call %d of stage %s: %d of %d", stages[stage], stage, done, total)
		}
	}
	var reported []*page.Page
	o.OnPage = func(pg *page.Page) { reported = append(reported, pg) }
	found := testenv.Must(Find(t.Context(), s, o))
	if len(reported) != 2 || reported[0].Validate() != nil || reported[1].Validate() != nil ||
		stages[StageSearch] == 0 || stages[StageSamples] != resamples+1 || stages[StageRamps] == 0 {
		t.Errorf("%d provisional pages, calls %v", len(reported), stages)
	}
	var borders int
	for _, r := range found.Page.Rules {
		for _, c := range r.Conditions {
			if c.Column == "bmi" {
				border := c.Above
				if border == nil {
					border = c.AtMost
				}
				testenv.Equal(t, border.At, 30.0, "the border of bmi")
				borders++
			}
		}
	}
	testenv.Equal(t, []int{len(found.Page.Rules), borders, len(found.Page.Tables)}, []int{3, 2, 0}, "rules, their borders of bmi, tables")
	was := runtime.GOMAXPROCS(3 - min(2, runtime.GOMAXPROCS(0)))
	again := testenv.Must(Find(t.Context(), s, everything))
	runtime.GOMAXPROCS(was)
	if !reflect.DeepEqual(found, again) {
		t.Error("another number of processors finds another page")
	}
}

// TestWithoutIdleCaps removes the caps that the conditions of a rule make needless, and no others.
func TestWithoutIdleCaps(t *testing.T) {
	four, six := 4.0, 6.0
	term := page.Term{Column: "age", From: &four, To: &six}
	for _, c := range []struct {
		conditions []page.Condition
		from, to   bool
	}{
		{nil, true, true},
		{[]page.Condition{{Column: "bmi", Above: border(5), AtMost: border(5)}}, true, true},
		{[]page.Condition{{Column: "age", Above: border(4)}}, false, true},
		{[]page.Condition{{Column: "age", Above: border(3.9), AtMost: border(6.1)}}, true, true},
		{[]page.Condition{{Column: "age", AtMost: border(6)}}, true, false},
		{[]page.Condition{{Column: "age", AtMost: &page.Border{At: 6, From: 5, To: 7}}}, true, true},
	} {
		got := withoutIdleCaps(term, c.conditions)
		testenv.Equal(t, []bool{got.From != nil, got.To != nil}, []bool{c.from, c.to}, "caps that are left")
	}
}
