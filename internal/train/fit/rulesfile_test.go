package fit_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

const fileOfRules = `
terms:
  x1: {low: at most 0.4, high: at least 0.7}
rules:
  - {if: x1 is low, then: 5 + 10*x4, keep: all}
  - {if: x1 is high, then: 20}
`

// trainFrom trains from a file of rules on Friedman's table.
func trainFrom(t *testing.T, text string, change func(r *recipe.Recipe)) (*fit.Result, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, _, err := data.Builtin("friedman1")
	if err != nil {
		t.Fatal(err)
	}
	r := recipe.Paper()
	r.Model.Init, r.Model.Rules, r.Train.Iterations = path, 0, 50
	change(&r)
	used, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	return fit.Train(context.Background(), d, nil, fit.Job{Recipe: used})
}

// TestRulesOfAFile: training starts with the rules of the file, keeps what it says, and finds the others.
func TestRulesOfAFile(t *testing.T) {
	for _, R := range []int{0, 2, 5} {
		got := testenv.Must(trainFrom(t, fileOfRules, func(r *recipe.Recipe) { r.Model.Rules = R }))
		rb := got.Model.RuleBase
		if rb.Rules() != max(R, 2) {
			t.Fatalf("%d rules, want %d", rb.Rules(), max(R, 2))
		}
		b := testenv.Must(byhand.ReadYAML(strings.NewReader(fileOfRules), "rules.yaml"))
		start := testenv.Must(b.Start(got.Model.Preprocessing, rb.Shape))
		if !equalRule(rb, start, 0) {
			t.Errorf("%d rules: training changed the rule that is kept", R)
		}
		if equalRule(rb, start, 1) {
			t.Errorf("%d rules: training left the other rule as it was", R)
		}
		if R == 5 && (rb.Keep[0] != rules.KeepAll || rb.Keep[4] != 0) {
			t.Errorf("kept: %v", rb.Keep)
		}
	}
}

// equalRule reports whether rule r has the same parameters in two rulebases, to the bit.
func equalRule(a, b *rules.RuleBase, r int) bool {
	same := true
	for m := range a.Features() {
		for j := range a.Antecedents {
			same = same && a.Antecedents[j][r][m] == b.Antecedents[j][r][m]
		}
	}
	for i, w := range a.Consequents[r] {
		same = same && math.Float64bits(w) == math.Float64bits(b.Consequents[r][i])
	}
	return same
}

// TestFileOfRulesIsRefused: a recipe that the file contradicts is an error of a key.
func TestFileOfRulesIsRefused(t *testing.T) {
	for _, c := range []struct {
		text, key string
		change    func(r *recipe.Recipe)
	}{
		{fileOfRules, "model.rules", func(r *recipe.Recipe) { r.Model.Rules = 1 }},
		{fileOfRules, "model.order", func(r *recipe.Recipe) { r.Model.Order = 0 }},
		{"membership: sigmoid\n" + fileOfRules, "model.membership", func(*recipe.Recipe) {}},
		{"tnorm: minimum\n" + fileOfRules, "model.tnorm", func(*recipe.Recipe) {}},
		{"defuzzification: htsk\n" + fileOfRules, "model.defuzzification", func(*recipe.Recipe) {}},
		{strings.ReplaceAll(fileOfRules, "x1", "x11"), "model.init", func(*recipe.Recipe) {}},
	} {
		_, err := trainFrom(t, c.text, c.change)
		if fault := new(recipe.Error); !errors.As(err, &fault) || fault.Key != c.key {
			t.Errorf("%v, want an error of %s", err, c.key)
		}
	}
}

// TestPageOfAFile: training keeps the structure of a page, fits its numbers, and says how it errs beside the page that it finds itself. A
// column that the table lacks, and another target, are errors.
func TestPageOfAFile(t *testing.T) {
	testenv.SkipRace(t)
	d, _, err := data.Builtin("friedman1")
	testenv.OK(t, err)
	d = d.Subset(rand.New(rand.NewPCG(1, 1)).Perm(300))
	const text = `y is the value of the one rule whose IF holds.
Rule 1 IF x1 is at most 0.5 THEN about 0 at x4 0.5 + 1 per x4
Rule 2 IF x1 is above 0.5 THEN about 0 at x4 0.5, x2 0.5 + 1 per x4 + 1 per x2
`
	train := func(text string) (*fit.Result, error) {
		path := filepath.Join(t.TempDir(), "page.txt")
		testenv.OK(t, os.WriteFile(path, []byte(strings.ReplaceAll(text, "y is", d.Schema.Target+" is")), 0o600))
		r := recipe.Readable()
		r.Model.Init, r.Model.Rules, r.Model.Page, r.Train.Race = path, 0, 20, nil
		used := testenv.Must(r.Resolve())
		return fit.Train(t.Context(), d, nil, fit.Job{Recipe: used})
	}
	got := testenv.Must(train(text))
	pg := got.Model.Pages[0]
	if len(pg.Rules) != 2 || pg.Rules[1].Terms[1].Column != "x2" || pg.Rules[0].Conditions[0].AtMost.At != 0.5 || pg.Numbers() != 10 {
		t.Errorf("%s", pg)
	}
	if slope := pg.Rules[0].Terms[0].Slope; slope < 8 || slope > 12 ||
		!strings.Contains(got.StartNotes, "the learned page (model.init page) has ") || !strings.Contains(got.StartNotes, "favours a structure") {
		t.Errorf("slope %g of x4, which is 10; %s", slope, got.StartNotes)
	}
	testenv.FailsWith(t, testenv.Err(train(strings.ReplaceAll(text, "x4", "x44"))), "column x44")
	testenv.FailsWith(t, testenv.Err(train("other"+text[1:])), "want a page that predicts it")
}
