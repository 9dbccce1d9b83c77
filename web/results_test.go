package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// trained opens the page and trains runs on the table heating.csv; the last one is shown.
func trained(t *testing.T, runs int) *browser.Page {
	t.Helper()
	p := browser.Open(t, fakePage(t))
	p.Await(cards)
	p.Run(`fake.card("heating.csv")`)
	p.Await(`location.hash === "#columns"`)
	for range runs {
		p.Run(`fake.last = fake.runs.length; fake.click("Columns"); fake.click("Train")`)
		p.Await(`fake.runs.length === fake.last + 1 && location.hash === "#results" && document.querySelector("iframe").style.height !== ""`)
	}
	return p
}

// sent returns the arguments with which a method was called last, as JSON.
func sent(p *browser.Page, method string) (args string) {
	p.Evaluate(`JSON.stringify(fake.calls.findLast(([m]) => m === "`+method+`")?.[1] ?? null)`, &args)
	return args
}

// TestResults: a run has its rules in words and as a tree, files, commands, and its report, which follows the colours of the page. A
// message of the report trains on from its rules; what else it says has no effect.
func TestResults(t *testing.T) {
	testenv.OnlyCI(t)
	p := trained(t, 1)
	var shown []string
	p.Evaluate(`[document.querySelector("#step-results h2").textContent, document.querySelectorAll("#step-results .worded li").length + "",
		document.querySelectorAll("#step-results details pre").length + "",
		document.querySelector("#step-results .lead").textContent, document.querySelector("iframe").getAttribute("sandbox"),
			document.querySelector("iframe").style.height]`, &shown)
	want := []string{"Rules for heating", "8", "2",
		"heating from heating.csv. 6 rules; RMSE 1.120 on the test part, 1.050 in training; preset readable; trained in 2 s.",
		"allow-scripts allow-downloads", "200px"}
	if !slices.Equal(shown, want) {
		t.Errorf("the results show\n%q, want\n%q", shown, want)
	}
	p.Await(`document.querySelector("#step-results .worded li strong").textContent === "Rule 1"`)
	p.Run(`fake.click("Show all 12 rules")`)
	p.Await(`document.querySelectorAll("#step-results .worded li").length === 12`)
	p.Run(`window.saved = []; URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return "data:,"; };
		fake.click("report.html")`)
	p.Await(`saved.join() === "heating-1 report.html"`)
	p.Await(`document.querySelectorAll(".command pre").length === 2`)
	t.Run("accessible", func(t *testing.T) {
		script := browser.AxeScript(t)
		p.Run(`document.querySelectorAll("#step-results details").forEach((d) => { d.open = true; })`)
		accessible(t, p, script, "results")
	})
	p.Run(`const theme = document.getElementById("theme"); theme.click(); theme.click();`) // light: other answers; dark: rules
	p.Await(`fake.runs.length === 2 && location.hash === "#results"`)
	if got := sent(p, "train"); !strings.Contains(got, `"from":{"run":"heating-1","rules":"rules of heating-1"}`) {
		t.Errorf("train received %s", got)
	}
	p.Run(`document.querySelector(".sizes").open = true`)
	p.Await(`document.querySelectorAll(".sizes circle.size").length === 2`)
	p.Run(`document.querySelectorAll(".sizes circle.size")[0].dispatchEvent(new MouseEvent("click"))`)
	p.Await(`fake.runs.length === 3 && location.hash === "#results"`)
	if got := sent(p, "train"); got != `{"page":{"run":"heating-2","numbers":14}}` {
		t.Errorf("train received %s", got)
	}
	p.Await(`document.querySelector(".sizes select")?.value === "1"`)
	p.Run(`document.querySelector(".sizes").open = true; fake.click("Train this page")`)
	p.Await(`fake.runs.length === 4 && location.hash === "#results"`)
	if got := sent(p, "train"); got != `{"page":{"run":"heating-3","numbers":20}}` {
		t.Errorf("train received %s", got)
	}
	p.Run(`fake.page = "y is <b>the</b> value of the one rule whose IF holds.\n\nRule 1"; fake.click("Columns"); fake.click("Train")`)
	p.Await(`fake.runs.length === 5`)
	p.Await(`document.querySelector("pre.page")?.textContent === fake.page && !document.querySelector("#step-results .worded")`)
	if got := sent(p, "train"); strings.Contains(got, "from") {
		t.Errorf("the next training starts from the rules, too: %s", got)
	}
	p.Await(`document.querySelector(".price").textContent.startsWith("On the test part this page errs 6% more than <img")`)
	p.Run(`fake.click("Train rules without a page to compare")`)
	p.Await(`fake.runs.length === 6`)
	if got := sent(p, "train"); got != `{"page":{"run":"heating-5","preset":"robust"}}` {
		t.Errorf("train received %s", got)
	}
}

// TestRuns: two runs are compared; one is deleted, after a question; hostile names are text; what cannot be deleted is not said to be.
func TestRuns(t *testing.T) {
	testenv.OnlyCI(t)
	p := trained(t, 2)
	p.Run(`fake.click("Runs"); document.querySelectorAll(".runs [type=checkbox]").forEach((box) => box.click()); ` +
		`fake.click("Compare the two chosen runs")`)
	p.Await(`document.querySelector("#step-runs h3").textContent === "heating-1 and heating-2"`)
	if got := sent(p, "compare"); got != `{"runs":["heating-1","heating-2"]}` {
		t.Errorf("compare received %s", got)
	}
	p.Await(`document.querySelector(".better").textContent === "1.120 better" && document.querySelectorAll("main img").length === 0`)
	t.Run("accessible", func(t *testing.T) {
		script := browser.AxeScript(t)
		p.Run(`document.querySelectorAll("#step-runs details").forEach((d) => { d.open = true; }); fake.click("Delete")`)
		accessible(t, p, script, "runs")
		p.Run(`fake.click("No")`)
	})
	var shown []string
	p.Evaluate(`[[...document.querySelectorAll("#step-runs h3 + p")].map((e) => e.textContent).find((text) => text.includes("moved")),
		document.querySelectorAll(".against circle.dot").length + " " + document.querySelectorAll(".against circle.here").length,
		document.querySelector(".against figcaption").textContent]`, &shown)
	testenv.Equal(t, shown, []string{"1 the same, 1 moved, 1 only in heating-1, 1 only in heating-2.", "2 1",
		`Predictions of <img src=x onerror="fail()"> [kW], correlation 0.980`})
	p.Run(`const rows = [...document.querySelectorAll("#step-runs select")].at(-1); rows.value = 1; rows.dispatchEvent(new Event("change"))`)
	p.Await(`document.activeElement.value === "1"`)
	if got := sent(p, "compare"); got != `{"runs":["heating-1","heating-2"],"table":"heating.csv"}` {
		t.Errorf("compare received %s", got)
	}
	p.Run(`document.querySelector("[aria-label='Delete heating-2']").click(); fake.click("No"); ` +
		`document.querySelector("[aria-label='Delete heating-2']").click(); fake.click("Yes")`)
	p.Await(`document.querySelectorAll(".runs tbody tr").length === 1 && fake.runs[0].run === "heating-1"`)
	if got := sent(p, "delete"); got != `{"run":"heating-2"}` {
		t.Errorf("delete received %s", got)
	}
	p.Run(`fake.click("heating-1")`)
	p.Await(`location.hash === "#results"`)
	// Where the browser does not give access to what it keeps, the page does not say that nothing is left.
	p.Await(`document.getElementById("main").dataset.session === "kept"`)
	p.Run(`indexedDB.open = () => { throw new DOMException("denied", "SecurityError"); }; fake.click("Runs"); ` +
		`fake.click("Forget everything"); fake.click("Yes")`)
	p.Await(`document.getElementById("forgotten")?.textContent.includes("could not be deleted (denied)")`)
}

// TestSessions: a reload keeps the runs, and the rows of tables only if the user says so; to forget removes all of it.
func TestSessions(t *testing.T) {
	testenv.OnlyCI(t)
	p := trained(t, 1)
	kept := func(want string) {
		t.Helper()
		p.Await(`document.getElementById("main").getAttribute("aria-busy") === "false"`)
		var got string
		p.Evaluate(`fake.restored?.toSorted().join(" ") ?? ""`, &got)
		if got != want {
			t.Errorf("restored: %s, want %s", got, want)
		}
	}
	reload := func() {
		t.Helper()
		p.Run(`window.old = true; location.reload()`)
		p.Await(`window.old === undefined && document.querySelectorAll(".card").length > 0`)
	}
	p.Await(`[...document.querySelectorAll("#step-results button")].some((b) => b.textContent === "Keep the table")`)
	p.Await(`document.getElementById("main").dataset.session === "kept"`)
	reload()
	kept("/runs/heating-1/model.json")
	p.Await(`location.hash === "#results" && fake.runs.length === 1`)
	p.Run(`fake.click("Keep the table")`)
	p.Await(`document.getElementById("main").dataset.session === "kept"`)
	reload()
	kept("/runs/heating-1/model.json /runs/heating-1/train.csv /tables/heating.csv /tables/hostile.csv /tables/wide.csv /tables/wider.csv")
	p.Run(`fake.click("Runs"); document.querySelector("#step-runs [type=checkbox]:not([aria-label])").click()`)
	p.Await(`document.getElementById("main").dataset.session === "kept"`)
	reload()
	kept("/runs/heating-1/model.json")
	p.Run(`IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
		fake.click("Runs"); document.querySelector("#step-runs [type=checkbox]:not([aria-label])").click()`)
	p.Await(`document.querySelector("#step-runs [role=alert]")?.textContent.startsWith("The browser has no more room for this session") && ` +
		`document.getElementById("main").dataset.session === "not kept"`)
	p.Run(`fake.click("Runs"); fake.click("Forget everything"); fake.click("Yes")`)
	p.Await(`document.getElementById("forgotten")?.textContent === "Forgotten: all tables and runs, ` +
		`in every tab of this page. Nothing of them is left in this browser."`)
	reload()
	p.Await(`document.getElementById("main").getAttribute("aria-busy") === "false"`)
	var left []string
	p.Evaluate(`[fake.restored?.join() ?? "", location.hash]`, &left)
	if left[0] != "" {
		t.Errorf("after forgetting there are %s", left[0])
	}
}

// TestForgetInAnotherTab: forgetting in one tab waits until the others have left what they had, rows included, and none
// of them writes it again.
func TestForgetInAnotherTab(t *testing.T) {
	testenv.OnlyCI(t)
	path := fakePage(t)
	p := browser.Open(t, path)
	trainOnce := func(p *browser.Page) {
		t.Helper()
		p.Await(cards)
		p.Run(`fake.card("heating.csv")`)
		p.Await(`location.hash === "#columns"`)
		p.Run(`fake.click("Train")`)
		p.Await(`location.hash === "#results"`)
	}
	trainOnce(p)
	p.Await(`[...document.querySelectorAll("#step-results button")].some((b) => b.textContent === "Keep the table")`)
	p.Run(`fake.click("Keep the table")`)
	p.Await(`document.getElementById("main").dataset.session === "kept"`)
	other, third := p.Tab(path), p.Tab(path)
	trainOnce(third)
	third.Run(`fake.hold = "training100"; fake.click("Columns"); fake.click("Train")`) // a training does not hold it up
	other.Await(cards)
	other.Run(`fake.click("Runs"); fake.click("Forget everything"); fake.click("Yes")`)
	other.Await(`document.getElementById("forgotten")?.textContent.endsWith("Nothing of them is left in this browser.")`)
	for name, tab := range map[string]*browser.Page{"the tab of the session": p, "another tab": third} {
		tab.Await(`document.getElementById("forgotten")?.textContent.startsWith("Another tab of this page has forgotten")`)
		var left []string
		tab.Evaluate(`[...fake.runs.map((r) => r.run), ...(fake.restored ?? []), history.state?.forgotten ?? ""].filter((text) => text)`, &left)
		if len(left) > 0 {
			t.Errorf("%s has %q", name, left)
		}
	}
	var keys []string
	p.Run(`indexedDB.open("tskgraph").onsuccess = ({ target: { result: db } }) => { ` +
		`db.transaction("files").objectStore("files").getAllKeys().onsuccess = (e) => { window.keys = e.target.result; db.close(); }; };`)
	p.Await(`"keys" in window`)
	if p.Evaluate(`keys`, &keys); len(keys) > 0 {
		t.Errorf("the browser has %q", keys)
	}
	for _, tab := range []*browser.Page{other, third} { // one of which may be the tab that keeps a session now
		tab.Run(`location.href = "about:blank"`)
	}
	p.Go(path)
	trainOnce(p) // a session begins again
	p.Await(`document.getElementById("main").dataset.session === "kept"`)
}
