package words

import "testing"

// TestFoldedPair: the formula in words has one term for a column of two levels, their
// difference, and the same value for either level; other columns have a term for each level.
func TestFoldedPair(t *testing.T) {
	term := func(column, level string, slope float64, pair int) Term {
		return Term{Column: column, Level: level, Slope: slope, Effect: slope, To: 1, pair: pair}
	}
	var o Output
	r := Said{Terms: []Term{
		term("region", "east", 30, 0), term("smoker", "yes", 20, 2), term("smoker", "no", -5, 1), term("sex", "male", 3, 2), term("sex", "female", 3, 1),
	}}
	r.Then.Intercept = 100
	got := o.say(r, nil)
	want := []TermText{{Product: "98"}, {Product: "+ 30 if region is east"}, {Product: "+ 25 if smoker is yes"}}
	if len(got.Formula) != len(want) || got.Small != "" {
		t.Fatalf("%+v, %q", got.Formula, got.Small)
	}
	for i, w := range want {
		if got.Formula[i] != w {
			t.Errorf("%q, not %q", got.Formula[i], w)
		}
	}
	if constant, terms := foldPairs(100, r.Terms); constant != 98 || len(terms) != 2 {
		t.Errorf("%v %+v", constant, terms)
	}
	if constant, terms := foldPairs(100, r.Terms[:2]); constant != 100 || len(terms) != 2 || terms[1].Slope != 20 {
		t.Errorf("one level of the two: %v %+v", constant, terms)
	}
}
