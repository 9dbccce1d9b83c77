package web

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// read returns a file of testdata.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fakePage writes the page with the stand-in for an engine, and returns the path of its index.html.
func fakePage(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range assemble("fake", read(t, "results.js")+read(t, "fake.js")) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "index.html")
}

func TestPageUnknownEngine(t *testing.T) {
	if _, err := Page("../main"); err == nil || !strings.Contains(err.Error(), "no engine") {
		t.Errorf("got %v", err)
	}
}

// cards is true when the first step shows the tables.
const cards = `document.querySelectorAll(".card").length === 6`

// TestWay goes from a table to a trained model, and holds what the engine receives against what was chosen.
func TestWay(t *testing.T) {
	path := fakePage(t)
	p := browser.Open(t, path)
	p.Await(cards)
	p.Run(`fake.card("heating.csv")`)
	p.Await(`location.hash === "#columns" && document.activeElement.id === "heading-columns"`)
	p.Run(`document.querySelector("[aria-label='Unit of wind']").focus(); document.execCommand("insertText", false, "m/s");
		document.activeElement.blur();
		document.querySelector(".targets select").value = 1; document.querySelector(".targets select").dispatchEvent(new Event("change"));`)
	p.Await(`[...document.querySelectorAll(".columns tr.strong")].map((r) => r.querySelector("th label").textContent).join() === "windtarget"`)
	p.Run(`[...document.querySelectorAll(".columns tbody tr")].find((r) => ` +
		`r.textContent.startsWith("day")).querySelector("[type=checkbox]").click()`)
	p.Await(`document.querySelector("#step-columns .lead").textContent === "900 rows, 5 columns; ` +
		`2 of them will be used to predict the target."`)
	p.Run(`fake.click("Settings first"); document.querySelector("[value=robust]").click()`)
	p.Await(`document.getElementById("option-model.rules").value === "32"`)
	p.Run(`document.getElementById("more").open = true; fake.put("option-model.rules", "2.5"); fake.click("Train")`)
	p.Await(`document.activeElement.id === "option-model.rules" && document.activeElement.getAttribute("aria-invalid") === "true"`)
	p.Run(`fake.put("option-model.rules", "12"); fake.click("Train")`)
	p.Await(`document.querySelector(".stage")?.textContent === "Done." && document.querySelectorAll(".provisional li").length === 2 && ` +
		`document.querySelectorAll(".live path.line").length === 2`)
	var sent []string
	p.Evaluate(`fake.calls.filter(([m]) => m === "train").map(([, args]) => JSON.stringify(args))`, &sent)
	want := `{"table":"heating.csv","preset":"robust","target":["wind"],"leave_out":["id","day"],"units":{"wind":"m/s"},` +
		`"set":{"model.rules":12}}`
	if !slices.Equal(sent, []string{want}) {
		t.Errorf("train received\n%s, want\n%s", sent, want)
	}
	for _, f := range p.Faults() {
		if !strings.HasPrefix(f, "request: file://"+filepath.ToSlash(filepath.Dir(path))) {
			t.Error(f)
		}
	}
}

// TestStop stops the search of a page, whose first rules are none to keep, and a training in its race, before it has any, and after it;
// then a table of hostile names is trained on.
func TestStop(t *testing.T) {
	testenv.OnlyCI(t)
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	p.Run(`fake.card("heating.csv")`)
	p.Await(`location.hash === "#columns"`)
	p.Run(`fake.hold = "pages7"; fake.click("Train")`)
	p.Await(`document.querySelector(".stage").textContent.endsWith(": 7 of 22 parts") && ` +
		`document.querySelectorAll(".live figure").length === 0 && document.querySelectorAll(".provisional li").length === 1`)
	p.Run(`fake.click("Stop")`)
	p.Await(`document.querySelector(".stage").textContent === "No model was trained: nothing is kept."`)
	p.Run(`fake.hold = "race1"; fake.click("Columns"); fake.click("Train"); fake.click("Stop")`)
	p.Await(`document.querySelector(".stage").textContent === "No model was trained: nothing is kept." && ` +
		`document.querySelector("#fault").textContent === ""`)
	p.Run(`fake.hold = "training100"; fake.click("Columns"); fake.click("Train")`)
	p.Await(`document.querySelector(".stage").textContent.startsWith("Training: ")`)

	p.Run(`fake.click("Stop and keep the best so far")`)
	p.Await(`document.querySelector(".stage").textContent.startsWith("Stopped; ") && location.hash === "#results"`)

	p.Run(`document.querySelector("#steps button").click(); fake.card("hostile.csv")`) // whose names, cells and rules are text
	p.Await(`document.querySelector("#step-columns h2").textContent === "hostile.csv"`)
	p.Run(`fake.hold = ""; fake.click("Train")`)
	p.Await(`document.querySelector(".stage")?.textContent === "Done."`)
	var unsafe int
	p.Evaluate(`document.querySelectorAll("main img, main script, main a").length`, &unsafe)
	if unsafe > 0 || !strings.Contains(content(p), `<img src=x onerror="fail()"> determines the target`) {
		t.Errorf("%d elements of hostile names", unsafe)
	}
}

// TestRefused: a choice that the engine refuses leaves the page as it was, and shows why.
func TestRefused(t *testing.T) {
	testenv.OnlyCI(t)
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	p.Run(`fake.card("wide.csv")`)
	p.Await(`document.querySelectorAll(".columns tbody tr").length === 30`)
	p.Run(`document.querySelector("#steps button").click(); fake.card("mackey-glass")`)
	p.Await(`document.querySelector(".targets").textContent === "Predict x(t+6)" && ` +
		`document.querySelectorAll(".columns [type=checkbox]:not(.unseen)").length === 0`)
	p.Run(`document.querySelector("#steps button").click(); fake.card("wide.csv")`)
	p.Await(`document.querySelectorAll(".columns [type=checkbox]:not(.unseen)").length === 29`)
	p.Run(`document.querySelector("#steps button").click(); fake.card("iris")`)
	p.Await(`document.querySelector("#fault pre")?.textContent === "builtin:iris: line 7: 3 cells, expected 5"`)
	p.Run(`fake.click("Columns")`)
	p.Await(`document.querySelector("#fault").textContent === "" && document.querySelector("#step-columns h2").textContent === "wide.csv"`)
	p.Run(`fake.click("Show 30 more of 250")`)
	p.Await(`document.querySelectorAll(".columns tbody tr").length === 60 && ` +
		`document.activeElement.closest("tr")?.textContent.startsWith("x30")`)
	p.Run(`const find = document.getElementById("find"); find.value = "X24"; find.dispatchEvent(new Event("input"));`)
	p.Await(`document.querySelectorAll(".columns tbody tr").length === 11`)
	// A table of more columns than a list can show, or a call has arguments, is shown in pieces, and its target is typed.
	p.Run(`document.querySelector("#steps button").click(); fake.card("wider.csv")`)
	p.Await(`document.querySelectorAll(".columns tbody tr").length === 30 && document.querySelector("#fault").textContent === ""`)
	p.Await(`document.querySelector(".targets input")?.value === "x200000"`)
}

// content returns the text of the page.
func content(p *browser.Page) (text string) {
	p.Evaluate(`document.querySelector("main").textContent`, &text)
	return text
}

// TestGiven: a table can be dropped, chosen and pasted.
func TestGiven(t *testing.T) {
	testenv.OnlyCI(t)
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	shown := `location.hash === "#columns" && document.querySelector("#step-columns h2").textContent === `
	first := func() { p.Run(`document.querySelector("#steps button").click()`) }
	file := filepath.Join(t.TempDir(), "dropped.csv")
	if err := os.WriteFile(file, []byte("a,b\n1,2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.Drop("#drop", file)
	p.Await(shown + `"dropped.csv"`)
	first()
	p.Choose("#file", file)
	p.Await(shown + `"dropped.csv"`)
	first()
	paste := func(into, text string) {
		p.Run(fmt.Sprintf(`const given = new DataTransfer(); given.setData("text/plain", %q);
			document.querySelector(%q).dispatchEvent(new ClipboardEvent("paste", { clipboardData: given, bubbles: true, cancelable: true }))`, text,
			into))
	}
	paste("body", "not a table")
	paste("#file", "a\tb\n1\t2\n")
	paste("body", "a\tb\n1\t2\n")
	p.Await(shown + `"pasted.csv"`)
	paste("body", "c\td\n1\t2\n")
	var uploads []string
	p.Evaluate(`fake.uploads`, &uploads)
	if want := []string{"dropped.csv", "dropped.csv", "pasted.csv"}; !slices.Equal(uploads, want) {
		t.Errorf("uploaded %q, want %q", uploads, want)
	}
}
