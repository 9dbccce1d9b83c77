package webtest

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// hostileNames are names of columns, the last that of the target, and hostileCells the categories of the first column.
// All would run a script or change the page if they were taken for markup.
var (
	hostileNames = []string{`<img src=x onerror=alert(1)>`, `</script><!-- <script>`, `'"&<!--`, `__proto__`, `{{.Target}}-->]]>`,
		`</script><script>alert("target")</script>`}
	hostileCells = []string{`"></option><script>alert(2)</script>`, "'`${alert(3)}", "a\u2028b"}
)

// hostileTable writes a table with hostile names and cells to a file whose name is hostile, too.
func hostileTable(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), `<img src=x onerror=alert(5)>.csv`)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := csv.NewWriter(f)
	rows := [][]string{hostileNames}
	for i := range 120 {
		x := func(k int) string { return fmt.Sprint(float64(i*k%97) / 7) }
		rows = append(rows, []string{hostileCells[i%3], x(31), x(17), x(53), x(71), fmt.Sprint(float64(i*31%97)/7 + float64(i%3))})
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return path
}

// taken has the elements that names were taken for, or says that the name of the first column is not shown.
const taken = `document.body.textContent.includes(%q)
	? [...document.querySelectorAll("img, b, i, [onerror], main script, a[href^=javascript]")].map((e) => e.outerHTML.slice(0,
		200)) : ["no " + document.body.textContent.slice(0, 200)]`

// harmless checks that names are text in the view of a page.
func harmless(t *testing.T, p *browser.Page, view string) {
	t.Helper()
	var found []string
	if p.Evaluate(fmt.Sprintf(taken, hostileNames[0]), &found); len(found) > 0 {
		t.Errorf("%s: %q", view, found)
	}
}

// TestViews goes through the views of the page with a table of hostile names: in all, names of columns, cells and files are text;
// results, the report in its frame, its editor and the comparison of runs are held against axe-core, each in one width and colour,
// as package web holds the steps before. make matrix does so with all steps and looks, and in the browser, too.
func TestViews(t *testing.T) {
	testenv.OnlyCI(t)
	script := browser.AxeScript(t)
	for _, name := range []string{"workbench", "browser"}[:testenv.CaseNumber(1, 1, 2)] {
		t.Run(name, func(t *testing.T) {
			v := engines[name](t)
			see := func(p *browser.Page, view string) {
				t.Helper()
				harmless(t, p, view)
				for _, look := range testenv.Draw(browser.AxeLooks, 4, 4, len(view)) {
					v.Look(look.Width, look.Colours)
					for _, line := range browser.AxeViolations(p, script) {
						if browser.AxeSerious(line) {
							t.Errorf("%s at %d pixels, %s: %s", view, look.Width, look.Colours, line)
						}
					}
				}
			}
			before := harmless
			if testenv.AllCases() {
				before = func(_ *testing.T, p *browser.Page, view string) { see(p, view) }
			}
			loaded := len(v.proxy.Requests())
			if !v.drop(hostileTable(t)) {
				return
			}
			before(t, v.Page, "columns")
			v.quick()
			v.Run(`webtest.open()`)
			before(t, v.Page, "settings")
			for range 2 { // to compare
				v.Run(`webtest.step("Settings")`)
				if !v.train() {
					return
				}
			}
			v.Run(`webtest.open()`)
			see(v.Page, "results")
			frame := v.Frame("frame.html")
			see(frame, "report")
			frame.Run(`document.querySelectorAll("[role=tab]")[1].click();`)
			frame.Await(`document.querySelectorAll("[role=tabpanel]")[1].textContent.trim() !== ""`)
			see(frame, "editor")
			v.compareRuns()
			see(v.Page, "comparison")
			v.Run(`webtest.step("Training")`)
			before(t, v.Page, "training")
			for _, f := range frame.Faults() {
				t.Errorf("report: %s", f)
			}
			v.quiet(t, name, loaded)
		})
	}
}
