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
	? [...document.querySelectorAll("img, b, i, [onerror], main script, a[href^=javascript]")].map((e) => e.outerHTML.slice(0, 200)) : ["no " + document.body.textContent.slice(0, 200)]`

// harmless checks that names are text in the view of a page.
func harmless(t *testing.T, p *browser.Page, view string) {
	t.Helper()
	var found []string
	if p.Evaluate(fmt.Sprintf(taken, hostileNames[0]), &found); len(found) > 0 {
		t.Errorf("%s: %q", view, found)
	}
}

// TestHostileTable: names of columns, cells and files are text in every view of the page, and in the report in its frame; in the browser by
// make matrix.
func TestHostileTable(t *testing.T) {
	testenv.SkipByDefault(t, slow)
	for _, name := range []string{"workbench", "browser"}[:testenv.CaseNumber(1, 1, 2)] {
		t.Run(name, func(t *testing.T) {
			v := engines[name](t)
			loaded := len(v.proxy.Requests())
			if !v.drop(hostileTable(t)) {
				return
			}
			harmless(t, v.Page, "columns")
			v.quick()
			v.Run(`webtest.open()`)
			harmless(t, v.Page, "settings")
			for range 2 { // to compare
				v.Run(`webtest.step("Settings")`)
				if !v.train() {
					return
				}
			}
			v.Run(`webtest.open()`)
			harmless(t, v.Page, "results")
			frame := v.Frame("frame.html")
			harmless(t, frame, "report")
			frame.Run(`document.querySelectorAll("[role=tab]")[1].click();`)
			frame.Await(`document.querySelectorAll("[role=tabpanel]")[1].textContent.includes("IF")`)
			harmless(t, frame, "editor")
			for _, f := range frame.Faults() {
				t.Errorf("report: %s", f)
			}
			v.compareRuns()
			harmless(t, v.Page, "comparison")
			v.quiet(t, name, loaded)
		})
	}
}
