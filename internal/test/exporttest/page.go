package exporttest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

const wind = `wind "speed", m/s`

func step(at float64) *page.Border { return &page.Border{At: at, From: at, To: at} }

// onPage makes the model of a page or, of several outputs, of a page of each.
func (c Case) onPage(tb testing.TB, p model.Preprocessing, d *data.Dataset, t model.Training) *model.Model {
	tb.Helper()
	var pages []*page.Page
	for k := range p.OutputCount() {
		of := (&model.Model{Preprocessing: p}).Output(k)
		pg := c.page()
		if k > 0 {
			pg = otherPage(k)
		}
		pg.Target, pg.Unit = of.Schema.Target, of.Schema.TargetUnit
		if d.Schema.Classes != nil {
			pg.Low, pg.High = 0, 0
			shrink(pg)
		} else if c.Response == "targets" && k > 0 {
			pg.Low, pg.High = -9000, 100
		}
		pages = append(pages, pg)
	}
	p.ReadMissing()
	p.FillPage(pages...)
	err := p.PageLimits(pages...)
	rb := must[*rules.RuleBase](tb)(p.PageRules(pages...))
	m, failed := model.New(context.Background(), p, rb, d.X, nil, t)
	if err = errors.Join(err, failed); err != nil {
		tb.Fatal(err)
	}
	m.Pages = pages
	return m
}

// page returns a page with steps and a ramp, levels of which a cell is one or none, capped terms, and tables.
func (c Case) page() *page.Page {
	ramp, most := &page.Border{At: -41, From: -42, To: -40.5}, 2.5
	day := page.Condition{Column: "day", Levels: []string{"O'Hare", "=wed"}}
	otherDay := day
	otherDay.Not = true
	pg := &page.Page{Low: 2, High: 80,
		Columns: []page.Column{
			{Name: "x", Unit: "°C", Low: 1, High: 30}, {Name: wind, Low: 0, High: 6},
			{Name: "day", Levels: []string{"O'Hare", "mon, tue", "=wed"}}, {Name: "größe 100%", Levels: []string{"small", "middle", `"big"`}},
			{Name: "select", Unit: "°C", Low: -44, High: -40},
		},
		Rules: []page.Rule{
			{Conditions: []page.Condition{{Column: "x", AtMost: step(15.5)}, day}, About: 25,
				Terms: []page.Term{{Column: "x", Slope: 0.7, At: 10}, {Column: wind, Slope: -2, At: 1, To: &most}}},
			{Conditions: []page.Condition{{Column: "x", AtMost: step(15.5)}, otherDay}, About: 31},
			{Conditions: []page.Condition{{Column: "x", Above: step(15.5)}, {Column: "select", AtMost: ramp}}, About: 40,
				Terms: []page.Term{{Column: "day", Level: "=wed", Yes: 3, No: -1}, {Column: "größe 100%", Level: "middle", Yes: 2, No: -1}}},
			{Conditions: []page.Condition{{Column: "x", Above: step(15.5)}, {Column: "select", Above: ramp},
				{Column: "größe 100%", Levels: []string{"small"}}}, About: 45},
			{Conditions: []page.Condition{{Column: "x", Above: step(15.5)}, {Column: "select", Above: ramp},
				{Column: "größe 100%", Levels: []string{"small"}, Not: true}}, About: 50},
		},
		Tables: []page.Table{{Column: wind, Knots: []float64{0, 1, 6}, Entries: []float64{2, 0, -5}},
			{Column: "day", Groups: [][]string{{"mon, tue"}}, Entries: []float64{4, -2}}},
	}
	if c.Own {
		pg.Columns[0].Own, pg.Columns[1].Own = true, true
		missing := page.Condition{Column: "x", Levels: []string{page.MissingLevel}}
		last := pg.Rules[len(pg.Rules)-1]
		known, absent := last, last
		absent.Conditions, absent.About = append(slices.Clone(last.Conditions), missing), 58
		missing.Not = true
		known.Conditions = append(slices.Clone(last.Conditions), missing)
		pg.Rules = append(pg.Rules[:len(pg.Rules)-1], known, absent)
		pg.Terms = append(pg.Terms, page.Term{Column: wind, Level: page.MissingLevel, Yes: 5, No: -1})
	}
	if c.Factors {
		pg.Factors = true
		pg.Tables[0].Entries, pg.Tables[1].Entries = []float64{1.2, 1, 0.85}, []float64{1.1, 0.95}
		pg.Tables = append(pg.Tables, page.Table{Column: "x", Knots: []float64{1, 15.5, 30}, Entries: []float64{0.9, 1, 1.3}})
	}
	return pg
}

// otherPage returns a page of output k, whose conditions are partly those of the first.
func otherPage(k int) *page.Page {
	high := page.Condition{Column: "x", Above: step(15.5)}
	return &page.Page{Low: 2, High: 80, Columns: []page.Column{{Name: "x", Unit: "°C", Low: 1, High: 30}, {Name: wind, Low: 0, High: 6},
		{Name: "day", Levels: []string{"O'Hare", "mon, tue", "=wed"}}},
		Rules: []page.Rule{
			{Conditions: []page.Condition{{Column: "x", AtMost: step(15.5)}}, About: 20 * float64(k),
				Terms: []page.Term{{Column: "x", Slope: 1, At: 9}}},
			{Conditions: []page.Condition{high, {Column: "day", Levels: []string{"=wed"}}}, About: 35},
			{Conditions: []page.Condition{high, {Column: "day", Levels: []string{"=wed"}, Not: true}}, About: 38},
		},
		Tables: []page.Table{{Column: wind, Knots: []float64{0, 2.5}, Entries: []float64{1, -3}}}}
}

// shrink makes the values of a page log odds.
func shrink(pg *page.Page) {
	const by = 0.05
	for r := range pg.Rules {
		of := &pg.Rules[r]
		of.About = (of.About - 30) * by
		for i := range of.Terms {
			t := &of.Terms[i]
			t.Slope, t.Yes, t.No = t.Slope*by, t.Yes*by, t.No*by
		}
	}
	for _, t := range pg.Tables {
		for k := range t.Entries {
			if !pg.Factors {
				t.Entries[k] *= by
			}
		}
	}
}
