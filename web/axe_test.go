package web

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// accessible holds the step shown against axe-core, wide and light, or narrow and dark, by make matrix both, and saves screenshots to the
// directory TSKGRAPH_SCREENSHOTS, if it is set.
func accessible(t *testing.T, p *browser.Page, script, step string) {
	t.Helper()
	looks := browser.AxeLooks[:2]
	if os.Getenv("TSKGRAPH_SCREENSHOTS") == "" {
		looks = testenv.Draw(looks, 2, 2, len(step))
	}
	for _, look := range looks {
		width, colours := look.Width, look.Colours
		p.Look(width, colours)
		if dir := os.Getenv("TSKGRAPH_SCREENSHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("web-%s-%d-%s.png", step, width, colours)), p.Window(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var over int
		if p.Evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &over); over > 0 {
			t.Errorf("%s is %d pixels wider than the window of %d", step, over, width)
		}
		for _, f := range browser.AxeViolations(p, script) {
			t.Errorf("%s at %d pixels, %s: %s", step, width, colours, f)
		}
	}
}

// TestMain gives all tests one browser.
func TestMain(m *testing.M) { browser.Main(m) }

func TestAccessible(t *testing.T) {
	testenv.OnlyCI(t)
	script := browser.AxeScript(t)
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	accessible(t, p, script, "table")
	p.Run(`fake.card("heating.csv")`)
	p.Await(`location.hash === "#columns"`)
	accessible(t, p, script, "columns")
	p.Run(`fake.click("Settings first"); document.getElementById("more").open = true; fake.put("option-model.rules", "2.5");`)
	accessible(t, p, script, "settings")
	p.Run(`fake.put("option-model.rules", "6"); fake.hold = "race8"; fake.click("Train")`)
	p.Await(`document.querySelector(".provisional") !== null`)
	accessible(t, p, script, "training")
	p.Run(`fake.click("Stop and keep the best so far")`)
	p.Await(`document.querySelector(".stage").textContent.startsWith("Stopped")`)
	accessible(t, p, script, "stopped")
	p.Run(`document.querySelector("#steps button").click(); fake.card("hostile.csv")`)
	p.Await(`document.querySelector("#step-columns h2").textContent === "hostile.csv"`)
	accessible(t, p, script, "names")
	p.Run(`document.querySelector("#steps button").click(); fake.card("iris")`)
	p.Await(`document.querySelector("#fault .warning") !== null`)
	accessible(t, p, script, "fault")
}
