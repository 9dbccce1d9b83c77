package webtest

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// shownRules is what the results show of the rules.
const shownRules = `document.querySelector("#step-results .worded, #step-results pre.page").textContent`

// TestSession: a session survives a reload, with its table if the user says so, and nothing of it is left once it is forgotten.
func TestSession(t *testing.T) {
	testenv.OnlyCI(t)
	v := openStatic(t)
	if !v.drop(table(t, "iris.csv")) {
		return
	}
	v.quick()
	if !v.train() {
		return
	}
	var before, after string
	v.Evaluate(shownRules, &before)
	v.Run(`webtest.press("Keep the table")`)
	v.kept(t, true)
	v.reload()
	if !v.results() {
		return
	}
	if v.Evaluate(shownRules, &after); after != before {
		t.Errorf("the rules were %s, and are %s after a reload", before, after)
	}
	v.Run(`webtest.step("Settings"); webtest.press("Train")`) // on the table that was kept
	v.results()
	if testenv.AllCases() {
		v.Run(`webtest.step("Runs"); const box = document.querySelector("#step-runs label [type=checkbox]"); box.click();`)
		v.kept(t, false)
		v.reload()
		v.AwaitFor(`document.querySelector("#step-results .worded, #step-results pre.page") !== null`, 30*time.Second)
	}
	v.Run(`webtest.step("Runs"); webtest.press("Forget everything"); webtest.press("Yes");`)
	v.AwaitFor(`document.getElementById("forgotten") !== null`, 10*time.Second)
	v.reload()
	v.AwaitFor(`document.querySelector("#step-table .card") !== null`, 30*time.Second)
	if left := v.stored(); len(left) > 0 {
		t.Errorf("after forgetting, the browser has %q", left)
	}
	v.Run(`webtest.step("Runs")`)
	v.Await(`document.querySelector("#step-runs").textContent.includes("No run yet")`)
	for _, f := range v.Faults() {
		t.Error(f)
	}
}

// stores lists the keys of all that the browser keeps for the page.
//
//go:embed testdata/stores.js
var stores string

// stored returns the keys of all that the browser keeps for the page.
func (v *visit) stored() (keys []string) {
	v.Run(stores)
	v.Await(`window.stored !== undefined`)
	v.Evaluate(`stored`, &keys)
	return keys
}

// kept waits until the browser keeps files with rows of a table, or keeps none, for at most ten seconds.
func (v *visit) kept(t *testing.T, rows bool) {
	t.Helper()
	var keys []string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		keys = v.stored()
		if slices.ContainsFunc(keys, func(key string) bool { return strings.HasSuffix(key, ".csv") }) == rows {
			return
		}
	}
	t.Errorf("rows are kept: want %v; the browser has %q", rows, keys)
}

// reload loads the page again.
func (v *visit) reload() { v.Go(v.url) }
