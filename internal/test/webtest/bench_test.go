package webtest

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// times record, in milliseconds of the page, when a table is dropped, when columns, first rules, results and the whole
// report are shown; the page goes on to train at once.
//
//go:embed testdata/times.js
var times string

// measured is when things were shown, in milliseconds after the drop.
type measured struct{ Drop, Columns, Rules, Words, Report float64 }

// BenchmarkWay measures the times from the drop of a table to its columns, to the first rules of a training that begins
// at once with the preset readable, to the rules that are learned and to the drawn report, and the longest task of the page.
func BenchmarkWay(b *testing.B) {
	for name, open := range engines {
		b.Run(name, func(b *testing.B) {
			v := open(b, browser.First(times))
			var m measured
			var longest float64
			for b.Loop() {
				v.Run(`document.querySelector("#steps button").click(); window.times = {}; document.querySelector(".provisional")?.replaceChildren();`)
				v.Drop("#drop", table(b, "heating.csv"))
				if !v.AwaitFor(`"report" in times`, 3*time.Minute) {
					return
				}
				var one measured
				v.Evaluate(`times`, &one)
				m.Columns += one.Columns - one.Drop
				m.Rules += one.Rules - one.Drop
				m.Words += one.Words - one.Drop
				m.Report += one.Report - one.Drop
			}
			longest, _ = v.blocked()
			n := float64(b.N)
			b.ReportMetric(m.Columns/n, "ms-to-columns")
			b.ReportMetric(m.Rules/n, "ms-to-first-rules")
			b.ReportMetric(m.Words/n, "ms-to-rules")
			b.ReportMetric(m.Report/n, "ms-to-report")
			b.ReportMetric(longest, "ms-longest-task")
		})
	}
}

// BenchmarkMemory measures the memory of the browser's renderers in a training on protein.csv, 46,000 rows, before,
// until its first rules, and until its results; what Chromium shares between processes counts for each.
func BenchmarkMemory(b *testing.B) {
	testenv.Data(b)
	for b.Loop() {
		v := openStatic(b, browser.First(times))
		measure := func(when string) {
			var most, all int64
			for _, peak := range browser.Memory(v.Page) {
				most, all = max(most, peak), all+peak
			}
			b.ReportMetric(float64(most)/1e6, "MB-of-page-"+when)
			b.ReportMetric(float64(all)/1e6, "MB-of-all-"+when)
		}
		measure("before")
		v.Drop("#drop", table(b, "protein.csv"))
		if !v.AwaitFor(`"rules" in times`, 10*time.Minute) {
			return
		}
		measure("first-rules")
		var one measured
		v.Evaluate(`times`, &one)
		b.ReportMetric(one.Rules-one.Drop, "ms-to-first-rules")
		if !v.AwaitFor(`"words" in times`, 30*time.Minute) {
			return
		}
		v.Evaluate(`times`, &one)
		b.ReportMetric(one.Words-one.Drop, "ms-to-rules")
		measure("results")
	}
}

// watch sets took to the milliseconds until a part of the step Predict is drawn after what is done next.
const watch = `window.took = null; webtest.began = performance.now(); new MutationObserver((_, seen) => {
	window.took = performance.now() - webtest.began;
	seen.disconnect();
}).observe(document.querySelector("#step-predict %s"), { childList: true, subtree: true });`

// BenchmarkPredict measures the times from a change of a row to its prediction, and from the choice of a table of 1,000 rows to its first
// predictions with intervals and flags.
func BenchmarkPredict(b *testing.B) {
	for name, open := range engines {
		b.Run(name, func(b *testing.B) {
			v := open(b)
			text, err := os.ReadFile(table(b, "heating.csv"))
			testenv.OK(b, err)
			lines := strings.SplitAfter(string(text), "\n")
			file := filepath.Join(b.TempDir(), "thousand.csv")
			testenv.OK(b, os.WriteFile(file, []byte(strings.Join(append(lines, lines[1:101]...), "")), 0o600))
			if !v.drop(table(b, "heating.csv")) {
				return
			}
			v.quick()
			if !v.train() {
				return
			}
			v.Run(`webtest.step("Predict")`)
			v.until(`document.querySelector(".said strong") !== null`, time.Minute)
			v.Drop("#step-predict", file)
			v.until(`document.querySelector("#step-predict tbody") !== null && `+idle, time.Minute)
			sum := map[string]float64{}
			measure := func(what, part, statements string) {
				v.Run(fmt.Sprintf(watch, part) + statements)
				v.AwaitFor(`took !== null`, time.Minute)
				var one float64
				v.Evaluate(`took`, &one)
				sum[what] += one
			}
			for b.Loop() {
				measure("row", ".said", `const range = document.querySelector(".field [type=range]"); range.value = Math.random() * 20;
					range.dispatchEvent(new Event("input"));`)
				measure("1000-rows", "> div > div:last-child", `document.querySelectorAll("#step-predict select").forEach((s) => {
					if ([...s.options].some((o) => o.textContent === "thousand.csv")) s.dispatchEvent(new Event("change")); });`)
			}
			for what, all := range sum {
				b.ReportMetric(all/float64(b.N), "ms-to-"+what)
			}
		})
	}
}
