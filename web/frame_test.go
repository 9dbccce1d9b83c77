package web

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// reportOn returns the report on a model of two rules, as a JavaScript literal.
func reportOn(t *testing.T) string {
	t.Helper()
	d, err := data.New([]string{`<img src=x onerror="fail()">`}, "y", [][]float64{{0}, {1}, {2}, {3}}, []float64{0, 1, 2, 5})
	if err != nil {
		t.Fatal(err)
	}
	prep, err := model.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{-1}, {1}}, Spreads: [][]float64{{1}, {1}},
		Targets: []float64{-1.5, 1.5}})
	m, err := model.New(context.Background(), prep, rb, d.X, nil, model.Training{Samples: d.Len()})
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.New(page.Input{Model: m, Data: page.Part{Name: "train.csv", Dataset: d}})
	if err != nil {
		t.Fatal(err)
	}
	var html strings.Builder
	if err := p.Write(&html); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(html.String())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReportInFrame: a report in the page is drawn, follows its colours, is held against axe-core, and trains on from edited rules with
// kept parts; another report takes its place in the same frame.
func TestReportInFrame(t *testing.T) {
	testenv.OnlyCI(t)
	script := browser.AxeScript(t)
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	p.Run(`const real = ` + reportOn(t) +
		`; fake.reports = { "heating-1": real, "heating-2": real.replace("<h1>", "<h1>Second ") }; fake.card("heating.csv")`)
	p.Await(`location.hash === "#columns"`)
	p.Run(`fake.click("Train")`)
	p.Await(`location.hash === "#results" && parseFloat(document.querySelector("iframe").style.height) > 2000 && ` +
		`!document.querySelector("iframe").hasAttribute("aria-busy")`)
	f := p.Frame("frame.html")
	f.Await(`document.querySelectorAll("#observed circle").length === 4 && ` +
		`document.querySelectorAll("#response-charts path.line:not(.far)").length === 1 && document.querySelectorAll("img").length === 0`)
	p.Run(`const theme = document.getElementById("theme"); theme.click(); theme.click();`)
	f.Await(`document.documentElement.dataset.theme === "dark"`)
	p.Run(`fake.click("Edit the rules")`)
	f.Await(`document.querySelector("#edit-train")?.textContent === "Train on from here" && ` +
		`document.querySelectorAll(".edit-then").length === 1`)
	if name, text := f.Download(`document.querySelector("#edit-save").click()`); name != "rules.yaml" || len(text) == 0 {
		t.Errorf("the report saved %s of %d bytes", name, len(text))
	}
	f.Run(`document.querySelector("[aria-label$='keep its IF part when training on']").click(); document.querySelector("#edit-train").click()`)
	p.Await(`fake.runs.length === 2 && location.hash === "#results"`)
	var rules string
	p.Evaluate(`fake.calls.findLast(([m]) => m === "train")[1].from.rules`, &rules)
	book, err := byhand.ReadYAML(strings.NewReader(rules), "rules.yaml")
	if err != nil || book.Rules[0].Keep|book.Rules[1].Keep != 1 {
		t.Errorf("%v in\n%s", err, rules)
	}
	f.Await(`document.querySelector("h1").textContent === "Second y" && document.querySelectorAll("#observed circle").length === 4 && ` +
		`document.querySelector("#edit").hidden`)
	for _, fault := range f.Faults() {
		t.Error(fault)
	}
	for _, v := range browser.AxeViolations(f, script) {
		if browser.AxeSerious(v) {
			t.Errorf("in the frame: %s", v)
		}
	}
}
