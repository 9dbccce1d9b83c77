package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/model"
)

// TestWorkbenchPage goes through the page of the workbench in a browser: a table is dropped and trained on, the report is shown, the model is
// saved, and a reload finds the run. Nothing violates the policy of the page or is requested from elsewhere.
func TestWorkbenchPage(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("../docs/heating.csv"))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	table := filepath.Join(home, "heat & <b>power.csv")
	write(t, table, strings.Join(strings.SplitAfter(string(text), "\n")[:200], ""))
	w := startWorkbench(t, home)
	p := browser.Open(t, w.url)
	p.Await(`document.querySelectorAll(".card").length > 3 && document.querySelector("#place").textContent.includes("runs")`)
	p.Drop("#drop", table)
	p.Await(`location.hash === "#columns" && document.querySelectorAll(".columns tbody tr").length === 6`)
	click := func(text string) {
		p.Run(`[...document.querySelectorAll("button")].find((b) => b.textContent === "` + text + `" && b.offsetParent).click()`)
	}
	click("Train")
	if !p.AwaitFor(`location.hash === "#results" && parseFloat(document.querySelector("iframe").style.height) > 1000`, time.Minute) {
		t.Fatalf("no results: %s", p.Faults())
	}
	report := p.Frame("frame.html")
	report.Await(`document.querySelectorAll("#rules article, #rules li, #rules section").length > 0 && document.title.includes("heating")`)
	runs, err := filepath.Glob(filepath.Join(home, "runs", "*", model.FileName))
	if err != nil || len(runs) != 1 {
		t.Fatalf("runs %q, %v", runs, err)
	}
	want, err := os.ReadFile(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	name, got := p.Download(`[...document.querySelectorAll("button")].find((b) => b.textContent.startsWith("model.json")).click()`)
	if !strings.HasSuffix(name, ".json") || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, want %d", name, len(got), len(want))
	}
	for _, f := range append(p.Faults(), report.Faults()...) {
		t.Error(f)
	}
	p.Go(w.url)
	p.Await(`document.querySelectorAll(".card").length > 4`) // the table that was dropped is one more
	p.Run(`[...document.querySelectorAll("#steps button")].find((b) => b.textContent.includes("Runs")).click()`)
	p.Await(`document.querySelector("main").textContent.includes("` + filepath.Base(filepath.Dir(runs[0])) + `")`)
	if notes := w.interrupt(); notes != "" {
		t.Errorf("it says %s", notes)
	}
	p.Run(`document.querySelector("#steps button").click(); document.querySelector(".card").click()`)
	p.Await(`document.querySelector("#fault").textContent.includes("The workbench does not answer")`)
}
