package page

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestLinkedCharts: a row or a bar that is pointed at, by mouse, touch or keyboard, is marked in all charts of its section.
func TestLinkedCharts(t *testing.T) {
	d := table(60)
	p := browser.Open(t, written(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 4, nil), Data: Part{"test.csv", d}}))
	marks := func(section string) (got struct {
		Charts []int
		Said   string
	}) {
		p.Evaluate(fmt.Sprintf(`({ charts: [...document.querySelectorAll("#%s svg.linked")].map((e) => e.querySelectorAll(".marked > *").length),
			said: document.querySelector("#%s .marked-rows").textContent })`, section, section), &got)
		return got
	}
	expect := func(how, section, said string, want ...int) {
		t.Helper()
		got := marks(section)
		testenv.Equal(t, got.Charts, want)
		if len(got.Said) < len(said) || got.Said[:len(said)] != said {
			t.Errorf("%s: it says %q", how, got.Said)
		}
	}
	hint := "Point at a dot"
	expect("at first", "errors", hint, 0, 0, 0)
	p.Hover("#observed .dot:nth-child(7)")
	expect("mouse", "errors", "Row ", 1, 1, 1)
	p.Hover("#errors h2")
	expect("mouse elsewhere", "errors", hint, 0, 0, 0)
	p.Swipe("#residuals .dot:nth-child(9)", 0)
	expect("touch", "errors", "Row ", 1, 1, 1)
	p.Press("#residual-histogram svg", kb.Home)
	var rows int
	p.Evaluate(`Number(document.querySelector("#errors .marked-rows").textContent.match(/^(\\d+) rows|^Row/)[1] ?? 1)`, &rows)
	expect("a bar", "errors", "", rows, rows, 1)
	p.Press("#residual-histogram svg", kb.Escape)
	expect("Escape", "errors", hint, 0, 0, 0)
	p.Press("#contribution-swarm svg", kb.ArrowRight+kb.ArrowRight)
	expect("a row of the swarm", "contributions", "Row ", 5)
	p.Hover("#surface circle.over:nth-of-type(3)")
	p.Await(`document.querySelector("#responses .marked-rows").textContent.startsWith("Row ")`)
	expect("a row of the surface", "responses", "Row ", 1, 1, 1, 1, 1, 1)
	for _, found := range browser.AxeViolations(p, browser.AxeScript(t)) {
		if browser.AxeSerious(found) {
			t.Error(found)
		}
	}
	sound(t, p, "the page")
}
