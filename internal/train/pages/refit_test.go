package pages

import (
	"math"
	"testing"

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
