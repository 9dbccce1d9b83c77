package web

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/browser"
	"github.com/tskgraph/tskgraph/internal/exporttest"
)

// axe returns the script of axe-core, which finds what keeps people from using a page. Without it, the test is skipped.
func axe(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(exporttest.NodeModules(t, "axe-core"), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// accessible holds the step shown against axe-core, wide and light, and narrow and dark, and saves screenshots to the directory
// TSKGRAPH_SCREENSHOTS, if it is set.
func accessible(t *testing.T, p *browser.Page, step string) {
	t.Helper()
	for width, colours := range map[int64]string{1280: "light", 390: "dark"} {
		p.Look(width, colours)
		if dir := os.Getenv("TSKGRAPH_SCREENSHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("web-%s-%d-%s.png", step, width, colours)), p.Window(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p.Run(`window.found = null;
			axe.run({ resultTypes: ["violations"], preload: false }).then((r) => { window.found = r.violations.map((v) => v.id + " (" + v.impact + "): " + v.nodes.map((n) => n.html.slice(0, 150)).join("; ")); });`)
		p.Await("found !== null")
		var found []string
		p.Evaluate("found", &found)
		for _, f := range found {
			t.Errorf("%s at %d pixels, %s: %s", step, width, colours, f)
		}
	}
}

func TestAccessible(t *testing.T) {
	script := axe(t)
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	text, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	var ignored any
	p.Evaluate("("+"(0, eval)("+string(text)+"), true)", &ignored)
	accessible(t, p, "table")
	p.Run(`fake.card("heating.csv")`)
	p.Await(`location.hash === "#columns"`)
	accessible(t, p, "columns")
	p.Run(`fake.click("Settings first"); document.getElementById("more").open = true; fake.put("option-model.rules", "2.5");`)
	accessible(t, p, "settings")
	p.Run(`fake.put("option-model.rules", "6"); fake.hold = "race8"; fake.click("Train")`)
	p.Await(`document.querySelector(".provisional") !== null`)
	accessible(t, p, "training")
	p.Run(`fake.click("Stop and keep the best so far")`)
	p.Await(`document.querySelector(".stage").textContent.startsWith("Stopped")`)
	accessible(t, p, "stopped")
	p.Run(`document.querySelector("#steps button").click(); fake.card("iris")`)
	p.Await(`document.querySelector("#fault .warning") !== null`)
	accessible(t, p, "fault")
}
