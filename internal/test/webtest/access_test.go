package webtest

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestAccessible holds the results of a training, the report in its frame and the comparison of runs against axe-core;
// package web does so with the steps before, which make matrix does here, too.
func TestAccessible(t *testing.T) {
	testenv.SkipByDefault(t, slow)
	script := browser.AxeScript(t)
	v := openWorkbench(t)
	looks := browser.AxeLooks[:testenv.CaseNumber(2, 2, len(browser.AxeLooks))]
	accessible := func(view string, p *browser.Page) {
		t.Helper()
		for _, look := range looks {
			v.Look(look.Width, look.Colours)
			for _, line := range browser.AxeViolations(p, script) {
				if browser.AxeSerious(line) {
					t.Errorf("%s at %d pixels, %s: %s", view, look.Width, look.Colours, line)
				}
			}
		}
	}
	before := func(view string) {
		if testenv.AllCases() {
			accessible(view, v.Page)
		}
	}
	before("table")
	if !v.drop(table(t, "heating.csv")) {
		return
	}
	before("columns")
	v.quick()
	before("settings")
	for range 2 {
		v.Run(`webtest.step("Settings")`)
		if !v.train() {
			return
		}
	}
	before("results")
	v.Run(`webtest.open()`)
	accessible("all results", v.Page)
	frame := v.Frame("frame.html")
	accessible("report", frame)
	frame.Run(`document.querySelectorAll("[role=tab]")[1].click()`)
	frame.Await(`document.querySelectorAll("[role=tabpanel]")[1].textContent.includes("IF")`)
	accessible("editor", frame)
	v.compareRuns()
	accessible("comparison", v.Page)
	v.Run(`webtest.step("Training")`)
	before("training")
}
