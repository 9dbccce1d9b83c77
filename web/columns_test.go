package web

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
)

// TestColumns: remedies are taken and undone by one button, which keeps the focus, and how a column is read, and where rules may mention
// it, reaches the engine as parts of keys; a setting that differs from the preset is marked, and can be reset.
func TestColumns(t *testing.T) {
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	p.Run(`fake.card("heating.csv")`)
	p.Await(`document.querySelectorAll(".picture > svg").length === 5`)
	var alt string
	p.Evaluate(`document.querySelector(".picture svg").getAttribute("aria-label")`, &alt)
	if want := "outside: most rows at −1; 3 rows above; mean heating from 6 at 3 to 20 at −4"; alt != want {
		t.Errorf("the first picture says %q, want %q", alt, want)
	}
	received := func(more string) {
		t.Helper()
		p.Await(`document.querySelector("#busy").textContent === "" && JSON.stringify(fake.calls.findLast(([m]) => m === "look")[1]) === ` +
			"`" + `{"table":"heating.csv","preset":"readable"` + more + "}`")
	}
	press := func(text string) {
		p.Run(`[...document.querySelectorAll("button")].find((b) => b.textContent === "` + text + `").focus(); fake.click("` + text + `")`)
	}
	press("Limit it to at most 30")
	limits := `"data.limits":{"outside":"[~, 30]"}`
	received(`,"columns":{` + limits + `}`)
	p.Await(`document.activeElement.textContent === "Undo: Limit it to at most 30"`)
	press("Take loss tweedie")
	received(`,"columns":{` + limits + `},"set":{"train.loss":"tweedie"}`)
	press("Leave out day")
	received(`,"leave_out":["id","day"],"columns":{` + limits + `},"set":{"train.loss":"tweedie"}`)
	press("Undo: Leave out day")
	press("Undo: Limit it to at most 30")
	received(`,"leave_out":["id"],"set":{"train.loss":"tweedie"}`)
	choose := func(label, value string) {
		p.Run(`const select = document.querySelector("[aria-label='` + label + `']"); select.value = "` + value + `";
			select.dispatchEvent(new Event("change"))`)
	}
	choose("Read day as", "ordered")
	p.Await(`document.querySelector(".order:not([hidden]) li:nth-child(2)")?.textContent === "workday ↑"`)
	p.Run(`document.querySelector("[aria-label='Move workday up']").click()`)
	choose("Where rules may mention outside", "if")
	choose("Direction of predictions with wind", "increasing")
	choose("Read id as", "group")
	received(`,"leave_out":[],"columns":{"model.roles":{"outside":"if"},"model.monotone":{"wind":"increasing"},"data.categorical":{` +
		`"day":["workday","<img src=x onerror=\\"fail()\\">"]}},"set":{"train.loss":"tweedie","data.group":"id"}`)
	p.Run(`fake.click("Settings first"); document.getElementById("more").open = true; fake.put("option-model.rules", "12")`)
	p.Await(`[...document.querySelectorAll(".differs label")].map((l) => l.textContent).join() === "rules"`)
	p.Run(`document.querySelector("[aria-label='Reset rules']").click()`)
	p.Await(`document.querySelectorAll(".differs").length === 0 && document.activeElement.value === "8"`)
	p.Run(`document.querySelector("[value=robust]").click()`)
	p.Await(`fake.calls.at(-1)[1].preset === "robust" && fake.calls.at(-1)[1].set["data.group"] === "id"`)
	p.Run(`[...document.querySelectorAll("#steps button")].find((b) => b.textContent.includes("Columns")).click()`)
	p.Run(`fake.click("+ another target")`)
	p.Await(`[...document.querySelectorAll("#step-columns label")].some((l) => l.textContent.startsWith("Show the mean of"))`)
	p.Run(`const label = [...document.querySelectorAll("label")].find((l) => l.textContent.startsWith("Show the mean of"));
		const select = label.querySelector("select"); select.value = "1"; select.dispatchEvent(new Event("change"))`)
	p.Await(`document.querySelector(".picture svg").getAttribute("aria-label").includes("mean outside from") &&
		fake.calls.findLast(([m]) => m === "pictures")[1].target.name === "outside"`)
	p.Run(`document.querySelector("[aria-label='Do not predict outside']").click()`)
	p.Await(`document.querySelector(".picture svg").getAttribute("aria-label").includes("mean heating from")`)
}
