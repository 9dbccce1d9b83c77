package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// pageTable returns a table with numbers far from zero and near it, levels without and with an order, one that never occurs, and a
// constant.
func pageTable(missing string) *data.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "area", Unit: "m2", Encoding: data.Numeric}, {Name: "flat", Encoding: data.Numeric}, {Name: "share", Encoding: data.Numeric},
		{Name: "town", Encoding: data.OneHot, Levels: []string{"A", "B", "C", "D", "never"}},
		{Name: "grade", Encoding: data.Ordinal, Levels: []string{"poor", "fair", "good", "best"}},
	}}, Missing: data.Missing{Policy: missing}}
	for n := range 60 {
		town, grade := d.Schema.Columns[3].Values(n%4), d.Schema.Columns[4].Values(rng.IntN(4))
		d.X = append(d.X, slices.Concat([]float64{1000 + 10*float64(n), 7, rng.NormFloat64()}, town, grade))
		d.Y = append(d.Y, 500+40*rng.NormFloat64())
	}
	return d
}

// randomPage returns a page over the columns of pageTable.
func randomPage(rng *rand.Rand) *page.Page {
	p := tabled{&page.Page{Target: "y", Low: 0, High: 1e5, Columns: []page.Column{
		{Name: "area", Low: 1050, High: 1500}, {Name: "share", Low: -1.5, High: 1.5},
		{Name: "town", Levels: []string{"A", "B", "C", "D"}}, {Name: "grade", Levels: []string{"poor", "fair", "good", "best"}},
	}}}
	terms := func() (all []page.Term) {
		from, to := 1100.0, 1400.0
		candidates := []page.Term{{Column: "area", Slope: 0.3, At: 1200}, {Column: "area", Slope: -0.2, At: 1300, To: &to},
			{Column: "area", Slope: 0.1, At: 1250, From: &from, To: &to}, {Column: "share", Slope: 25, At: 0.1},
			{Column: "town", Level: "B", Yes: 12, No: -3}, {Column: "grade", Level: "fair", Yes: 5, No: -2}}
		for _, t := range candidates {
			again := t.Level == "" && slices.ContainsFunc(all, func(o page.Term) bool { return o.Column == t.Column })
			if rng.IntN(3) == 0 && !again {
				all = append(all, t)
			}
		}
		return all
	}
	if rng.IntN(4) == 0 {
		p.Columns[1].Low, p.Columns[1].High = 0, 0 // no range
	}
	for _, conditions := range divided(nil, rng, 0) {
		p.Rules = append(p.Rules, page.Rule{Conditions: conditions, About: math.Round(500 + 100*rng.NormFloat64()), Terms: terms()})
	}
	p.Terms, p.Factors = terms(), rng.IntN(3) == 0
	for _, t := range []page.Table{
		{Column: "area", Knots: []float64{1050, 1200, 1500}, Entries: []float64{-5, 10, 3}},
		{Column: "share", Knots: []float64{-1, 1}, Entries: []float64{4, -4}},
		{Column: "town", Groups: [][]string{{"A", "C"}, {"D"}}, Entries: []float64{1, 2, -3}},
		{Column: "grade", Groups: [][]string{{"poor", "best"}}, Entries: []float64{6, -1}},
	} {
		if rng.IntN(3) == 0 {
			p.addTable(t)
		}
	}
	p.Factors = p.Factors && p.Tables != nil
	return p.Page
}

// tabled is a page to which tables are added.
type tabled struct{ *page.Page }

// addTable adds a table or, if the tables are factors, one that a condition on its column allows.
func (p tabled) addTable(t page.Table) {
	if !p.Factors {
		p.Tables = append(p.Tables, t)
		return
	}
	for k, entry := range t.Entries {
		t.Entries[k] = 1 + entry/16
	}
	if t.Column == "area" {
		t.Knots[1] = 1230 // where conditions have a border
	}
	before := p.Tables
	if p.Tables = append(before, t); p.Validate() != nil {
		p.Tables = before
	}
}

// divided returns the conditions of the leaves of a random tree, whose borders on a column are of one split.
func divided(path []page.Condition, rng *rand.Rand, depth int) [][]page.Condition {
	border := func(at, width float64) *page.Border {
		width *= float64(rng.IntN(2))
		return &page.Border{At: at, From: at - width, To: at + width}
	}
	sides := func(column string, of *page.Border) []page.Condition {
		return []page.Condition{{Column: column, Above: of}, {Column: column, AtMost: of}}
	}
	levels := func(column string, names ...string) []page.Condition {
		return []page.Condition{{Column: column, Levels: names}, {Column: column, Levels: names, Not: true}}
	}
	splits := [][]page.Condition{sides("area", border(1230, 40)), sides("share", border(0.25, 0.5)), levels("town", "B"),
		levels("town", "A", "C"), levels("grade", "poor", "fair"), levels("grade", "good")}
	split := splits[rng.IntN(len(splits))]
	if depth == 3 || depth > 0 && rng.IntN(3) == 0 ||
		slices.ContainsFunc(path, func(c page.Condition) bool { return c.Column == split[0].Column }) {
		return [][]page.Condition{path}
	}
	return append(divided(append(slices.Clone(path), split[0]), rng, depth+1), divided(append(slices.Clone(path), split[1]), rng, depth+1)...)
}

// cell is a number, or a level or, if empty, none of them.
type cell struct {
	number float64
	level  string
}

// pageRows returns rows at borders, next to them and beyond ranges, with levels that are unknown or, with missing mean, cells that are
// missing, and what a page reads in them.
func pageRows(d *data.Dataset, p Preprocessing, rng *rand.Rand) (x [][]float64, cells []map[string]cell) {
	inf := math.Inf(1)
	areas := []float64{1230, 1190, 1270, math.Nextafter(1230, inf), math.Nextafter(1230, -inf), 1100, 1400, 0, 1e9, -1e9, 1050, 1500}
	shares := []float64{0.25, 0.25000001, 0.24999999, -0.25, 0.75, -5, 5, 0}
	for n := range 200 {
		row := slices.Clone(d.X[n%len(d.X)])
		if n%2 == 0 {
			row[0], row[2] = areas[rng.IntN(len(areas))], shares[rng.IntN(len(shares))]
		}
		seen := map[string]cell{"area": {number: row[0]}, "share": {number: row[2]}}
		town := rng.IntN(6) - 1
		copy(row[3:8], d.Schema.Columns[3].Values(town))
		if town >= 0 {
			seen["town"] = cell{level: d.Schema.Columns[3].Levels[town]}
		}
		seen["grade"] = cell{level: d.Schema.Columns[4].Levels[int(row[8])-1]}
		if p.ImputeMeans && n%3 == 0 {
			row[0], row[8] = math.NaN(), math.NaN()
			copy(row[3:8], slices.Repeat([]float64{math.NaN()}, 5))
			seen["area"], seen["town"] = cell{number: p.Features[0].Mean}, cell{}
			seen["grade"] = cell{level: d.Schema.Columns[4].Levels[int(p.Features[8].Mean)-1]}
		}
		x, cells = append(x, row), append(cells, seen)
	}
	return x, cells
}

// pageModel returns a model of a page.
func pageModel(t testing.TB, d *data.Dataset, p Preprocessing, pg *page.Page) *Model {
	t.Helper()
	noError(p.PageLimits(pg))
	m := testenv.Must(New(context.Background(), p, testenv.Must(p.PageRules(pg)), d.X, nil, Training{Samples: d.Len()}))
	m.Pages = []*page.Page{pg}
	return m
}

// TestPageRules: the rules of a page predict what the page says, of all cells, and its file holds it, to the bit.
func TestPageRules(t *testing.T) {
	for seed := range 40 {
		missing := []string{"error", "mean"}[seed%2]
		rng := rand.New(rand.NewPCG(3, uint64(seed)))
		d := pageTable(missing)
		p := fit(t, d)
		p.ReadMissing()
		pg := randomPage(rng)
		p.FillPage(pg)
		m := pageModel(t, d, p, pg)
		x, cells := pageRows(d, p, rng)
		got := predict(t, m, x)
		for n, v := range got.Values {
			want := testenv.Must(pg.Predict(func(column string) (float64, string, bool) {
				return cells[n][column].number, cells[n][column].level, true
			}))
			if !(math.Abs(v-want) <= 1e-12*max(1000, math.Abs(want))) {
				t.Fatalf("seed %d, row %v: %v, want %v of %+v", seed, cells[n], v, want, pg)
			}
		}
		testenv.Equal(t, got.Uncovered, 0, "rows that no rule covers")
		again := decode(t, encode(t, m))
		testenv.Equal(t, again.Pages[0], pg, "the page of the file")
		testenv.Equal(t, sameBits(predict(t, again, x).Values, got.Values), true, "predictions of the file")
	}
}

// TestPageIsHeld: a file whose rules, limits or target are not those of its page is refused, and so is a page that the table cannot hold.
func TestPageIsHeld(t *testing.T) {
	d, low := pageTable("error"), -1.0
	p := fit(t, d)
	pg := randomPage(rand.New(rand.NewPCG(3, 5)))
	for want, change := range map[string]func(m *Model){
		"the rules of the model are not those of its page": func(m *Model) { m.RuleBase.Consequents[0][0] += 1e-12 },
		"not those of":          func(m *Model) { m.Pages[0].Rules[0].About++ },
		"values from 0":         func(m *Model) { m.Pages[0].Low, m.Target.Low = 0, &low },
		"is \"y\": want a page": func(m *Model) { m.Pages[0].Target = "z" },
		"no rules":              func(m *Model) { m.Pages[0].Rules = nil },
	} {
		m := *decode(t, encode(t, pageModel(t, d, p, pg)))
		change(&m)
		_, err := m.encoded()
		testenv.FailsWith(t, err, want, "%s", want)
	}
	for want, change := range map[string]func(p *page.Page){
		`"flat": it is constant`: func(p *page.Page) {
			p.Columns = append(p.Columns, page.Column{Name: "flat"})
			p.Terms = []page.Term{{Column: "flat", Slope: 1}}
		},
		`"other": the table does not`: func(p *page.Page) {
			p.Columns = append(p.Columns, page.Column{Name: "other"})
			p.Terms = []page.Term{{Column: "other", Slope: 1}}
		},
		`no level "never"`: func(p *page.Page) {
			p.Columns[2].Levels = append(p.Columns[2].Levels, "never")
			p.Terms = []page.Term{{Column: "town", Level: "never"}}
		},
		"whether it has levels": func(p *page.Page) {
			p.Columns[2].Levels, p.Tables = nil, []page.Table{{Column: "town", Knots: []float64{1, 2}, Entries: []float64{2, 3}}}
		},
		"no range": func(p *page.Page) {
			p.Columns[0] = page.Column{Name: "area"}
			p.Terms = []page.Term{{Column: "area", Slope: 1, From: &low}}
		},
		"both hold": func(p *page.Page) { p.Rules = append(p.Rules, page.Rule{}) },
	} {
		one := randomPage(rand.New(rand.NewPCG(3, 5)))
		one.Rules, one.Terms, one.Tables = []page.Rule{{}}, nil, nil
		change(one)
		_, err := p.PageRules(one)
		testenv.FailsWith(t, err, want, "%s", want)
	}
	bent := fit(t, d)
	noError(bent.Straighten(context.Background(), d.X, nil))
	if bent.Features[0].Power == nil {
		bent.Features[0].Power = &Power{Lambda: 0.5, SD: 1}
	}
	one := &page.Page{Target: "y", Columns: pg.Columns, Rules: []page.Rule{{}}, Terms: []page.Term{{Column: "area", Slope: 1}}}
	_, err := bent.PageRules(one)
	testenv.FailsWith(t, err, "model.transform", "a transform")
}

// TestPageOfOneNumber: a page without columns is saved and read.
func TestPageOfOneNumber(t *testing.T) {
	d := pageTable("error")
	p := fit(t, d)
	pg := &page.Page{Target: "y", Rules: []page.Rule{{About: 5}}, Low: -1e6, High: 1e6}
	p.FillPage(pg)
	m := pageModel(t, d, p, pg)
	testenv.Equal(t, decode(t, encode(t, m)).Pages[0], pg, "the page of the file")
	testenv.Equal(t, predict(t, m, d.X[:1]).Values[0], 5.0)
}
