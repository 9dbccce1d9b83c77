package pages

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// TestRefit: a page by hand, with wrong numbers, has those of the samples after a refit, round, and in folds their noise as its error; of a
// structure that is too simple the error is larger. A page of the search that is fitted again hardly changes.
func TestRefit(t *testing.T) {
	testenv.SkipRace(t)
	s := samples(900, 0.3)
	hand := testenv.Must(page.Parse(`charges is the value of the one rule whose IF holds, plus the entries of the tables.
Rule 1 IF smoker is not yes THEN about 1 at age 30, without the tables + 1 per age
Rule 2 IF smoker is yes AND bmi is at most 30 THEN about 1, without the tables
Rule 3 IF smoker is yes AND bmi is above 30 THEN about 7 at bmi 31, without the tables - 1 per bmi
Table age (between entries in proportion) 18: +1, 40: +0, 64: -1`))
	got := testenv.Must(Refit(s, hand, everything))
	values := s.values(got, s.shares(got))
	for r, slope := range map[int]float64{0: 0.25, 2: 0.5} {
		if rule := got.Rules[r]; r == 2 && math.Abs(rule.Terms[0].Slope-slope) > 0.03 || rule.Rows == 0 || rule.Within > 0.8 {
			t.Errorf("rule %d: %+v", r+1, rule)
		}
	}
	for i, v := range values {
		if math.Abs(v-s.Y[i]) > 1.5 {
			t.Fatalf("row %d: %g, want about %g:\n%s", i, v, s.Y[i], got)
		}
	}
	rmse := testenv.Must(CrossValidated(s, hand, everything))
	simple := testenv.Must(page.Parse("charges is the value of the one rule whose IF holds. " +
		"Rule 1 IF always THEN about 0 at age 0 + 1 per age"))
	other := testenv.Must(CrossValidated(s, simple, everything))
	if rmse > 0.33 || rmse < 0.28 || other < 5 {
		t.Errorf("errors %g and %g", rmse, other)
	}
	found := testenv.Must(Find(t.Context(), s, everything)).Page
	again := testenv.Must(Refit(s, found, everything))
	before, after := s.values(found, s.shares(found)), s.values(again, s.shares(again))
	for i := range before {
		if math.Abs(before[i]-after[i]) > 0.2 {
			t.Fatalf("row %d: %g, and %g after a refit:\n%s\n%s", i, before[i], after[i], found, again)
		}
	}
	hand.Columns[0].Name = "weight"
	testenv.FailsWith(t, testenv.Err(Refit(s, hand, everything)), "column weight")
}

// blended has rows of two rules that change over from one to the other between 5-half and 5+half of t.
func blended(n int, half float64) Samples {
	r := rand.New(rand.NewPCG(3, 4))
	s := Samples{Target: "y", Columns: []Column{{Name: "t"}, {Name: "z"}}}
	for range n {
		t, z := numeric.Round(10*r.Float64(), 4), numeric.Round(numeric.Normal(r), 4)
		g := min(max((t-5+half)/(2*half), 0), 1)
		s.Columns[0].Values, s.Columns[1].Values = append(s.Columns[0].Values, t), append(s.Columns[1].Values, z)
		s.Y = append(s.Y, g*(20+3*z)+(1-g)*(10-2*z)+0.3*numeric.Normal(r))
	}
	return s
}

// TestRamps: where two rules change over gradually, their border becomes the ramp, within the limit of numbers; what the page says of
// itself is true of the rows of which a rule has the largest grade. Where they change over at once, nothing changes.
func TestRamps(t *testing.T) {
	hand := testenv.Must(page.Parse(`y is the value of the one rule whose IF holds.
Rule 1 IF t is at most 5 THEN about 10 at z 0 - 2 per z
Rule 2 IF t is above 5 THEN about 20 at z 0 + 3 per z`))
	for _, c := range []struct {
		half    float64
		numbers int
		ramp    page.Border
	}{
		{1.5, 80, page.Border{At: 5, From: 3.6, To: 6.4}}, {0.3, 80, page.Border{At: 5, From: 4.7, To: 5.3}},
		{1.5, 11, page.Border{At: 5, From: 5, To: 5}}, {0.001, 80, page.Border{At: 5, From: 5, To: 5}},
	} {
		s, o := blended(600, c.half), everything
		o.Numbers = c.numbers
		plain := testenv.Must(Refit(s, hand, o))
		got, share, err := withRamps(t.Context(), s, plain, o)
		testenv.OK(t, err)
		testenv.Equal(t, [2]page.Border{*got.Rules[0].Conditions[0].AtMost, *got.Rules[1].Conditions[0].Above}, [2]page.Border{c.ramp, c.ramp},
			"%v: the border", c)
		if ramp := c.ramp.From < c.ramp.To; (share < 1-rampGain) != ramp || (got == plain) == ramp {
			t.Errorf("%v: the share %v of the error is left:\n%s", c, share, got)
		}
		testenv.Equal(t, testenv.Must(page.Parse(got.String())).String(), got.String(), "%v: read again", c)
		strong := strongest(s.shares(got))
		for r, rule := range got.Rules {
			var own []float64
			for i, of := range strong {
				if of == r {
					own = append(own, s.Y[i])
				}
			}
			mean := numeric.WeightedMean(own, nil)
			if rule.Rows != len(own) || math.Abs(rule.Mean-mean) > 0.06 || math.Abs(rule.About-mean) > 0.1 {
				t.Errorf("%v: rule %d says %+v of %d rows of mean %v", c, r+1, rule, len(own), mean)
			}
		}
	}
}

// TestRamped: of rows that change over gradually the page that is found has ramps, and errs less than the one of steps alone.
func TestRamped(t *testing.T) {
	s, o := blended(400, 2), everything
	found := testenv.Must(Find(t.Context(), s, o))
	size, ok := found.Page.Size()
	o.steps = true
	steps := testenv.Must(Find(t.Context(), s, o))
	least, _ := steps.Page.Size()
	if !ok || size.RMSE > 0.9*least.RMSE || !strings.Contains(found.Page.String(), "or of several in proportion") {
		t.Errorf("%+v, and %+v of steps:\n%s", size, least, found.Page)
	}
}

// TestCrossed: the error in cross-validation from products is that of the pages that are fitted to each fold's rows; rows that are held
// out and trained on, too, give less.
func TestCrossed(t *testing.T) {
	s := blended(200, 1)
	hand := testenv.Must(page.Parse(`y is the value of the one rule whose IF holds.
Rule 1 IF t is at most 5, from 4 to 6 in proportion THEN about 10 at z 0 - 2 per z
Rule 2 IF t is above 5, from 4 to 6 in proportion THEN about 20 at z 0 + 3 per z`))
	f := testenv.Must(newFitted(s, hand, everything))
	folds := s.folds(1)
	want := testenv.Must(CrossValidated(s, hand, everything))
	got, _ := f.crossValidated(folds)
	got *= f.sd
	if !(math.Abs(got/want-1) < 2e-3) {
		t.Errorf("%v, want %v", got, want)
	}
	leaky := slices.Clone(folds)
	for k := range leaky {
		leaky[k].Train = nil
		for i := range s.Y {
			leaky[k].Train = append(leaky[k].Train, i)
		}
	}
	if low, _ := f.crossValidated(leaky); !(low*f.sd < 0.995*want) {
		t.Errorf("%v with rows that are trained on, %v without", low, want)
	}
}

// TestSizesWith keeps the sizes that no smaller one equals.
func TestSizesWith(t *testing.T) {
	sizes := []Size{{Numbers: 10, Rules: 2, RMSE: 5}, {Numbers: 20, Rules: 3, RMSE: 4}, {Numbers: 40, Rules: 4, RMSE: 3.5}}
	pg := testenv.Must(page.Parse("y is the value of the one rule whose IF holds. Rule 1 IF always THEN about 1"))
	for i, c := range []struct {
		numbers int // of terms, two each
		rmse    float64
		want    []int
	}{{19, 4, []int{10, 20, 40}}, {23, 3.7, []int{10, 20, 24, 40}}, {23, 3.4, []int{10, 20, 24}}} {
		one := *pg
		one.Rules = []page.Rule{{Terms: make([]page.Term, c.numbers/2), Conditions: make([]page.Condition, 0)}}
		one.Rules[0].Conditions = slices.Repeat([]page.Condition{{Levels: []string{}}}, c.numbers%2)
		var got []int
		for _, s := range sizesWith(sizes, &one, c.rmse) {
			got = append(got, s.Numbers)
		}
		testenv.Equal(t, got, c.want, "case %d", i)
	}
}

// TestRefitOffset fits a target far from zero as one near it; limits of the options replace those of the page.
func TestRefitOffset(t *testing.T) {
	s := samples(300, 0.3)
	hand := testenv.Must(page.Parse(`charges is the value of the one rule whose IF holds.
Rule 1 IF smoker is yes THEN about 0 at bmi 30 + 1 per bmi
Rule 2 IF smoker is not yes THEN about 0
No value is below 0 or above 99.`))
	near := testenv.Must(Refit(s, hand, everything))
	for i := range s.Y {
		s.Y[i] += 1e7
	}
	o := everything
	o.Low, o.High = 1e6, 2e7
	far := testenv.Must(Refit(s, hand, o))
	testenv.Equal(t, []float64{far.Low, far.High, near.Low, near.High}, []float64{1e6, 2e7, 0, 99}, "limits")
	for r, rule := range far.Rules {
		if was := near.Rules[r]; math.Abs(rule.About-1e7-was.About) > 0.02 || !reflect.DeepEqual(rule.Terms, was.Terms) {
			t.Errorf("rule %d: %+v, and %+v far from zero", r+1, was, rule)
		}
	}
}

// TestDescribed: of labels that are smoothed, rules count those that were seen; nine in ten errors are within what is said; and some rows
// of samples keep their limits.
func TestDescribed(t *testing.T) {
	s := Samples{Target: "log odds of ill", Class: "ill", Loss: Logistic{}, Limits: &[2]float64{0, 9}, Columns: []Column{{Name: "x"}}}
	for i := range 100 {
		ill := float64(i / 50)
		s.Columns[0].Values, s.Seen, s.Y = append(s.Columns[0].Values, float64(i)), append(s.Seen, ill), append(s.Y, 0.1+0.8*ill)
	}
	hand := testenv.Must(page.Parse(`"log odds of ill" is the value of the one rule whose IF holds.
Rule 1 IF x is at most 49 THEN about 0
Rule 2 IF x is above 49 THEN about 0`))
	got := testenv.Must(Refit(s, hand, everything))
	testenv.Equal(t, []float64{got.Rules[0].Percent, got.Rules[1].Percent}, []float64{0, 100}, "percent of the class")
	part := s.at([]int{1, 70})
	testenv.Equal(t, part.Limits == s.Limits && part.Class == s.Class && part.Seen[1] == 1, true, "limits and class of some rows")
	for _, c := range []struct{ ninth, want float64 }{{1.04, 1.1}, {0.86, 0.86}, {123, 130}, {1e-15, 0}} {
		errors := []float64{2e3, c.ninth, 0, 0, 0, 0, 0, 0, 0, 0}
		testenv.Equal(t, nineInTen(errors, 0.01), c.want, "of %v", c.ninth)
	}
}

// TestSameRules: rules keep their rows where a border moves a little, not where one loses them.
func TestSameRules(t *testing.T) {
	s := blended(400, 1)
	at := func(border string) *page.Page {
		return testenv.Must(page.Parse("y is the value of the one rule whose IF holds.\nRule 1 IF t is at most " + border +
			" THEN about 1\nRule 2 IF t is above " + border + " THEN about 2"))
	}
	for border, same := range map[string]bool{"5": true, "5.3": true, "8": false, "9.99": false} {
		testenv.Equal(t, SameRules(s, at("5"), at(border)), same, "a border at %s", border)
	}
}

// TestJoinTerms: a page whose terms of one column are joined differs by a constant for each rule, which describe makes up for.
func TestJoinTerms(t *testing.T) {
	s := blended(50, 1)
	const head = "y is the value of the one rule whose IF holds, plus the entries of the tables.\n"
	const tail = "\nIn formulas and tables, t counts as at least 0 and at most 10; z counts as at least -1 and at most 1."
	join := func(text string) (before, after *page.Page) {
		before, after = testenv.Must(page.Parse(text)), testenv.Must(page.Parse(text))
		(&printer{page: after}).joinTerms()
		return before, after
	}
	constant := func(before, after *page.Page) bool {
		a, b := s.values(before, s.shares(before)), s.values(after, s.shares(after))
		strong := strongest(s.shares(before))
		first := map[int]float64{}
		for i, r := range strong {
			if _, ok := first[r]; !ok {
				first[r] = a[i] - b[i]
			}
			if math.Abs(a[i]-b[i]-first[r]) > 1e-12 {
				return false
			}
		}
		return true
	}
	for _, c := range []struct {
		text         string
		terms, other int // of the first rule, and of all rules
	}{
		{`Rule 1 IF always THEN about 1 at t 4, without the tables + 2 per t
Table z (between entries in proportion) -1: -1, 0: +2, 1: -1
For all rules: + 3 per t, counted from 1`, 1, 0},
		{`Rule 1 IF always THEN about 1 at t 4, z 0, without the tables + 2 per t + 1 per z
Table t (between entries in proportion) 0: -1, 4: +2, 10: -1`, 1, 0},
		{`Rule 1 IF t is at most 5 THEN about 1 at t 4, without the tables + 2 per t up to 3
Rule 2 IF t is above 5 THEN about 2 at z 0, without the tables - 1 per z
Table z (between entries in proportion) -1: -1, 0: +2, 1: -1
For all rules: + 3 per t`, 1, 1},
	} {
		before, after := join(head + c.text + tail)
		testenv.Equal(t, []int{len(after.Rules[0].Terms), len(after.Terms)}, []int{c.terms, c.other}, "terms of\n%s", after)
		testenv.Equal(t, constant(before, after), true, "the same up to constants:\n%s\n%s", before, after)
	}
}
