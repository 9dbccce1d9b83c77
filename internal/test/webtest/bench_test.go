package webtest

import (
	_ "embed"
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
		if !v.AwaitFor(`"rules" in times`, time.Minute) {
			return
		}
		measure("first-rules")
		var one measured
		v.Evaluate(`times`, &one)
		b.ReportMetric(one.Rules-one.Drop, "ms-to-first-rules")
		if !v.AwaitFor(`"words" in times`, 3*time.Minute) {
			return
		}
		v.Evaluate(`times`, &one)
		b.ReportMetric(one.Words-one.Drop, "ms-to-rules")
		measure("results")
	}
}
