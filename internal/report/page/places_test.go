package page

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/model"
)

// dayTable returns a table with a column of two levels before the columns of table.
func dayTable(n int) *data.Dataset {
	d := table(n)
	d.Schema.Columns = append([]data.Column{{Name: "day", Encoding: data.OneHot, Levels: []string{"weekend", "workday"}}}, d.Schema.Columns...)
	for i, row := range d.X {
		pair := []float64{1, 0}
		if i%7 < 5 {
			pair = []float64{0, 1}
		}
		d.X[i] = append(pair, row...)
	}
	return d
}

// TestPlaces: levels and few distinct values have counts of rows, other numbers a histogram.
func TestPlaces(t *testing.T) {
	d := dayTable(70)
	p, _ := mustNew(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 3, nil), Data: Part{"test.csv", d}})
	for _, c := range p.content.Columns {
		total := 0
		for _, n := range c.Counts {
			total += n
		}
		few, histogram := c.Name != "length" && c.Name != "income" && c.Name != "same", p.content.Features[c.Feature].Histogram != nil
		if few != (total == 70) || histogram != (c.Name == "length" || c.Name == "income") {
			t.Errorf("%s: %d rows counted, a histogram: %v", c.Name, total, histogram)
		}
		if want := []float64{0, 1}; c.Name == "urban" && !slices.Equal(c.Values, want) {
			t.Errorf("urban is drawn at %v", c.Values)
		}
		if want := []int{20, 50}; c.Name == "day" && !slices.Equal(c.Counts, want) {
			t.Errorf("day: %v rows, not %v", c.Counts, want)
		}
	}
}

// chart is a chart or a cell of the rule viewer on the page.
type chart struct {
	Title  string
	Names  []string
	Lines  int
	Points int
}

// TestCategories: the page draws a column of categories or of few distinct values once, as
// points and bars with names, and other numbers as curves.
func TestCategories(t *testing.T) {
	d := dayTable(70)
	m := untrained(t, lookup(t, "gaussian"), d, 3, nil)
	p := browser.Open(t, written(t, Input{Model: m, Data: Part{"test.csv", d}}))
	want := map[string][]string{
		"day": {"weekend", "workday"}, "sex": {"F", "I", "M"}, "grade": {"low", "middle", "high"}, "urban": {"0", "1"}, "length [mm]": nil, "income": nil,
	}
	for _, section := range []string{"membership-charts", "response-charts"} {
		var all []chart
		p.Evaluate(`Array.from(document.querySelectorAll("#`+section+` figure"), (f) => ({
			Title: f.querySelector("figcaption").textContent, Names: Array.from(f.querySelectorAll(".axes .tick + text"), (t) => t.textContent),
			Lines: f.querySelectorAll("path.line").length, Points: f.querySelectorAll("circle").length,
		}))`, &all)
		compareDrawn(t, section, all, want)
	}
	var cells []chart
	p.Evaluate(`document.querySelector('#firing input[type="checkbox"]').click()`, nil)
	p.Evaluate(`Array.from(document.querySelectorAll('.firing [data-rule="2"] .cell'), (c) => ({
		Title: c.querySelector(".name").textContent.replace("length", "length [mm]"), Names: Array.from(c.querySelectorAll(".places span"), (s) => s.textContent),
		Lines: c.querySelectorAll("path.line").length, Points: c.querySelectorAll("rect.place").length,
	}))`, &cells)
	compareDrawn(t, "a rule", cells, want)
	var controls int
	p.Evaluate(`document.querySelectorAll("#inputs .input").length`, &controls)
	if controls != len(want) {
		t.Errorf("%d controls for %d columns", controls, len(want))
	}
	compareGrades(t, p, m, d)
	sound(t, p, "the page")
}

func compareDrawn(t *testing.T, where string, all []chart, want map[string][]string) {
	t.Helper()
	if len(all) != len(want) {
		t.Errorf("%s: %d columns drawn, not %d: %+v", where, len(all), len(want), all)
	}
	for _, c := range all {
		names, ok := want[c.Title]
		discrete := names != nil
		if !ok || discrete && !slices.Equal(c.Names, names) || discrete != (c.Points > 0) || discrete != (c.Lines == 0) || c.Points%max(1, len(names)) != 0 {
			t.Errorf("%s: %+v; want %q", where, c, names)
		}
	}
}

// compareGrades compares the grade of the two levels in a rule with the product of the model's
// two functions.
func compareGrades(t *testing.T, p *browser.Page, m *model.Model, d *data.Dataset) {
	t.Helper()
	var got float64
	p.Evaluate(`Number(Array.from(document.querySelectorAll('.firing [data-rule="2"] .cell')).find((c) => c.querySelector(".name").textContent === "day").dataset.grade)`, &got)
	x, err := m.Scale([][]float64{append([]float64{0, 1}, d.X[0][2:]...)}) // workday is typical
	if err != nil {
		t.Fatal(err)
	}
	want, grade, params := 1.0, make([]float64, 1), make([]float64, len(m.RuleBase.Antecedents))
	for i := range 2 {
		m.RuleBase.Shape.Grades(grade, x[0][i:i+1], m.RuleBase.Function(params, 1, i))
		want *= grade[0]
	}
	if !near(got, want) {
		t.Error(differ("the grade of day", got, want))
	}
}
