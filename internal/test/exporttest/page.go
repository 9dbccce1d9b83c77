package exporttest

import (
	"context"
	"errors"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// onPage makes the model of a page with steps and a ramp, levels of which a cell is one or none, capped terms, and tables.
func (c Case) onPage(tb testing.TB, p model.Preprocessing, d *data.Dataset, t model.Training) *model.Model {
	tb.Helper()
	step := func(at float64) *page.Border { return &page.Border{At: at, From: at, To: at} }
	ramp, most := &page.Border{At: -41, From: -42, To: -40.5}, 2.5
	const wind = `wind "speed", m/s`
	day := page.Condition{Column: "day", Levels: []string{"O'Hare", "=wed"}}
	otherDay := day
	otherDay.Not = true
	pg := &page.Page{Target: "yield", Unit: "kg", Low: 2, High: 80,
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
	p.ReadMissing()
	p.FillPage(pg)
	err := p.PageLimits(pg)
	rb := must[*rules.RuleBase](tb)(p.PageRules(pg))
	m, failed := model.New(context.Background(), p, rb, d.X, nil, t)
	if err = errors.Join(err, failed); err != nil {
		tb.Fatal(err)
	}
	m.Pages = []*page.Page{pg}
	return m
}
