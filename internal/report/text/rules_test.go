package text

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// worded returns a model of R Gaussian rules over columns a (numbers 0 to 100, unit mm) and season (one-hot, two
// levels), and its samples. Rules have no conditions yet.
func worded(t *testing.T, R int) (*model.Model, *data.Dataset) {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", TargetUnit: "kg", Columns: []data.Column{
		{Name: "a", Unit: "mm", Encoding: data.Numeric},
		{Name: "season", Encoding: data.OneHot, Levels: []string{"autumn", "spring"}},
	}}}
	for n := range 201 {
		x := []float64{float64(n) / 2, 0, 0}
		x[1+n%2] = 1
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, float64(n%7)), append(d.Rows, n+1)
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, Parameters: rules.NewParameters(2, R, 3), SpreadFloor: 1e-3}
	for r := range R {
		for m := range 3 {
			rb.Flatten(r, m)
		}
	}
	m := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	return m, d
}

// ask adds to rule r the condition that column a is near a value.
func ask(m *model.Model, r int, center, spread float64) {
	f := m.Features[0]
	for j, v := range m.RuleBase.Shape.Place((center-f.Mean)/f.SD, spread/f.SD) {
		m.RuleBase.Antecedents[j][r][0] = v
	}
}

// printed returns what a function writes.
func printed[T any](t *testing.T, write func(io.Writer, T) error, v T) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tables are the formats of the table of rules.
var tables = map[string]func(io.Writer, words.Description) error{"terminal": WriteRules, "markdown": WriteRulesMarkdown}

// TestRulesInOrder: rules are in the order of the samples that they decide, then of their shares of the firing, with their
// words in the second column.
func TestRulesInOrder(t *testing.T) {
	m, _ := worded(t, 6)
	for r := range m.Rules {
		m.Rules[r].Share, m.Rules[r].Samples = float64((r*5)%6+1)/21, []int{9, 0, 0, 0, 0, 50}[r]
		ask(m, r, float64(20*r), 20)
	}
	for form, write := range tables {
		b := printed(t, write, words.Model(m))
		shown := ""
		for _, found := range regexp.MustCompile(`(?m)^[|│] (\d)(?:<br>|  )`).FindAllStringSubmatch(b, -1) {
			shown += found[1]
		}
		if shown != "612345" {
			t.Errorf("%s: rules in the order %q:\n%s", form, shown, b)
		}
		for _, want := range []string{"a is low (at most 23 mm)", "y is 2.98 kg", words.Model(m).Sentences().Legend} {
			if !strings.Contains(b, want) {
				t.Errorf("%s: no %q in\n%s", form, want, b)
			}
		}
	}
}

// TestRulesInNumbers: without words, the table gives the reason and the rules in numbers.
func TestRulesInNumbers(t *testing.T) {
	m, _ := worded(t, 2)
	ask(m, 0, 0, 20)
	for i := range m.Features {
		m.Features[i].Quantiles = nil
	}
	for form, write := range tables {
		b := printed(t, write, words.Model(m))
		if got := b; !strings.Contains(got, "older version, without the quantiles") || !strings.Contains(got, "gaussian(c = ") ||
			strings.Contains(got, "Conditions are soft") {
			t.Errorf("%s:\n%s", form, got)
		}
	}
}

// TestCurvesBelowTheTable: both tables end with the words of the curves, a line each.
func TestCurvesBelowTheTable(t *testing.T) {
	m, _ := worded(t, 2)
	knots := make([][]float64, m.RuleBase.Features())
	knots[0] = []float64{-1.5, 0, 1.5}
	rules.AddCurves(m.RuleBase, knots, false)
	copy(m.RuleBase.Curves[0], []float64{-1, 2, -1})
	for name, want := range map[string]string{
		"terminal": "The curve that every rule adds to its formula, with changes in kg:\n  a rises until 50 mm (+3.0), then falls (-3.0)\n",
		"markdown": "The curve that every rule adds to its formula, with changes in kg:\n\n- a rises until 50 mm (+3.0), then falls (-3.0)\n",
	} {
		b := printed(t, tables[name], words.Model(m))
		if !strings.Contains(b, want) {
			t.Errorf("%s:\n%s\nlacks\n%s", name, b, want)
		}
	}
}
