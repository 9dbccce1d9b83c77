package words

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// pageSamples returns a table with numbers, levels with missing cells, and a category with a name that must be escaped.
func pageSamples() *data.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &data.Dataset{Missing: data.Missing{Policy: "mean"}, Schema: data.Schema{Target: "charges", TargetUnit: "$", Columns: []data.Column{
		{Name: "age", Unit: "years", Encoding: data.Numeric}, {Name: "bmi", Encoding: data.Numeric},
		{Name: "smoker", Encoding: data.OneHot, Levels: []string{"no", "yes", "used to"}},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"small", "middle", "large"}},
	}}}
	for n := range 300 {
		smoker := d.Schema.Columns[2].Values(rng.IntN(3))
		x := slices.Concat([]float64{18 + 47*rng.Float64(), 20 + 20*rng.Float64()}, smoker, []float64{float64(1 + rng.IntN(3))})
		if n%17 == 0 {
			x[n%2] = math.NaN()
		}
		d.X, d.Rows = append(d.X, x), append(d.Rows, n+1)
		y := 8000 + 250*(x[0]-40) + 13000*x[3]
		if math.IsNaN(x[0]) {
			y = 8000
		}
		d.Y = append(d.Y, y+500*rng.NormFloat64())
	}
	return d
}

// samplePage returns a page for pageSamples with a ramp, a capped term, terms of levels, and tables.
func samplePage() *page.Page {
	cap := 50.0
	at := func(v float64) *page.Border { return &page.Border{At: v, From: v, To: v} }
	yes := page.Condition{Column: "smoker", Levels: []string{"yes", "used to"}}
	no := page.Condition{Column: "smoker", Levels: []string{"yes", "used to"}, Not: true}
	ramp := &page.Border{At: 30, From: 29, To: 33}
	return &page.Page{Target: "charges", Unit: "$", Samples: 300, Low: 0, High: 30000,
		Columns: []page.Column{{Name: "age", Unit: "years", Low: 19, High: 62}, {Name: "bmi", Low: 20, High: 40},
			{Name: "smoker", Levels: []string{"no", "yes", "used to"}}, {Name: "size", Levels: []string{"small", "middle", "large"}}},
		Rules: []page.Rule{
			{Conditions: []page.Condition{no, {Column: "age", AtMost: at(45)}}, About: 8700, Rows: 60, Mean: 8000, Within: 900,
				Terms: []page.Term{{Column: "age", Slope: 264, At: 40, To: &cap}, {Column: "smoker", Level: "no", Yes: 10.5, No: -3}}},
			{Conditions: []page.Condition{no, {Column: "age", Above: at(45)}}, About: 11000, Rows: 40, Mean: 12000, Within: 800},
			{Conditions: []page.Condition{yes, {Column: "bmi", AtMost: ramp}}, About: 21400, Rows: 100, Mean: 21000, Within: 900,
				Terms: []page.Term{{Column: "age", Slope: 264, At: 38}}},
			{Conditions: []page.Condition{yes, {Column: "bmi", Above: ramp}}, About: 41500, Rows: 100, Mean: 41000, Within: 900,
				Terms: []page.Term{{Column: "age", Slope: 266, At: 39}, {Column: "bmi", Slope: 589, At: 35.5}}},
		},
		Tables: []page.Table{{Column: "bmi", Knots: []float64{20, 28, 40}, Entries: []float64{-120, 0, 340}},
			{Column: "size", Groups: [][]string{{"small", "large"}}, Entries: []float64{15, -20}}}}
}

// pagedModel returns the model of a page over the columns of samples.
func pagedModel(t *testing.T, d *data.Dataset, pg *page.Page) *model.Model {
	t.Helper()
	p := testenv.Must(model.Fit(context.Background(), d))
	p.ReadMissing()
	p.FillPage(pg)
	testenv.OK(t, p.PageLimits(pg))
	rb := testenv.Must(p.PageRules(pg))
	m := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	m.Pages = []*page.Page{pg}
	testenv.OK(t, m.Validate())
	return m
}

// TestPageText: a description of a page is its text, which is cut out again from what follows it; rules, conditions, terms and tables are
// those of the page, also where lines break.
func TestPageText(t *testing.T) {
	d, pg := pageSamples(), samplePage()
	m := pagedModel(t, d, pg)
	long := strings.Repeat("x", 60)
	wide := samplePage()
	wide.Rules[0].Conditions[0].Levels, wide.Rules[0].Conditions[0].Column = []string{long, long + "y"}, long+" z"
	wide.Rules[0].Terms[0].Column, wide.Rules[0].Terms[1].Column, wide.Rules[0].Terms[1].Level = long, long, long
	if got := newPageText(wide).rules[0]; len(got.conditions) != 2 || len(got.terms) != 2 ||
		!strings.Contains(got.conditions[0], long+" or "+long+"y") ||
		!strings.HasSuffix(got.terms[1], "if not") {
		t.Errorf("%q", got)
	}
	for _, described := range []Description{Model(m), testenv.Must(ModelOn(m, d))} {
		described.Readability = testenv.Must(Measure(t.Context(), m, Part{}, Part{"the table", d}))
		w := described.Sentences()
		if CutPage(w.Text) != pg.String()+"\n" && CutPage(w.Text) != pg.String() || w.Page != pg.String() || !strings.HasPrefix(w.Text, w.Page) {
			t.Errorf("%s", w.Text)
		}
		testenv.Equal(t, described.Numbers().Page, w.Page, "numbers")
		testenv.Equal(t, strings.Count(w.Text, "Of every row exactly one IF holds, or, between the ends of a ramp, several"), 1, w.Text)
		testenv.Equal(t, w.Rules[2].If, []string{`smoker is yes or "used to"`, "bmi is at most 30, from 29 to 33 in proportion"}, "IF")
		testenv.Equal(t, w.Rules[0].Then.Formula[0].Product, "+ 264 $ per years of age up to 50 years", "term")
		testenv.Equal(t, w.Rules[1].Sentence(), `IF smoker is not yes or "used to" AND age is above 45 years THEN charges is 11000 $, `+
			`without the tables`, "sentence")
		testenv.Equal(t, w.Tables[1].Rows, []PageEntry{{"small / large", "+15"}, {"all others", "-20"}}, "table")
	}
	parsed := testenv.Must(page.Parse(CutPage(testenv.Must(ModelOn(m, d)).Sentences().Text)))
	testenv.Equal(t, parsed.String(), pg.String(), "parsed")
}

// TestWeightedRows: below a page whose headings have weighted means or shares a line says so, with the keys of the weights.
func TestWeightedRows(t *testing.T) {
	for _, c := range []struct {
		column, classes string
		page            func(p *page.Page)
		want            string
	}{
		{page: func(*page.Page) {}},
		{column: "w", page: func(*page.Page) {}, want: "Means of rows are weighted (data.weight); numbers of rows are not."},
		{column: "w", page: func(p *page.Page) {
			for r := range p.Rules {
				p.Rules[r] = page.Rule{Conditions: p.Rules[r].Conditions, Rows: 5, Counted: true}
			}
		}},
		{column: "w", page: func(p *page.Page) { p.Below = true },
			want: "Means and shares of rows are weighted (data.weight); numbers of rows are not."},
		{column: "w", classes: "balanced", page: func(p *page.Page) { p.Class = "ill" },
			want: "Shares of rows are weighted (data.weight, train.class_weights); numbers of rows are not."},
		{classes: "none", page: func(p *page.Page) { p.Class = "ill" }},
	} {
		pg := samplePage()
		m := pagedModel(t, pageSamples(), pg)
		m.Schema.Weight, m.Training.Options = c.column, map[string]string{"train.class_weights": c.classes}
		c.page(pg)
		for r := range pg.Rules {
			if pg.Rules[r].Within = 0; pg.Class != "" {
				pg.Rules[r].Mean = 0
			}
		}
		described := Model(m)
		for _, w := range []Wording{described.Sentences(), described.Numbers()} {
			if has := strings.Contains(w.Text, "weighted ("); has != (c.want != "") || !strings.Contains(w.Text, c.want) {
				t.Errorf("no %q in %s", c.want, w.Text)
			}
		}
		testenv.Equal(t, strings.TrimSpace(CutPage(described.Numbers().Text)), strings.TrimSpace(pg.String()), "cut")
	}
}

// TestOwnRows: what a rule says about its own rows is true of the rows that meet its IF part.
func TestOwnRows(t *testing.T) {
	d, pg := pageSamples(), samplePage()
	m := pagedModel(t, d, pg)
	described := testenv.Must(ModelOn(m, d))
	var y, age []float64
	for n, x := range d.X {
		v := x[0]
		if math.IsNaN(v) {
			v = m.Features[0].Mean
		}
		if x[2] == 1 && v <= 45 {
			y, age = append(y, d.Y[n]), append(age, v)
		}
	}
	slices.Sort(age)
	own := described.Rules[0].Local.Own
	mean, sum := 0.0, 0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, n := range own.Counts {
		sum += n
	}
	from, to := age[(len(age)+19)/20-1], age[(19*len(age)+19)/20-1]
	if own.Rows != len(y) || sum != len(y) || math.Abs(own.Mean-mean) > 1e-6 || own.Effects[0].From != from || own.Effects[0].To != to ||
		math.Abs(own.Effects[0].Change-264*(to-max(19, from))) > 1e-9 {
		t.Errorf("%+v: %d rows, mean %g, age from %g to %g", own, len(y), mean, from, to)
	}
	nearest := described.Rules[0].Local.Nearest
	if x := d.X[nearest.Row-1]; x[2] != 1 || x[0] > 45 || nearest.Target != d.Y[nearest.Row-1] {
		t.Errorf("row %d: %v", nearest.Row, x)
	}
	if text := described.Sentences().OwnRows; strings.Count(text, "|") != 8 || !strings.Contains(text, "█") ||
		!strings.Contains(text, "nearest to its centre is row ") {
		t.Error(text)
	}
	empty := samplePage()
	empty.Rules[0].Conditions[1].AtMost.At, empty.Rules[0].Conditions[1].AtMost.From, empty.Rules[0].Conditions[1].AtMost.To = 1, 1, 1
	*empty.Rules[1].Conditions[1].Above = *empty.Rules[0].Conditions[1].AtMost
	if text := testenv.Must(ModelOn(pagedModel(t, d, empty), d)).Sentences().Text; !strings.Contains(text, "no row meets its IF part") {
		t.Error(text)
	}
}

// TestPageSum: the sum by hand is the prediction for each row, and says which rule's IF part holds; in a ramp several rules share it.
func TestPageSum(t *testing.T) {
	d, pg := pageSamples(), samplePage()
	m := pagedModel(t, d, pg)
	columns := testenv.Must(shapley.New(m, d, 1))
	shared, limited := 0, 0
	predicted := testenv.Must(m.Predict(d.X))
	for n, x := range d.X {
		s := sumOfPage(m, x)
		if math.Abs(s.Value-predicted.Values[n]) > 1e-9*math.Abs(s.Value) {
			t.Fatalf("row %d: %+v, predicted %g", n, s, predicted.Values[n])
		}
		if len(s.Rules) > 1 {
			shared++
		}
		if s.Value != s.Sum {
			limited++
		}
	}
	if shared == 0 || limited == 0 {
		t.Fatalf("%d rows of several rules, %d limited: want both", shared, limited)
	}
	row := []float64{60, 31, 0, 1, 0, 2}
	explained := testenv.Must(Explain(m, row, columns, d))
	for _, r := range explained.Rules {
		for _, c := range r.Words {
			testenv.Equal(t, c.Met, c.Grade > 0, "rule %d, %v", r.Rule, c)
		}
	}
	_, text, _ := strings.Cut(explained.String(), "By the page:\n")
	testenv.Equal(t, text, strings.Repeat(" ", 16)+`rule 3 holds in the proportion 0.5: smoker is yes or "used to", `+
		`and bmi is at most 30, from 29 to 33 in proportion
         21400  to begin with
         +5808  + 264 $ per years of age: 264 x (60 - 38)
        +13604  of it: 0.5 x 27208
                rule 4 holds in the proportion 0.5: smoker is yes or "used to", and bmi is above 30, from 29 to 33 in proportion
         41500  to begin with
         +5586  + 266 $ per years of age: 266 x (60 - 39)
       -2650.5  + 589 $ per bmi: 589 x (31 - 35.5)
     +22217.75  of it: 0.5 x 44435.5
           +85  table bmi: 31, in proportion between +0 at 28 and +340 at 40
           -20  table size: all others
=     35886.75  which the page limits to 30000
`, "sum")
}

// TestFactors: a page whose tables are factors is a sum, times these.
func TestFactors(t *testing.T) {
	d, pg := pageSamples(), samplePage()
	pg.Factors, pg.Terms = true, []page.Term{{Column: "size", Level: "small", Yes: 100}}
	pg.Tables = []page.Table{{Column: "age", Knots: []float64{19, 45, 62}, Entries: []float64{0.75, 1, 1.5}},
		{Column: "size", Groups: [][]string{{"small", "large"}}, Entries: []float64{1.25, 0.8}}}
	m := pagedModel(t, d, pg)
	predicted := testenv.Must(m.Predict(d.X))
	for n, x := range d.X {
		if s := sumOfPage(m, x); math.Abs(s.Value-predicted.Values[n]) > 1e-9*math.Abs(s.Value) {
			t.Fatalf("row %d: %+v, predicted %g", n, s, predicted.Values[n])
		}
	}
	text := testenv.Must(Explain(m, []float64{32, 31, 1, 0, 0, 1}, testenv.Must(shapley.New(m, d, 1)), d)).String()
	_, text, _ = strings.Cut(text, "By the page:\n")
	testenv.Equal(t, text, strings.Repeat(" ", 16)+`rule 1 holds: smoker is not yes or "used to", and age is at most 45 years
          8700  to begin with
         -2112  + 264 $ per years of age up to 50 years: 264 x (32 - 40)
         +10.5  + 10.5 $ if smoker is no, - 3 $ if not: it is no
          +100  size in all rules: it is small
=       6698.5  without the tables
        x0.875  table age: 32, in proportion between x0.75 at 19 and x1 at 45
         x1.25  table size: small
=      7326.48
`, "sum")
	described := testenv.Must(ModelOn(m, d))
	w := described.Sentences()
	testenv.Equal(t, w.Tables[1].Rows, []PageEntry{{"small / large", "x1.25"}, {"all others", "x0.8"}}, "table")
	if e := described.Rules[2].Local.Own.Effects[0]; e.Total != e.Change || strings.Count(w.OwnRows, " without the tables: ") != 3 {
		t.Errorf("%+v\n%s", e, w.OwnRows)
	}
	testenv.Equal(t, described.Rules[3].Fires != nil && m.RuleBase.Rules() > 4, true, "rules of the page that are several")
}

// TestPageTree: the rules of a page as a tree; a page of one rule has none.
func TestPageTree(t *testing.T) {
	d, pg := pageSamples(), samplePage()
	var b strings.Builder
	testenv.OK(t, WriteTree(&b, Model(pagedModel(t, d, pg))))
	testenv.Equal(t, b.String(), "The rules of the page as a tree: it leads every row to the rule whose IF holds.\n\n"+
		`smoker is yes or used to
    bmi is at most 30, from 29 to 33 in proportion
        rule 3: 21400 $ at age 38 years, without the tables (33% of the samples)
    bmi is above 30, from 29 to 33 in proportion
        rule 4: 41500 $ at age 39 years, bmi 35.5, without the tables (33% of the samples)
smoker is not yes or used to
    age is at most 45 years
        rule 1: 8700 $ at age 40 years, without the tables (20% of the samples)
    age is above 45 years
        rule 2: 11000 $, without the tables (13% of the samples)
`, "tree")
	pg.Rules = pg.Rules[:1]
	pg.Rules[0].Conditions = nil
	testenv.Fails(t, WriteTree(&b, Model(pagedModel(t, d, pg))), "no tree: there is a single rule")
}

// TestValuesOf: a category that is none of its levels is not missing, a number without a value and shares of levels are.
func TestValuesOf(t *testing.T) {
	m := pagedModel(t, pageSamples(), samplePage())
	for want, x := range map[string][]float64{
		"age missing, bmi 30, smoker none of its levels, size large": {math.NaN(), 30, 0, 0, 0, 3},
		"age 30 years, bmi 30, smoker missing, size missing":         {30, 30, 0.5, 0.25, 0.25, math.NaN()},
	} {
		var got []string
		for _, c := range valuesOf(m, x) {
			got = append(got, c.text())
		}
		testenv.Equal(t, strings.Join(got, ", "), want)
	}
}
