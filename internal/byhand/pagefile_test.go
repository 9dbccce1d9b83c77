package byhand_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

const handPage = `charges is the value of the one rule whose IF holds, plus the entries of the tables.

Rule 1
  IF smoker is not yes
  THEN about 8700 $ at age 40 years
    + 264 $ per years of age up to 50 years

Rule 2
  IF smoker is yes
  AND bmi is at most 30, from 29 to 33 in proportion
  THEN about 21400 $

Rule 3
  IF smoker is yes
  AND bmi is above 30, from 29 to 33 in proportion
  THEN about 41500 $ at bmi 35.5
    + 589 $ per bmi
    + 10 $ if town is "New York", - 3 $ if not

Table town
  A / B: +15 $, all others: -20 $

In formulas and tables, age counts as at least 19 years and at most 62 years; bmi counts as at least 20 and at most 40.
No value is below 1000 $ or above 60000 $.
`

// insured returns a table for handPage.
func insured() *data.Dataset {
	rng := rand.New(rand.NewPCG(3, 4))
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "charges", TargetUnit: "$", Columns: []data.Column{
		{Name: "bmi", Encoding: data.Numeric}, {Name: "age", Unit: "years", Encoding: data.Numeric}, {Name: "other", Encoding: data.Numeric},
		{Name: "smoker", Encoding: data.OneHot, Levels: []string{"no", "yes"}},
		{Name: "town", Encoding: data.OneHot, Levels: []string{"A", "B", "C", "New York"}},
	}}}
	for n := range 200 {
		x := slices.Concat([]float64{18 + 25*rng.Float64(), 18 + 47*rng.Float64(), rng.NormFloat64()},
			d.Schema.Columns[3].Values(rng.IntN(2)), d.Schema.Columns[4].Values(rng.IntN(4)))
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, 1100+50000*rng.Float64()), append(d.Rows, n+1)
	}
	return d
}

func readPage(t *testing.T, text string) *byhand.Rulebook {
	t.Helper()
	return testenv.Must(byhand.ReadPage(strings.NewReader(text), "page.txt"))
}

// TestPageFile: the model of a page's text predicts what the text says, with its own columns and with those of a model; what show prints of
// it gives the same model to the bit, and reads the same.
func TestPageFile(t *testing.T) {
	d := insured()
	p := testenv.Must(model.Fit(context.Background(), d))
	like := testenv.Must(model.New(context.Background(), p, testenv.Must(p.PageRules(testenv.Must(page.Parse(handPage)))), d.X, nil,
		model.Training{Samples: d.Len()}))
	for name, of := range map[string]*model.Model{"own columns": nil, "columns of a model": like} {
		m := testenv.Must(readPage(t, handPage).Model(of))
		for _, x := range d.X {
			cells := map[string]float64{"bmi": x[0], "age": x[1]}
			levels := map[string]string{"smoker": []string{"no", "yes"}[slices.Index(x[3:5], 1)],
				"town": []string{"A", "B", "C", "New York"}[slices.Index(x[5:9], 1)]}
			want := testenv.Must(m.Pages[0].Predict(func(column string) (float64, string, bool) { return cells[column], levels[column], true }))
			if of == nil {
				x = ownRow(m, cells, levels)
			}
			got := testenv.Must(m.Predict([][]float64{x})).Values[0]
			if math.Abs(got-want) > 1e-9*want {
				t.Fatalf("%s: %v: %g, want %g", name, x, got, want)
			}
		}
		text := words.Model(m).Sentences().Text
		again := testenv.Must(readPage(t, text+"\n"+words.AboutPage+"\nmore\n").Model(m))
		if !reflect.DeepEqual(again.Pages, m.Pages) || !reflect.DeepEqual(again.RuleBase, m.RuleBase) ||
			words.Model(again).Sentences().Text != text {
			t.Errorf("%s: imported again:\n%s", name, words.Model(again).Sentences().Text)
		}
	}
}

// TestPagesFile: the text of several pages, one of them with factors, gives the same model to the bit.
func TestPagesFile(t *testing.T) {
	d := insured()
	p := testenv.Must(model.Fit(context.Background(), d))
	p.Response = model.Response{Link: "ordered", Quantiles: []float64{0.1, 0.5}, TrainingQuantiles: []float64{1000, 5000}}
	low := strings.Replace(handPage, "charges is the value", "\"10% quantile of charges\" is the value", 1)
	text := low + `"median of charges" is the value of the one rule whose IF holds, times the factors of the tables.
Rule 1
IF always THEN about 9000 $ at age 40, without the tables
  + 264 $ per age
Table smoker
  yes: x2.5, all others: x1.05
Table bmi (between entries in proportion)
  20: x0.9, 29: x1, 33: x1.1, 40: x1.2
No value is below 1000 $ or above 60000 $.
`
	book := readPage(t, text)
	testenv.FailsWith(t, testenv.Err(book.Model(nil)), "2 pages, of several outputs")
	rb := testenv.Must(p.PageRules(book.Pages...))
	like := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	m := testenv.Must(book.Model(like))
	again := testenv.Must(readPage(t, words.Model(m).Sentences().Text).Model(m))
	if !reflect.DeepEqual(again.Pages, m.Pages) || !reflect.DeepEqual(again.RuleBase, m.RuleBase) || !m.Pages[1].Factors {
		t.Errorf("imported again:\n%s", words.Model(again).Sentences().Text)
	}
}

// ownRow returns a row by the columns of a model.
func ownRow(m *model.Model, cells map[string]float64, levels map[string]string) (x []float64) {
	for _, c := range m.Schema.Columns {
		if c.Numbers() {
			x = append(x, cells[c.Name])
		} else {
			x = append(x, c.Values(slices.Index(c.Levels, levels[c.Name]))...)
		}
	}
	return x
}

// TestPageFaults: faults of a page have their place; without a model ranges and limits must be stated, with one they are those of it.
func TestPageFaults(t *testing.T) {
	_, err := byhand.ReadPage(strings.NewReader(strings.Replace(handPage, "bmi is above 30,", "bmi is above thirty,", 1)), "page.txt")
	testenv.FailsWith(t, err, "page.txt:15:")
	head, _, _ := strings.Cut(handPage, "In formulas")
	open := readPage(t, head)
	testenv.FailsWith(t, testenv.Err(open.Model(nil)), `the range of "age" is not known`)
	d := insured()
	like := testenv.Must(readPage(t, handPage).Model(nil))
	like.Preprocessing = testenv.Must(model.Fit(context.Background(), d))
	like.Pages = nil
	m := testenv.Must(open.Model(like))
	low, high := m.Target.Limits()
	if f := like.Features[1]; m.Pages[0].Columns[1].Low != f.Min || m.Pages[0].Columns[1].High != f.Max ||
		low != like.Target.Min || high != like.Target.Max {
		t.Errorf("%+v, from %g to %g", m.Pages[0].Columns, low, high)
	}
	wrong := readPage(t, strings.ReplaceAll(handPage, "bmi", "weight"))
	testenv.FailsWith(t, testenv.Err(wrong.Model(like)), "weight")
}

// TestPageMissing: an imported page reads missing cells as its text says, and refuses what it cannot read them as.
func TestPageMissing(t *testing.T) {
	for text, want := range map[string]string{
		"A missing age counts as 31.41592 years; a missing smoker counts as none of its levels.": "",
		"A missing age counts as 70 years.": "", // the range of the column grows
		"A missing smoker counts as yes.":   "none of its levels, not as",
	} {
		m, err := readPage(t, strings.Replace(handPage, "No value", text+"\nNo value", 1)).Model(nil)
		if want != "" {
			testenv.FailsWith(t, err, want, text)
			continue
		}
		testenv.OK(t, err)
		stated := strings.Fields(text)[5]
		if !strings.Contains(m.Pages[0].String(), "A missing age counts as "+stated) {
			t.Errorf("%s: %s", text, m.Pages[0])
		}
	}
}
