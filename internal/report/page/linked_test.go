package page

import (
	"fmt"
	"slices"
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
	p.Evaluate(`Number(document.querySelector("#errors .marked-rows").textContent.match(/^(\d+) of|^Row/)[1] ?? 1)`, &rows)
	expect("a bar", "errors", "", rows, rows, 1)
	p.Press("#residual-histogram svg", kb.Escape)
	expect("Escape", "errors", hint, 0, 0, 0)
	p.Press("#contribution-swarm svg", kb.ArrowRight+kb.ArrowRight)
	expect("a row of the swarm", "contributions", "Row ", 5)
	p.Hover("#surface circle.over:nth-of-type(3)")
	p.Await(`document.querySelector("#responses .marked-rows").textContent.startsWith("Row ")`)
	expect("a row of the surface", "responses", "Row ", 1, 2, 1, 2, 1, 1) // of numbers the row and its bar
	p.Press("#memberships figure:first-child svg", kb.Home)
	p.Await(`document.querySelector("#memberships .marked-rows").textContent.includes(" rows of test.csv: ")`)
	var bars []int
	p.Evaluate(`[...document.querySelectorAll("#memberships svg.linked")].map((e) => e.querySelectorAll(".marked .whole").length)`, &bars)
	if len(bars) < 4 || bars[0] != 1 || slices.Contains(bars, 0) {
		t.Errorf("a bar of a column is marked by bars %v", bars)
	}
	for _, found := range browser.AxeViolations(p, browser.AxeScript(t)) {
		if browser.AxeSerious(found) {
			t.Error(found)
		}
	}
	sound(t, p, "the page")
}

// TestLinkedClasses: cells of the confusion matrix, bars and points of the calibration mark the same rows.
func TestLinkedClasses(t *testing.T) {
	s := severalOutputs(t)[1]
	p := browser.Open(t, written(t, Input{Model: s.model, Data: Part{"test.csv", s.data}}))
	p.Await(`document.querySelector("#calibration svg.linked") !== null`)
	said := func() (rows, cells, points, bars int) {
		var all [4]int
		p.Evaluate(`[Number((document.querySelector("#errors .marked-rows").textContent.match(/^(\d+) of|^Row/) ?? [0, 0])[1] ?? 1),
			document.querySelectorAll("td.pointed").length, document.querySelectorAll("#calibration .marked circle").length,
			document.querySelectorAll("#calibration .marked .whole").length]`, &all)
		return all[0], all[1], all[2], all[3]
	}
	p.Press("#errors .wide", kb.Home)
	if rows, cells, points, bars := said(); rows == 0 || cells != 1 || points == 0 || bars == 0 {
		t.Errorf("a cell of %d rows marks %d cells, %d points and %d bars", rows, cells, points, bars)
	}
	for _, key := range []string{kb.End, kb.ArrowLeft, kb.PageUp, kb.Home} {
		p.Press("#calibration svg", key)
		if rows, cells, points, bars := said(); rows == 0 || cells == 0 || points == 0 || bars == 0 {
			t.Errorf("a mark of %d rows marks %d cells, %d points and %d bars", rows, cells, points, bars)
		}
	}
	p.Hover("td.right")
	if rows, cells, _, _ := said(); rows == 0 || cells != 1 {
		t.Errorf("pointing at a cell marks %d rows, %d cells", rows, cells)
	}
	for _, found := range browser.AxeViolations(p, browser.AxeScript(t)) {
		if browser.AxeSerious(found) {
			t.Error(found)
		}
	}
	sound(t, p, s.name)
}
