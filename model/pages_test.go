package model

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// responding makes a preprocessing one of several outputs, and returns their names.
func responding(p *Preprocessing, kind string) []string {
	switch kind {
	case "targets":
		second := Target{Mean: 300, SD: 50, Min: 100, Max: 800}
		p.Target.SD = 40
		p.Schema.Others, p.Response.Targets = []data.Other{{Name: "z", Unit: "m"}}, []Target{p.Target, second}
		return []string{"y", "z"}
	case "quantiles":
		p.Response = Response{Link: "ordered", Quantiles: []float64{0.1, 0.5}, TrainingQuantiles: []float64{1, 5}}
		return []string{"10% quantile of y", "median of y"}
	}
	p.Response.Link = kind
	for _, name := range []string{"no", "yes", "or"}[:map[string]int{"logit": 2, "softmax": 3}[kind]] {
		p.Schema.Classes, p.Response.Classes = append(p.Schema.Classes, name), append(p.Response.Classes, Class{name, 0})
	}
	p.Response.Classes[0].Share = 1
	p.Target = Target{Max: 1}
	if kind == "logit" {
		return []string{"log odds of yes"}
	}
	return []string{"score of no", "score of yes", "score of or"}
}

// pagesOf returns random pages of outputs.
func pagesOf(rng *rand.Rand, kind string, names []string) (all []*page.Page) {
	for c, name := range names {
		pg := randomPage(rng)
		pg.Target = name
		for _, t := range pg.Tables {
			for k := range t.Entries {
				if pg.Factors && len(pg.Tables)%2 == 0 {
					t.Entries[k] = 1.25 // equal entries are apart
				}
			}
		}
		switch {
		case strings.Contains(name, " of ") && kind != "quantiles":
			pg.Low, pg.High = 0, 0
		case kind == "targets":
			pg.Low, pg.High = 10*float64(c), 550+50*float64(c)
		}
		all = append(all, pg)
	}
	return all
}

// TestPagesOfOutputs: the outputs of a model of several pages are what these say, alone and together.
func TestPagesOfOutputs(t *testing.T) {
	d := pageTable("error")
	compiled, factors, tested := 0, 0, map[string]int{}
	for seed := range 48 {
		kind := []string{"targets", "quantiles", "logit", "softmax"}[seed%4]
		rng := rand.New(rand.NewPCG(5, uint64(seed)))
		p := fit(t, d)
		all := pagesOf(rng, kind, responding(&p, kind))
		p.FillPage(all...)
		testenv.OK(t, p.PageLimits(all...))
		rb, err := p.PageRules(all...)
		if err != nil && strings.Contains(err.Error(), "overlap") {
			continue
		}
		testenv.OK(t, err)
		tested[kind]++
		compiled = max(compiled, rb.Rules())
		m := testenv.Must(New(context.Background(), p, rb, d.X, nil, Training{Samples: d.Len()}))
		m.Pages = all
		m = decode(t, encode(t, m))
		testenv.Equal(t, m.Pages, all, "the pages of the file")
		x, cells := pageRows(d, p, rng)
		want := make([][]float64, len(all))
		for c, pg := range all {
			if pg.Factors {
				factors++
			}
			alone := m.Output(c)
			testenv.OK(t, alone.Validate())
			joined := *alone
			joined.RuleBase, joined.Pages, joined.Rules = m.RuleBase.Output(c), nil, m.Rules
			one, together := predict(t, alone, x), predict(t, &joined, x)
			for n := range x {
				v := testenv.Must(pg.Predict(func(column string) (float64, string, bool) {
					return cells[n][column].number, cells[n][column].level, true
				}))
				if want[c] = append(want[c], v); !onPage(one.Values[n], v) || !onPage(together.Values[n], v) {
					t.Fatalf("seed %d, row %v: %v alone, %v together, want %v of\n%s", seed, cells[n], one.Values[n], together.Values[n], v, pg)
				}
			}
			again := testenv.Must(New(context.Background(), alone.Preprocessing, alone.RuleBase, d.X, nil, alone.Training))
			for r, s := range again.Rules {
				if got := alone.Rules[r].Share; !(math.Abs(got-s.Share) < 1e-12) {
					t.Fatalf("seed %d: rule %d has a share of %v, want %v", seed, r+1, got, s.Share)
				}
			}
		}
		checkPageRule(t, m, x)
		if got := predict(t, m, x); kind == "targets" || kind == "quantiles" {
			for n := range x {
				row := sampleOf(want, n)
				if kind == "quantiles" {
					slices.Sort(row)
				}
				for c, v := range row {
					if !onPage(got.Outputs[c][n], v) {
						t.Fatalf("seed %d: %v, want %v", seed, got.Outputs[c][n], v)
					}
				}
			}
		}
	}
	if len(tested) < 4 || tested["softmax"] < 4 || compiled < 40 || factors < 10 {
		t.Errorf("few pages: %v, at most %d rules, %d with factors", tested, compiled, factors)
	}
}

// TestPageReadability: read alone, the strongest rule of a page without ramps is the page, also if its tables are factors.
func TestPageReadability(t *testing.T) {
	d := pageTable("error")
	p := fit(t, d)
	pg := testenv.Must(page.Parse(`y is the value of the one rule whose IF holds, times the factors of the tables.
Rule 1 IF town is A or B
THEN about 500
Rule 2 IF town is not A or B
THEN about 450 at area 1200
- 0.1 per area
Table share (between entries in proportion)
-1: x0.9, 0: x1, 1: x1.2
Table grade
poor: x0.9, all others: x1
In formulas and tables, area counts as at least 1000 and at most 1600; share counts as at least -1 and at most 1.`))
	m := pageModel(t, d, p, pg)
	r := testenv.Must(MeasureReadability(t.Context(), m, d, nil))
	if r.Rules != 2 || m.RuleBase.Rules() < 10 || r.Idle != 0 || math.Abs(*r.Fidelity-1) > 1e-9 || *r.Disagreement > 1e-9 {
		t.Errorf("%+v, fidelity %v", r, *r.Fidelity)
	}
	whole, alone, err := HeldOutLosses(t.Context(), m, d, 1)
	testenv.OK(t, err)
	for n, v := range whole {
		if !(math.Abs(alone[n]-v) <= 1e-9*(1+v)) {
			t.Fatalf("row %d: a loss of %v, alone %v", n, v, alone[n])
		}
	}
}

// onPage reports whether two values of pages are equal up to rounding.
func onPage(v, want float64) bool { return math.Abs(v-want) <= 1e-12*max(1000, math.Abs(want)) }

// checkPageRule checks that the firing of the rules of each rule of a page add up to its grade.
func checkPageRule(t *testing.T, m *Model, x [][]float64) {
	t.Helper()
	of := m.PageRule()
	scaled := testenv.Must(m.Scale(x))
	levels := m.RuleBase.FiringLevels(scaled, nil)
	for c, pg := range m.Pages {
		for n, row := range x {
			sums, total := make([]float64, len(pg.Rules)), 0.0
			for r, level := range levels[n] {
				sums[of[c][r]-1] += level
				total += level
			}
			grades := testenv.Must(pg.Grades(func(column string) (float64, string, bool) { return cellOf(m, row, column) }))
			for r, g := range grades {
				if !(math.Abs(sums[r]-g) < 1e-12) || !(math.Abs(total-1) < 1e-12) {
					t.Fatalf("rule %d of %s: %v, want %v; in all %v", r+1, pg.Target, sums[r], g, total)
				}
			}
		}
	}
}

// cellOf returns a row's cell of a column.
func cellOf(m *Model, row []float64, column string) (float64, string, bool) {
	first := 0
	for _, c := range m.Schema.Columns {
		if c.Name == column {
			level := ""
			if k := c.Level(row[first:][:c.Width()]); k >= 0 {
				level = c.Levels[k]
			}
			return row[first], level, true
		}
		first += c.Width()
	}
	return 0, "", false
}

// TestPagesAreHeld: files whose pages are not those of the outputs are refused, and so are pages that no rules hold.
func TestPagesAreHeld(t *testing.T) {
	d := pageTable("error")
	p := fit(t, d)
	responding(&p, "targets")
	pg := func(target, when string) *page.Page {
		text := target + " is the value of the one rule whose IF holds"
		if strings.Contains(when, "proportion") {
			text += ", or of several in proportion"
		}
		for k, side := range []string{"at most", "above"} {
			text += fmt.Sprintf("%s\nRule %d IF share is %s %s THEN about %d", []string{".", ""}[k], k+1, side, when, 400+k)
		}
		return testenv.Must(page.Parse(text))
	}
	step, ramp, wide := "0.25", "0.25, from 0 to 0.5 in proportion", "0.5, from 0.4 to 1 in proportion"
	for want, all := range map[string][]*page.Page{
		"1 pages of 2 outputs":                                {pg("y", step)},
		`output 2 of the model is "z"`:                        {pg("y", step), pg("y", step)},
		`output 1 of the model is "y"`:                        {nil, pg("z", step)},
		`"share" from 0 to 0.5 and from 0.4 to 1 overlap`:     {pg("y", ramp), pg("z", wide)},
		`"share" from 0 to 0.5 and from 0.25 to 0.25 overlap`: {pg("y", ramp), pg("z", step)},
	} {
		_, err := p.PageRules(all...)
		testenv.FailsWith(t, err, want, "%s", want)
	}
	testenv.Equal(t, testenv.Must(p.PageRules(pg("y", ramp), pg("z", ramp))).Rules(), 2, "rules of equal conditions")
	many := pg("y", step)
	many.Factors = true
	for _, name := range []string{"area", "share"} {
		t := page.Table{Column: name}
		for k := range 40 {
			t.Knots, t.Entries = append(t.Knots, 0.25+float64(k)), append(t.Entries, 1)
		}
		many.Tables = append(many.Tables, t)
	}
	many.Columns = append(many.Columns, page.Column{Name: "area"})
	_, err := p.PageRules(many, pg("z", step))
	testenv.FailsWith(t, err, "more than 1000 rules", "many entries")
	other := pg("z", step)
	other.Low, other.High = 0, 1000
	pages := []*page.Page{pg("y", step), other}
	testenv.OK(t, p.PageLimits(pages...))
	m := testenv.Must(New(context.Background(), p, testenv.Must(p.PageRules(pages...)), d.X, nil, Training{Samples: d.Len()}))
	m.Pages = pages
	for want, change := range map[string]func(m *Model){
		`"z": values from`:             func(m *Model) { m.Pages[1].High++ },
		"are not those of its pages":   func(m *Model) { m.Pages[1].Rules[0].About++ },
		`output 1 of the model is "y"`: func(m *Model) { slices.Reverse(m.Pages) },
		"the link log": func(m *Model) {
			m.Schema.Others, m.Response = nil, Response{Link: "log"}
			m.RuleBase = m.RuleBase.Output(0)
		},
	} {
		one := *decode(t, encode(t, m))
		change(&one)
		_, err := one.encoded()
		testenv.FailsWith(t, err, want, "%s", want)
	}
	p = fit(t, d)
	responding(&p, "logit")
	odds := pg(`"log odds of yes"`, step)
	odds.Low, odds.High = -1, 1
	testenv.FailsWith(t, p.PageLimits(odds), `"log odds of yes": values from -1 to 1 by its page`, "limits of log odds")
}
