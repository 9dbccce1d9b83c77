package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

// AxeScript returns axe-core, from the packages of node. Without it, the test is skipped, and fails under CI=true.
func AxeScript(t testing.TB) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(exporttest.NodeModules(t, "axe-core"), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// AxeViolations returns what axe-core finds in what a page or a frame shows, a line for each rule that it breaks, with its
// impact and the elements.
func AxeViolations(p *Page, script string) (found []string) {
	loaded := false
	if p.Evaluate(`"axe" in window`, &loaded); !loaded {
		text, _ := json.Marshal(script) // of a string
		var ignored any
		p.Evaluate(fmt.Sprintf("((0, eval)(%s), true)", text), &ignored)
	}
	p.Run(`window.violations = null;
		axe.run({ resultTypes: ["violations"], preload: false, iframes: false }).then((r) => {
			window.violations = r.violations.map((v) => v.id + " (" + v.impact + "): " + v.nodes.map((n) => n.html.slice(0, 150)).join("; "));
		}, (fault) => { window.violations = ["axe-core failed: " + fault]; });`)
	p.Await("violations !== null")
	p.Evaluate("violations", &found)
	return found
}

// AxeLooks are the widths and colours in which a page is looked at.
var AxeLooks = []struct {
	Width   int64
	Colours string
}{{1280, "light"}, {390, "dark"}, {1280, "dark"}, {390, "light"}}

// AxeSerious reports whether a line of [AxeViolations] is about something serious or critical.
func AxeSerious(line string) bool {
	return strings.Contains(line, "(serious)") || strings.Contains(line, "(critical)") || strings.HasPrefix(line, "axe-core failed")
}
