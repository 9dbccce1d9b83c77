package words

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// TestRulesWithoutConditionsAreOne: rules without conditions are listed last, as one rule that says what they say together.
func TestRulesWithoutConditionsAreOne(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 4)
	ask(m, 1, 0, 20, 10)
	ask(m, 3, 0, 90, 10)
	for r, w := range m.RuleBase.Consequents {
		for i := range w {
			w[i] = math.Sin(float64(10*r + i)) // both signs
		}
	}
	m = testenv.Must(model.New(context.Background(), m.Preprocessing, m.RuleBase, d.X, nil, m.Training))
	described := testenv.Must(ModelOn(m, d))
	listed := Listed(described)
	if len(listed) != 3 || listed[0].Number != 4 && listed[0].Number != 2 || listed[0].Share < listed[1].Share {
		t.Fatalf("%+v", listed)
	}
	last := listed[2]
	if last.Name() != "Rules 1 and 3" || described.ruleInWords(last).Always != "ALWAYS" ||
		last.Samples != m.Rules[0].Samples+m.Rules[2].Samples || last.Local.Samples != d.Len() {
		t.Errorf("%q, %q, %d samples", last.Name(), described.ruleInWords(last).Always, last.Samples)
	}
	total := 0.0
	for _, r := range listed {
		total += r.Share
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("shares sum to %v", total)
	}
	z := testenv.Must(m.Scale(d.X))
	for n, x := range d.X {
		got := termsAt(last, d, x)
		want := m.Target.Mean + (m.RuleBase.Consequent(0, z[n])+m.RuleBase.Consequent(2, z[n]))/2
		if math.Abs(got-want) > 1e-12 {
			t.Fatalf("sample %d: %v, want %v", n, got, want)
		}
	}
	if described.Rules[0].Share >= last.Share || len(described.Rules) != 4 {
		t.Error("Listed changed the description")
	}
	b := described.Sentences().Text
	if text := b; strings.Count(text, "ALWAYS") != 1 || strings.Index(text, "ALWAYS") < strings.LastIndex(text, "IF ") {
		t.Error(text)
	}
}

// TestEqualConditions: a rule says that another one has the same conditions.
func TestEqualConditions(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 3)
	for r, center := range []float64{20, 90, 20} {
		ask(m, r, 0, center, 10)
	}
	d := Model(m)
	for r, want := range []string{"The conditions of rules 1 and 3 are the same: together they say the mean of what they say", "",
		"The conditions of rules 1 and 3 are"} {
		seen := strings.Join(d.ruleInWords(d.Rules[r]).Seen, "\n")
		if (seen == "") != (want == "") || !strings.HasPrefix(seen, want) {
			t.Errorf("rule %d: %q", r+1, seen)
		}
	}
	if len(Listed(d)) != 3 {
		t.Error("rules with conditions are combined")
	}
}

// TestOtherwise: a rule that fires half everywhere is strongest only where no other one holds;
// a rule that fires fully everywhere is not one of these.
func TestOtherwise(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 3)
	ask(m, 0, 0, 10, 10)
	ask(m, 1, 0, 90, 10)
	ask(m, 2, 0, 50+3000*math.Sqrt(2*math.Ln2), 3000)
	for always, want := range []string{"OTHERWISE", "ALWAYS"} {
		if always == 1 {
			m.RuleBase.Flatten(2, 0)
		}
		described := testenv.Must(ModelOn(m, d))
		r := described.Rules[2]
		if got := described.ruleInWords(r).Always; len(r.Words) != 0 || len(r.If) != 1-always || got != want {
			t.Errorf("%v, %d conditions: %s, want %s", r.Words, len(r.If), got, want)
		}
	}
}

// TestOnlyCondition: the condition that varies most has words if a rule has no other.
func TestOnlyCondition(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 2)
	ask(m, 0, 0, 100, 170) // grades from 0.84
	ask(m, 0, 5, 1, 1.8)   // grades from 0.86
	ask(m, 1, 0, 100, 170)
	ask(m, 1, 5, 1, 0.5)
	d := Model(m)
	for r, want := range []string{"a is preferably ", "flag is 1"} {
		if w := d.Rules[r].Words; len(w) != 1 || !strings.HasPrefix(w[0].String(), want) {
			t.Errorf("rule %d: %v, want %q", r+1, w, want)
		}
	}
}

// TestSetsOfLevels: the shorter of the two lists names a set of levels.
func TestSetsOfLevels(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 4)
	for r, excluded := range [][]int{{1}, {1, 2}, {1, 2, 3}, {3, 4}} {
		for _, feature := range excluded {
			ask(m, r, feature, 0, 0.3)
		}
	}
	for r, want := range []string{"season is not autumn", "season is summer or winter", "season is winter", "season is autumn or spring"} {
		if got := Model(m).Rules[r].Words[0].String(); got != want {
			t.Errorf("rule %d: %q, want %q", r+1, got, want)
		}
	}
}

// TestRareValues: values that the quantiles hide are among those that a condition names, with the training part and without it.
func TestRareValues(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 1)
	for n, row := range d.X {
		if row[5] = float64(n % 4); n%40 == 0 {
			row[5] = float64(4 + n/40)
		}
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	m.Preprocessing = p
	ask(m, 0, 5, 9, 5.5) // half the largest grade at 2.5
	shown := testenv.Must(ModelOn(m, d))
	for with, description := range map[string]Description{"training part": shown, "model file": Model(m)} {
		words := description.Rules[0].Words
		if len(words) != 1 || words[0].String() != "flag is at least 3" {
			t.Fatalf("%s: %v", with, words)
		}
		for v := range 10 {
			row := make([]float64, 7)
			if row[5] = float64(v); words[0].Cut().Has(row) != (v >= 3) {
				t.Errorf("%s: %q has %d: %v", with, words[0], v, v < 3)
			}
		}
	}
}

// TestManyLevels: a condition on many levels in an order names their ends and their number; on few, all of them.
func TestManyLevels(t *testing.T) {
	column := data.Column{Name: "suburb", Encoding: data.Ordinal}
	var levels []columnLevel
	for i := range 20 {
		name := fmt.Sprintf("s%d", i+1)
		column.Levels, levels = append(column.Levels, name), append(levels, columnLevel{place: float64(i + 1), name: name})
	}
	for _, test := range []struct {
		from, to int
		want     string
	}{
		{0, 9, "at most s9 (9 of 20: s1, s2, ..., s9)"}, {11, 20, "at least s12 (9 of 20: s12, s13, ..., s20)"},
		{4, 14, "s5 to s14 (10 of 20: s5, s6, ..., s14)"}, {0, 8, "at most s8"}, {4, 7, "s5, s6 or s7"},
	} {
		var c Condition
		c.among(column, levels, levels[test.from:test.to], append(levels[:test.from:test.from], levels[test.to:]...), true)
		if c.Is != test.want {
			t.Errorf("%q, want %q", c.Is, test.want)
		}
	}
}
