package words

import (
	"context"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// pagesFor returns the model of pages of a response, and its samples.
func pagesFor(t *testing.T, kind string) (*model.Model, *data.Dataset) {
	t.Helper()
	d := pageSamples()
	var names []string
	of := model.Response{}
	switch kind {
	case "targets":
		d.Schema.Others, d.Others = []data.Other{{Name: "days", Unit: "d"}}, [][]float64{nil}
		for _, y := range d.Y {
			d.Others[0] = append(d.Others[0], y/1000)
		}
		names = []string{"charges", "days"}
	case "quantiles":
		of = model.Response{Quantiles: []float64{0.1, 0.9}}
		names = []string{"10% quantile of charges", "90% quantile of charges"}
	default:
		d.Schema.Target, d.Schema.TargetUnit, d.Schema.Classes = "health", "", []string{"well", "ill", "worn out"}
		names = []string{"score of well", "score of ill", "score of worn out"}
		if kind == "logit" {
			d.Schema.Classes, names = d.Schema.Classes[:2], []string{"log odds of ill"}
		}
		for n, y := range d.Y {
			d.Y[n] = 0
			if y > 10000 {
				d.Y[n] = float64(1 + n%(len(d.Schema.Classes)-1))
			}
		}
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	l := map[string]loss.Loss{"quantiles": loss.Quantile{Levels: of.Quantiles}, "logit": loss.Logistic{}, "softmax": loss.Softmax{}}[kind]
	testenv.OK(t, p.SetResponse(l, of, d))
	p.ReadMissing()
	var pages []*page.Page
	for k, name := range names {
		pg := samplePage()
		if pg.Target = name; k > 0 {
			pg.Rules = pg.Rules[:2]
			pg.Rules[0].Conditions, pg.Rules[1].Conditions = pg.Rules[0].Conditions[1:], pg.Rules[1].Conditions[1:]
			if kind == "targets" {
				pg.Unit, pg.High = "d", 50000
			}
		}
		if d.Schema.Classes != nil {
			pg.Unit, pg.Low, pg.High, pg.Tables = "", 0, 0, nil
			for r := range pg.Rules {
				pg.Rules[r].About, pg.Rules[r].Mean, pg.Rules[r].Within, pg.Rules[r].Counted = float64(r)-1.5, 0, 0, true
				pg.Rules[r].Terms = []page.Term{{Column: "age", Slope: 0.05, At: 40}}
			}
		}
		pages = append(pages, pg)
	}
	p.FillPage(pages...)
	testenv.OK(t, p.PageLimits(pages...))
	m := testenv.Must(model.New(context.Background(), p, testenv.Must(p.PageRules(pages...)), d.X, nil, model.Training{Samples: d.Len()}))
	m.Pages = pages
	testenv.OK(t, m.Validate())
	return m, d
}

// TestPagesOfOutputs: descriptions, explanations and trees of models of several pages, and of a page of log odds.
func TestPagesOfOutputs(t *testing.T) {
	for kind, want := range map[string]struct{ text, explained []string }{
		"targets": {[]string{"\n\ndays is the value of the one rule whose IF holds, plus",
			"\n  days\n  Each picture has the rows of a rule over days, from 2.7 or",
			"exactly one IF holds on each of 2 pages, or, between", "There are 54 numbers to read.",
			"\n  Rule 2   |         ▁▂▅▅▃█▄▅▄▅▁           ▂▂▃▄▃▄▂▃▃|\n" +
				"           the middle half of its rows is from 11.5 to 23.9 d\n"},
			[]string{"days [d]\n\nBy column:", "By the page:\n                rule 2 holds: age is above 45 years\n         11000  to begin with"}},
		"quantiles": {[]string{"\n\n\"90% quantile of charges\" is the value", "  Quantiles that cross are sorted.\n",
			"\n           the middle half of its rows is from 11500 to 23900 $\n           80% of its rows are at most the predicted quantile\n"},
			[]string{"90% quantile of charges [$]\n\nBy column:", "By the page:\n                rule 2 holds: age is above 45 years"}},
		"logit": {[]string{"\"log odds of ill\" is the value", "(60 of 300 rows)\n", "  The probability of ill is 1 / (1 + exp(-log odds)).",
			" How likely ill is, by its log odds:\n  -4: 2%, -3: 5%, -2: 12%, ",
			"  Rule 2   health is ill in 89% of its 36 rows\n           age: +0.8 from 46.1 to 63.6 years\n"},
			[]string{"\nlog odds of ill, by its page:\n                rule 2 holds: smoker is not yes",
				"\nProbability of ill: 1 / (1 + exp("}},
		"softmax": {[]string{"\"score of worn out\" is the value", "exp(score) over the sum", "on each of 3 pages",
			"  score of worn out\n  Rule 1   health is worn out in 15% of its 170 rows\n"},
			[]string{"\nscore of worn out, by its page:\n                rule 2 holds: age is above 45 years\n          -0.5  to begin with"}},
	} {
		m, d := pagesFor(t, kind)
		described := testenv.Must(ModelOn(m, d))
		described.Readability = testenv.Must(Measure(t.Context(), m, Part{}, Part{"the table", d}))
		w := described.Sentences()
		var tree strings.Builder
		testenv.OK(t, WriteTree(&tree, described))
		for text, parts := range map[string][]string{
			w.Text: want.text, testenv.Must(ExplainResponse(m, d.X[4], d, d)).String(): want.explained,
			tree.String(): {"age is above 45 years\n", "rule 1: "},
		} {
			for _, part := range parts {
				if !strings.Contains(text, part) {
					t.Errorf("%s: no %q in\n%s", kind, part, text)
				}
			}
		}
		var pages []string
		for _, p := range m.Pages {
			pages = append(pages, p.String())
		}
		testenv.Equal(t, CutPage(w.Text), strings.Join(pages, "\n")+"\n", kind)
		last := w.Rules[len(w.Rules)-1]
		testenv.Equal(t, last.Rule.Number, len(described.Rules), kind)
		testenv.Equal(t, last.Name, map[string]string{"targets": "Rule 2 of days", "quantiles": "Rule 2 of 90% quantile of charges",
			"logit": "Rule 4", "softmax": "Rule 2 of score of worn out"}[kind], kind)
		fires := map[int]int{}
		for _, r := range described.Rules {
			for _, n := range r.Fires {
				fires[n]++
			}
		}
		for n := range m.RuleBase.Rules() {
			testenv.Equal(t, fires[n+1], len(m.Pages), "%s: rules of the pages that rule %d is of", kind, n+1)
		}
	}
}

// TestTried: what training tried beside a page is said by the page's own rules, borders and units.
func TestTried(t *testing.T) {
	p := samplePage()
	m := &model.Model{Pages: []*page.Page{p}}
	if TriedFor(m) != nil || TriedFor(&model.Model{}) != nil {
		t.Error("something is known of a page that was never tried")
	}
	p.Moved = 0.25
	p.Rules[0].Again = &page.Again{Samples: 20, Found: 17, Borders: [][2]float64{{43, 47}}}
	p.Rules[1].Conditions[1].AtMost = &page.Border{At: 60, From: 60, To: 60}
	p.Rules[1].Again = &page.Again{Samples: 20, Found: 9, Borders: [][2]float64{{43, 47}, {60, 60}}}
	p.Rules[2].Again = &page.Again{Samples: 20, Found: 10, Borders: [][2]float64{{30, 30}}}
	p.Rules[3].Again = &page.Again{Samples: 20}
	n := p.Numbers()
	p.Sizes = []page.Size{{Numbers: 1, Rules: 1, RMSE: 900, SE: 9},
		{Numbers: n, Rules: 4, RMSE: 530, SE: 8}, {Numbers: n + 9, Rules: 5, RMSE: 500, SE: 7}}
	testenv.Equal(t, strings.Join(TriedFor(m).Lines, "\n"), strings.TrimSpace(`
Rule 1: found again in 17 of 20 samples; its border of age between 43 and 47 years
Rule 2: found again in 9 of 20 samples; its borders: age between 43 and 47 years, age at 60 years
Rule 3: found again in 10 of 20 samples; its border of bmi at 30
Rule 4: found again in 0 of 20 samples
With other rows, predictions move by 0.25 standard deviations of the target.
Rules 2 and 4 depend on the rows that were drawn: fewer than half of the samples have them.
This page of 37 numbers errs 6% more in cross-validation than the best page, of 46 (RMSE 530 and 500).
Least error by limit of numbers: 20: 900, 40: 530, 46: 500.
Pages of other sizes were compared without ramps, which may lower their errors, too.`))
	p.Sizes = p.Sizes[:2]
	lines := TriedFor(m).Lines
	testenv.Equal(t, lines[len(lines)-3], "Of the pages compared in cross-validation, this one of 37 numbers errs least (RMSE 530).")
	p.Sizes = []page.Size{{Numbers: n + 1, Rules: 4, RMSE: 530}}
	testenv.Equal(t, len(TriedFor(m).Lines), 6) // the page is none of the sizes
}
