package byhand_test

import (
	"context"
	_ "embed"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// byHand are rules by hand, and each condition as `tskgraph show` says it.
//
//go:embed testdata/rules.yaml
var byHand string

// training returns the preprocessing of a table for byHand.
func training(t *testing.T, transform bool) model.Preprocessing {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "heating", Columns: []data.Column{
		{Name: "outside", Unit: "°C", Encoding: data.Numeric},
		{Name: "day", Encoding: data.OneHot, Levels: []string{"workday", "saturday", "sunday"}},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"small", "middle", "large"}},
	}}}
	for n := range 500 {
		u := rng.Float64()
		if transform {
			u = u * u * u * u
		}
		x := []float64{-10 + float64(40*u), 0, 0, 0, float64(1 + n%3)}
		x[1+rng.IntN(3)] = 1
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, x[0]), append(d.Rows, n+1)
	}
	p, err := model.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if transform {
		p.Straighten(context.Background(), d.X, nil)
		if p.Features[0].Power == nil {
			t.Fatal("the column is not transformed")
		}
	}
	return p
}

// TestWords: for each shape, show says the conditions of rules by hand in the words of the file.
func TestWords(t *testing.T) {
	want := [][]string{
		{"outside|at most 5 °C", "day|saturday or sunday"},
		{"outside|at least 16 °C", "size|at least middle"},
		{"outside|3 to 15 °C", "day|sunday"},
		{"outside|"},
		{"size|large"},
	}
	for _, name := range membership.Names() {
		for _, transform := range []bool{false, true} {
			shape, err := membership.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			b := read(t, byHand)
			p := training(t, transform)
			rb, err := b.Start(p, shape)
			if err != nil {
				t.Fatal(err)
			}
			m := &model.Model{Preprocessing: p, RuleBase: rb, Training: model.Training{Samples: 500}, Rules: make([]model.RuleSummary, rb.Rules())}
			d := words.Model(m)
			for r, rule := range d.Rules {
				got := d.Say(rule).If
				if len(got) != len(want[r]) {
					t.Errorf("%s, transform %v: rule %d: %q", name, transform, r+1, got)
					continue
				}
				for i, text := range want[r] {
					column, words, _ := strings.Cut(text, "|")
					if !strings.HasPrefix(got[i], column+" is ") || !strings.Contains(got[i], words) {
						t.Errorf("%s, transform %v: rule %d: %q, want %q", name, transform, r+1, got[i], text)
					}
				}
			}
		}
	}
}

// TestFormulas: the THEN parts of rules by hand are the formulas of the file, kept as it says.
func TestFormulas(t *testing.T) {
	b := read(t, byHand)
	p := training(t, false)
	rb, err := b.Start(p, membership.Gaussian{})
	if err != nil {
		t.Fatal(err)
	}
	outside, size := []float64{-5, 0.25, 22}, []float64{1, 2, 3}
	for n := range outside {
		for day := range 3 {
			x := []float64{outside[n], 0, 0, 0, size[n]}
			x[1+day] = 1
			scaled, err := p.Scale([][]float64{x})
			if err != nil {
				t.Fatal(err)
			}
			sunday := x[3]
			for r, want := range []float64{14 - 0.9*outside[n], 2, 12.5 - 0.5*outside[n] + 2*(1+sunday), size[n] - 3, 4} {
				if got := p.Target.Mean + rb.Consequent(r, scaled[0]); math.Abs(got-want) > 1e-12 {
					t.Errorf("rule %d at %v: %v, want %v", r+1, x, got, want)
				}
			}
		}
	}
	for r, want := range []rules.Keep{rules.KeepAll, 0, 0, rules.KeepIf, 0} {
		if rb.Keep[r] != want {
			t.Errorf("rule %d keeps %q, want %q", r+1, rb.Keep[r], want)
		}
	}
	if rb.Tie != nil {
		t.Error("terms of one rule each are tied")
	}
}

// TestSharedTerms: rules that name the same term share its parameters.
func TestSharedTerms(t *testing.T) {
	b := read(t, strings.ReplaceAll(byHand, "outside is about ten", "outside is cold"))
	rb, err := b.Start(training(t, false), membership.Sigmoid{})
	if err != nil {
		t.Fatal(err)
	}
	if rb.Tie[0][0] != rb.Tie[3][0] || rb.Tie[0][0] == rb.Tie[1][0] || rb.Tie[0][1] == rb.Tie[3][1] {
		t.Errorf("labels: %v", rb.Tie)
	}
}

// TestImportByHand: a model of rules by hand alone predicts by them.
func TestImportByHand(t *testing.T) {
	m := imported(t, byHand, nil)
	p, err := m.Predict([][]float64{{-9, 0, 1, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Values[0], 14+0.9*9; math.Abs(got-want) > 0.5 { // rule 1 fires almost alone
		t.Errorf("%v, want about %v", got, want)
	}
	if text := written(t, m); !strings.Contains(text, "then: 14 - 0.9*outside\n    keep: all") {
		t.Errorf("the formula changed:\n%s", text)
	}
}

// TestFaults: each fault is reported with its place and what to do.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, old, new, want string }{
		{byHand, "terms:", "trems:", `rules.yaml:7:1: the file: unknown key "trems"`},
		{byHand, "terms:", "trems:", "did you mean terms?"},
		{byHand, "outside is cold and", "outsid is cold and", `rules.yaml:12:9: terms has no column "outsid"; did you mean outside?`},
		{byHand, "is weekend", "is weekends", `rules.yaml:12:29: day has no term "weekends": it has "weekend", "free"; did you mean weekend?`},
		{byHand, "14 - 0.9*outside", "14 - 0.9*outside*size", `rules.yaml:13:27: a product of columns`},
		{byHand, "14 - 0.9*outside", "14 - 0.9*", `rules.yaml:13:20: the formula ends too early`},
		{byHand, "14 - 0.9*outside", "14 / outside", `rules.yaml:13:14: unexpected '/'`},
		{byHand, "14 - 0.9*outside", "14 - (0.9*outside", `a closing parenthesis is missing`},
		{byHand, "14 - 0.9*outside", "14 - 0.9*`outside", `the backtick is not closed`},
		{byHand, "14 - 0.9*outside", "1.2.3", `"1.2.3" is not a number`},
		{byHand, "keep: all", "keep: al", `rules.yaml:14:11: keep: want if, then, all or nothing, not "al"; did you mean all?`},
		{byHand, "at most 5", "at mots 5", `cold: "at mots 5": want "at most A"`},
		{byHand, "3 to 15", "15 to 3", "the first number must be less than the second"},
		{byHand, "3 to 15", "{c: 1}", "parameters need a shape: set membership"},
		{"membership: gaussian\n" + byHand, "3 to 15", "{c: 1}", "sigma is missing: gaussian has the parameters c, sigma"},
		{"membership: gausian\n" + byHand, "", "", "did you mean gaussian?"},
		{byHand, "outside is cold and day is weekend", "outside is cold and outside is mild", "rules.yaml:12:29: a second condition on outside"},
		{byHand, "outside is cold and day is weekend", "outside cold", `rules.yaml:12:21: want "is"`},
		{byHand, "rules:", "rulez:", "did you mean rules?"},
		{byHand, "  - if: outside is warm", "  - fi: outside is warm", "want if and then"},
		{byHand, "range: [-10, 30]", "range: [30, -10]", "the first number must be less than the second"},
	} {
		text := strings.Replace(c.text, c.old, c.new, 1)
		if _, err := byhand.ReadYAML(strings.NewReader(text), "rules.yaml"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

// TestRefusals: what does not suit a table is refused with the line.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"at least 16 °C", "at least 16 K", `rules.yaml:8: warm of outside: the unit is "K", but the column is in °C`},
		{"[saturday, sunday]", "[saturday, sundai]", `day has no level "sundai": it has "workday", "saturday", "sunday"; did you mean sunday?`},
		{"[saturday, sunday]", "at most 1", "the column has levels: list those meant, such as [workday]"},
		{"cold: at most 5", "cold: [mild]", `the column has numbers: want "at most A"`},
		{"[middle, large]", "[small, large]", "the levels are not adjacent"},
		{"0.9*outside", "0.9*outsides", `there is no column "outsides"`},
		{"0.9*outside", "0.9*day", "day has levels, not numbers: write a product with a level, such as 2*day=workday"},
		{"0.9*outside", "0.9*day=monday", `the column "day" has no level "monday" in the training part`},
		{"then: 14 - 0.9*outside", "then: {heatin: 14}", `there is no output "heatin": want a formula for each of "heating"; ` +
			`did you mean heating?`},
	} {
		b := read(t, strings.Replace(byHand, c.old, c.new, 1))
		if _, err := b.Start(training(t, false), membership.Gaussian{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	b := read(t, "membership: trapezoid\n"+strings.Replace(byHand, "3 to 15", "{a: 3, b: 9, c: 8, d: 20}", 1))
	if _, err := b.Start(training(t, false), nil); err == nil || !strings.Contains(err.Error(), "positions in order") {
		t.Errorf("a trapezoid out of order: %v", err)
	}
}
