package page

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestEditingByHand: a mouse, a finger and keys move the handles of a rule; undo and redo restore what was; the tabs follow
// keys and the hash; at the width of a phone nothing is beside the page.
func TestEditingByHand(t *testing.T) {
	if racedetector.Enabled {
		t.Skip("the page's computations run in the browser, which the race detector does not see")
	}
	d := table(60)
	s := subject{"gaussian", untrained(t, lookup(t, "gaussian"), d, 6, nil), d}
	p := editor(t, nil, Input{Model: s.model, Data: Part{"test.csv", s.data}})
	before := result(t, p)
	const centre = `[data-column=length] .handle[aria-label$=centre]`
	value := func() (v float64) {
		p.Evaluate(`Number(document.querySelector("`+centre+`").getAttribute("aria-valuenow"))`, &v)
		return v
	}
	at := []float64{value()}
	moved := func(what string, up bool) {
		t.Helper()
		e, last := result(t, p), at[len(at)-1]
		if at = append(at, value()); (at[len(at)-1] > last) != up || at[len(at)-1] == last {
			t.Errorf("%s: %v", what, at)
		}
		compareErrors(t, what, e, imported(t, e.File, s.model), s.data)
	}
	p.Drag(centre, 40)
	moved("a drag to the right", true)
	p.Press(centre, kb.ArrowRight+kb.ArrowRight)
	moved("two keys to the right", true)
	p.Press(centre, kb.Home)
	moved("home", false)
	p.Look(360, "dark")
	p.Await("document.documentElement.scrollWidth <= 360")
	p.Swipe(centre, 60)
	moved("a finger to the right", true)
	for range 4 {
		p.Run(`document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true, bubbles: true }))`)
	}
	if e := result(t, p); e.File != before.File || e.Error != before.Error || e.Changed != 0 {
		t.Errorf("after undo %d rules are changed; the error is %v, it was %v", e.Changed, e.Error, before.Error)
	}
	p.Run(`document.querySelector("[aria-label^=Redo]").click()`)
	if e := result(t, p); e.Changed == 0 {
		t.Error("redo changed nothing")
	}
	looksAt := func(want string) {
		t.Helper()
		var got string
		p.Evaluate(`[...document.querySelectorAll("[role=tabpanel]:not([hidden])")].map((e) => e.id).join(" ") + " " + location.hash`, &got)
		if got = strings.TrimSpace(got); got != want {
			t.Errorf("the tab is %q, not %q", got, want)
		}
	}
	looksAt("edit #edit")
	p.Press("#tab-edit", kb.ArrowLeft)
	looksAt("report")
	p.Run(`location.hash = "#edit"`)
	p.Await(`!document.querySelector("#edit").hidden`)
	p.Run(`location.hash = "#rules"`)
	p.Await(`document.querySelector("#edit").hidden`)
	sound(t, p, "the page")
}
