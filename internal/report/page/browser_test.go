package page

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// inPage is a prediction returned by the page's script.
type inPage struct {
	Value, Spread    float64
	Covered, Limited bool
	Levels           [][]float64 // by member
}

// TestForwardPass: for every shape and feature of a model, the page's predictions are those of
// the model, within the range of the data and far from it.
func TestForwardPass(t *testing.T) {
	var p *browser.Page
	uncovered, limited := 0, 0
	for _, s := range drawn(t, 30, "transformed, limited", "uncovered", "committee, calibrated", "page") {
		p = opened(t, p, s)
		x := append([][]float64{}, s.data.X...)
		rng := rand.New(rand.NewPCG(4, 5))
		for range 20 {
			far := append([]float64{}, s.data.X[rng.IntN(3)]...)
			far[0], far[5] = 200*rng.NormFloat64(), 50*rng.NormFloat64()
			x = append(x, far)
		}
		var rows []map[string]any
		for _, row := range x {
			rows = append(rows, values(s.model.Schema, row))
		}
		text := testenv.Must(json.Marshal(rows))
		var got []inPage
		p.Evaluate(fmt.Sprintf(`%s.map(tskgraph.predict).map((p) => ({...p, levels: p.members.map((m) => Array.from(m.levels))}))`, text), &got)
		for i, row := range x {
			want := testenv.Must(s.model.Predict([][]float64{row}))
			g := got[i]
			if !near(g.Value, want.Values[0]) {
				t.Errorf("%s: row %d: %s", s.name, i, differ("value", g.Value, want.Values[0]))
			}
			if g.Covered != (want.Uncovered == 0) || g.Limited != (want.Limited == 1) {
				t.Errorf("%s: row %d: covered %v, limited %v in the page; the model has %+v", s.name, i, g.Covered, g.Limited, want)
			}
			if s.model.Committee() && !near(g.Spread, want.Spread[0]) {
				t.Errorf("%s: row %d: %s", s.name, i, differ("spread", g.Spread, want.Spread[0]))
			}
			compareLevels(t, s, i, row, g)
			uncovered, limited = uncovered+want.Uncovered, limited+want.Limited
		}
		if s.model.Committee() || s.model.Components != nil { // no rules to edit
			var text string
			p.Run(`document.querySelector("#tab-edit").click()`)
			if p.Evaluate(`document.querySelector("#edit").innerText`, &text); !strings.Contains(text, "To edit rules, train with ") {
				t.Errorf("%s: %q", s.name, text)
			}
		}
		sound(t, p, s.name)
	}
	if uncovered == 0 || limited == 0 {
		t.Errorf("%d uncovered and %d limited predictions: want both", uncovered, limited)
	}
}

func compareLevels(t *testing.T, s subject, i int, row []float64, g inPage) {
	t.Helper()
	members := s.model.Members
	if !s.model.Committee() {
		members = []*model.Model{s.model}
	}
	for k, m := range members {
		scaled := testenv.Must(m.Scale([][]float64{row}))
		for r, want := range m.RuleBase.FiringLevels(scaled, nil)[0] {
			if !near(g.Levels[k][r], want) {
				t.Errorf("%s: row %d, member %d, rule %d: %s", s.name, i, k+1, r+1, differ("level", g.Levels[k][r], want))
			}
		}
	}
}

// TestCurveCharts: the page draws the curves of each feature that has one, alone, with the mean
// slope, and of each rule; a page without curves has no section for them.
func TestCurveCharts(t *testing.T) {
	d := table(60)
	if _, html := mustNew(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 4, nil), Data: Part{"test.csv", d}}); strings.Contains(html,
		`id="curves"`) {
		t.Error("a section of curves without curves")
	}
	var p *browser.Page
	for _, own := range testenv.Draw([]bool{true, false}, 2, 1, 0) {
		want := map[bool][]int{false: {1, 3, 3, 0}, true: {1, 3, 3, 12}}[own] // length, grade, income
		p = opened(t, p, subject{"curves", bent(t, untrained(t, lookup(t, "gaussian"), d, 4, nil), d, own), d})
		var got []int
		if p.Evaluate(`["", " figure", " figure:has(.total)", " g > title"].map((s) => document.querySelectorAll("#curves" + s).length)`,
			&got); !slices.Equal(got, want) {
			t.Errorf("own %v: %v, want %v", own, got, want)
		}
		var text string
		if p.Evaluate(`document.querySelector("#curves").innerText`, &text); !strings.Contains(text, "with the mean slope of the rules it ") {
			t.Errorf("own %v: no words in %q", own, text)
		}
		sound(t, p, "curves")
	}
}

// TestHostileNames: names, units and categories from the data are shown as text.
func TestHostileNames(t *testing.T) {
	d := table(40)
	d.Schema.Target, d.Schema.TargetUnit = `</script><script>alert("target")</script>`, `"><b>`
	c := d.Schema.Columns
	c[0].Name, c[0].Unit = `<img src=x onerror=alert(1)>`, `'"&<!--`
	c[1].Name, c[1].Levels = `</script><!-- <script>`, []string{`"></option><script>alert(2)</script>`, "'`${alert(3)}", "a\u2028b"}
	c[3].Name = `__proto__`
	c[5].Name = `{{.Target}}-->]]>`
	s := subject{"hostile", untrained(t, lookup(t, "gaussian"), d, 4, nil), d}
	p := browser.Open(t, written(t, Input{Model: s.model, Data: Part{`<i>test</i>.csv`, d}}))
	var title string
	var markup, options int
	p.Evaluate(`document.querySelector("h1").textContent`, &title)
	if want := label(d.Schema.Target, d.Schema.TargetUnit); title != want {
		t.Errorf("the title is %q, not %q", title, want)
	}
	p.Evaluate(`document.querySelectorAll("img, b, i, script:not(#content) ~ script ~ script").length`, &markup)
	if markup != 0 {
		t.Errorf("%d elements were made of names", markup)
	}
	p.Evaluate(`document.querySelectorAll("#inputs option").length`, &options)
	if options != 6 {
		t.Errorf("%d categories to choose from, not 6", options)
	}
	want := testenv.Must(s.model.Predict(d.X[:1]))
	// An object literal with __proto__ would set its prototype.
	text := testenv.Must(json.Marshal(values(s.model.Schema, d.X[0])))
	var value float64
	p.Evaluate(fmt.Sprintf(`tskgraph.predict(JSON.parse(%q)).value`, text), &value)
	if !near(value, want.Values[0]) {
		t.Error(differ("value", value, want.Values[0]))
	}
	sound(t, p, "the page")
}

// TestOneFeature: a page with one column has no surface and no script error.
func TestOneFeature(t *testing.T) {
	x, y := [][]float64{{1}, {2}, {3}, {4}}, []float64{1, 2, 2, 5}
	d := testenv.Must(data.New([]string{"x"}, "y", x, y))
	p := browser.Open(t, written(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 2, nil), Data: Part{"test.csv", d}}))
	var text string
	p.Evaluate(`document.querySelector("#responses").innerText`, &text)
	if faults := p.Faults(); len(faults) > 0 || text == "" {
		t.Errorf("%q, %s", text, faults)
	}
}

// TestPruningPath: the page draws errors and fidelities of a pruning path, and no fidelities if
// no step has one.
func TestPruningPath(t *testing.T) {
	d := table(60)
	m := untrained(t, lookup(t, "gaussian"), d, 3, func(*model.Preprocessing) {})
	low, high := 1.02, 3.5
	steps := []tskgraph.PathStep{{Metric: "RMSE", Rules: 3, LossTrain: 1, Fidelity: &high}, {Metric: "RMSE", Rules: 2, LossTrain: 1.5},
		{Metric: "RMSE", Rules: 1, LossTrain: 2, Fidelity: &low}}
	race := []tskgraph.RaceScore{{Metric: "RMSE", Splits: 2, Loss: 1, Chosen: true}, {Metric: "RMSE", Failed: "diverged"}}
	s := report.Summary{Path: steps, Race: race}
	before := model.Metrics{Samples: 60, RMSE: 1.25}
	s.SetBefore("model.json", 5, &before, nil, &before)
	s.Rules = 3
	in := Input{Model: m, Data: Part{"test.csv", d}, Summary: &s}
	p := browser.Open(t, written(t, in))
	dots := `["path", "path-fidelity"].map((id) => document.querySelectorAll("#" + id + " .here").length)`
	var got []int
	if p.Evaluate(dots, &got); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("%v dots at the chosen number of rules", got)
	}
	var text string
	p.Evaluate(`document.body.innerText`, &text)
	for _, want := range []string{"Before pruning: 5 rules, RMSE 1.250 in training, 1.250 in the test.",
		"1, chosen\t2\t1.000", "2\t–\tfailed"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	steps[0].Fidelity, steps[2].Fidelity = nil, nil
	p.Go(written(t, in))
	if p.Evaluate(dots, &got); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("%v dots without fidelities", got)
	}
}

// TestContributions: in the page of every model, the contributions to each row sum to the
// page's own prediction.
func TestContributions(t *testing.T) {
	for _, s := range drawn(t, 12, "committee, calibrated", "missing values", "components") {
		p := testenv.Must(New(Input{Model: s.model, Data: Part{"test.csv", s.data}}))
		c := p.content.Contributions[0]
		if len(c.Rows) != s.data.Len() || c.Background != s.data.Len() || len(c.Columns) != len(p.Contributions) || c.Errors != nil {
			t.Fatalf("%s: %d rows, background %d, columns %v", s.name, len(c.Rows), c.Background, c.Columns)
		}
		want := testenv.Must(s.model.Predict(append(s.data.X, p.content.typical())))
		for n, row := range append(c.Rows, c.Typical) {
			sum := c.Mean
			for _, v := range row {
				sum += v
			}
			if math.Abs(sum-want.Values[n]) > 1e-5*max(1, math.Abs(sum)) { // they have seven digits
				t.Errorf("%s: row %d: the parts sum to %v, want %v", s.name, n, sum, want.Values[n])
			}
		}
		for i, column := range p.Contributions {
			mean := 0.0
			for _, row := range c.Rows {
				mean += math.Abs(row[i]) / float64(len(c.Rows))
			}
			if math.Abs(column.Mean-mean) > 1e-5*max(1, mean) || i > 0 && column.Mean > p.Contributions[i-1].Mean {
				t.Errorf("%s: %+v, want the mean %v", s.name, column, mean)
			}
		}
	}
}

// TestContributionsDrawn: a bar for each column, a dot for each row and column, and steps for
// the current row, which go when it is changed.
func TestContributionsDrawn(t *testing.T) {
	s := subject{"gaussian", untrained(t, lookup(t, "gaussian"), table(60), 6, nil), table(60)}
	in := Input{Model: s.model, Data: Part{"test.csv", s.data}}
	page := testenv.Must(New(in))
	rows, columns := s.data.Len(), len(page.Contributions)
	p := browser.Open(t, written(t, in))
	var drawn struct{ Bars, Dots int }
	p.Evaluate(`({bars: document.querySelectorAll("#contribution-bars .mark").length, `+
		`dots: document.querySelectorAll("#contribution-swarm .swarm").length})`, &drawn)
	if drawn.Bars != columns || drawn.Dots != rows*columns {
		t.Errorf("%d bars and %d dots of %d rows and %d columns", drawn.Bars, drawn.Dots, rows, columns)
	}
	var sum, prediction float64
	p.Evaluate(`document.querySelector("button[aria-label='Next row']").click()`, nil)
	p.Evaluate(`Array.from(document.querySelectorAll("#row-contributions .step"), (e) => Number(e.dataset.value)).reduce((a, `+
		`b) => a + b)`, &sum)
	p.Evaluate(`Number(document.querySelector("#prediction").dataset.value)`, &prediction)
	if mean := page.content.Contributions[0].Mean; math.Abs(mean+sum-prediction) > 1e-5*math.Abs(prediction) {
		t.Errorf("the steps from %v sum to %v, the prediction is %v", mean, sum, prediction)
	}
	for _, c := range []struct {
		script string
		hidden bool
	}{
		{`(() => { const r = document.querySelector("input[type=range]"); r.value = r.max; r.dispatchEvent(new Event("input")); })()`, true},
		{`document.querySelector("button[aria-label='Next row']").click()`, false},
	} {
		p.Evaluate(c.script, nil)
		p.Await(fmt.Sprintf(`document.querySelector("#row-contributions figure").hidden === %v`, c.hidden))
	}
}

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
		"day": {"weekend", "workday"}, "sex": {"F", "I", "M"}, "grade": {"low", "middle", "high"}, "urban": {"0", "1"},
		"length [mm]": nil, "income": nil,
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
		Title: c.querySelector(".name").textContent.replace("length", "length [mm]"),
			Names: Array.from(c.querySelectorAll(".places span"), (s) => s.textContent),
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
		if !ok || discrete && !slices.Equal(c.Names, names) || discrete != (c.Points > 0) || discrete != (c.Lines == 0) ||
			c.Points%max(1, len(names)) != 0 {
			t.Errorf("%s: %+v; want %q", where, c, names)
		}
	}
}

// compareGrades compares the grade of the two levels in a rule with the product of the model's
// two functions.
func compareGrades(t *testing.T, p *browser.Page, m *model.Model, d *data.Dataset) {
	t.Helper()
	var got float64
	p.Evaluate(`Number(Array.from(document.querySelectorAll('.firing [data-rule="2"] .cell')).find((c) => `+
		`c.querySelector(".name").textContent === "day").dataset.grade)`, &got)
	x := testenv.Must(m.Scale([][]float64{append([]float64{0, 1}, d.X[0][2:]...)})) // workday is typical
	want, grade, params := 1.0, make([]float64, 1), make([]float64, len(m.RuleBase.Antecedents))
	for i := range 2 {
		m.RuleBase.Shape.Grades(grade, x[0][i:i+1], m.RuleBase.Function(params, 1, i))
		want *= grade[0]
	}
	if !near(got, want) {
		t.Error(differ("the grade of day", got, want))
	}
}

// TestPageModel: the report of a page has its rules as cards, with a picture of the target, its tables and its text, and nothing of
// membership functions; the rule viewer numbers rules as the page does, and says which conditions are met.
func TestPageModel(t *testing.T) {
	d := table(60)
	m := paged(t, d)
	n := m.Pages[0].Numbers()
	m.Pages[0].Sizes = []page.Size{{Numbers: 1, Rules: 1, RMSE: 3, SE: 0.2},
		{Numbers: n, Rules: 3, RMSE: 2, SE: 0.1},
		{Numbers: n + 5, Rules: 4, RMSE: 1.9, SE: 0.1}}
	p := browser.Open(t, written(t, Input{Model: m, Data: Part{"test.csv", d}, Train: &Part{"train.csv", d}}))
	var got struct {
		Cards, Pictures, Tables, Memberships int
		Points, Whiskers, Here               int
		Said                                 string
		Text, Rules, Edit, Asks              string
	}
	p.Evaluate(`(() => {
		const all = (s) => document.querySelectorAll(s), rules = [...all(".firing > li")].map((e) => e.querySelector("h3").textContent);
		return { cards: all("#rules .cards > li").length, pictures: all("#rules .picture").length, tables: all("#rules .cards > div").length,
			points: all("#sizes circle.size").length, whiskers: all("#sizes .whisker").length, here: all("#sizes .here").length,
			said: all("#sizes circle.size")[0].textContent, memberships: all("#memberships, #curves").length,
			text: document.querySelector("#rules pre").textContent, rules: rules.join(),
			asks: document.querySelector(".firing > li:not([hidden]) .asks").textContent, edit: document.querySelector("#edit").textContent };
	})()`, &got)
	if got.Cards != 3 || got.Pictures != 3 || got.Tables != 2 || got.Memberships != 0 ||
		got.Points != 2 || got.Whiskers != 2 || got.Here != 1 || got.Said != fmt.Sprintf("%d numbers, 3 rules: 2.000 ± 0.10", n) ||
		got.Text != m.Pages[0].String() ||
		got.Rules != "Rule 1,Rule 2,Rule 3" || !strings.Contains(got.Asks, "sex is ") ||
		!strings.Contains(got.Edit, "tskgraph import page.txt") {
		t.Errorf("%+v", got)
	}
	p.Run(`document.querySelectorAll("#rules details").forEach((e) => { e.open = true; })`)
	sound(t, p, "page")
}

// TestPagesOfQuantiles: the report of several pages has the rules and tables of all; the rule viewer shows those of the chosen output,
// each once, also if factors and the other page make it several.
func TestPagesOfQuantiles(t *testing.T) {
	d := table(60)
	pages := []*page.Page{paged(t, d).Pages[0], {Low: -20, High: 14, Unit: "MPa", Samples: 60, Factors: true,
		Columns: []page.Column{{Name: "sex", Levels: []string{"F", "I", "M"}}, {Name: "income", Low: 0.1, High: 50}},
		Rules: []page.Rule{{Conditions: []page.Condition{{Column: "sex", Levels: []string{"M"}}}, About: 10},
			{Conditions: []page.Condition{{Column: "sex", Levels: []string{"M"}, Not: true}}, About: 9}},
		Tables: []page.Table{{Column: "income", Knots: []float64{0.1, 5, 50}, Entries: []float64{0.9, 1, 1.25}}}}}
	pages[0].Target, pages[1].Target = "10% quantile of y", "median of y"
	prep := testenv.Must(model.Fit(t.Context(), d))
	prep.Response = model.Response{Link: "ordered", Quantiles: []float64{0.1, 0.5}, TrainingQuantiles: []float64{5, 9}}
	testenv.OK(t, prep.PageLimits(pages...))
	m := testenv.Must(model.New(t.Context(), prep, testenv.Must(prep.PageRules(pages...)), d.X, nil, model.Training{Samples: d.Len()}))
	m.Pages = pages
	p := browser.Open(t, written(t, Input{Model: m, Data: Part{"test.csv", d}, Train: &Part{"train.csv", d}}))
	var got struct {
		Cards, Tables, Rest string
		Viewers             []string
		Asks                string
	}
	p.Evaluate(`(() => {
		const all = (s) => [...document.querySelectorAll(s)], texts = (s) => all(s).map((e) => e.textContent).join("|");
		const choose = (j) => { const s = document.querySelector("#output"); s.value = j; s.onchange?.(); s.dispatchEvent(new Event("change"));
			return texts(".firing > li h3"); };
		return { cards: texts("#rules .cards > li h3"), tables: texts("#rules .cards > div h3"), rest: texts("#rules .rest"),
			viewers: [choose("0"), choose("1")], asks: texts(".firing > li:not([hidden]) .asks") };
	})()`, &got)
	testenv.Equal(t, got.Cards, "Rule 1 of 10% quantile of y|Rule 2 of 10% quantile of y|Rule 3 of 10% quantile of y|"+
		"Rule 1 of median of y|Rule 2 of median of y")
	testenv.Equal(t, got.Viewers, []string{"Rule 1|Rule 2|Rule 3", "Rule 1|Rule 2"})
	if !strings.Contains(got.Tables, " of median of y") || !strings.Contains(got.Rest, "Quantiles that cross are sorted.") ||
		!strings.Contains(got.Asks, "sex is ") {
		t.Errorf("%+v", got)
	}
	sound(t, p, "pages")
}
