package page

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// edited is what the editor shows of its rules.
type edited struct {
	Error    float64
	Accuracy string
	File     string
	Changed  int // rules
}

// editor opens the page of a model at its second tab, with all rules open.
func editor(t *testing.T, p *browser.Page, in Input) *browser.Page {
	t.Helper()
	path := written(t, in)
	if p == nil {
		p = browser.Open(t, path)
	} else {
		p.Go(path)
	}
	p.Run(`document.querySelector("#tab-edit").click();
		for (const d of document.querySelectorAll(".edit-rule details")) d.open = true;
		window.saved = [];
		URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push(text)); return "data:,"; };`)
	p.Await(`document.querySelectorAll(".edit-then").length === document.querySelectorAll(".edit-rule").length`)
	return p
}

// result returns what the editor shows, and what its button saves.
func result(t *testing.T, p *browser.Page) (e edited) {
	t.Helper()
	p.Run(`saved.length = 0; document.querySelector("#edit-save").click(); window.framed = false; ` +
		`requestAnimationFrame(() => requestAnimationFrame(() => { window.framed = true; }));`)
	p.Await(`saved.length === 1 && framed`)
	p.Evaluate(`({Error: Number(document.querySelector("#edit-error").dataset.value),
		Accuracy: document.querySelector("#edit-error").dataset.accuracy ?? "",
		File: saved[0], Changed: document.querySelectorAll(".edit-rule.changed").length})`, &e)
	return e
}

// imported returns the model of a file of rules.
func imported(t *testing.T, text string, like *model.Model) *model.Model {
	t.Helper()
	book, err := byhand.ReadYAML(strings.NewReader(text), "rules.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := book.Model(like)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m.Training.Options = like.Training.Options
	return m
}

// edits changes each kind of control of the first rules: fields, handles, levels, sliders, and a switch.
const edits = `
	const first = document.querySelectorAll(".edit-rule")[0], second = document.querySelectorAll(".edit-rule")[1];
	const key = (element, name, shift) => element.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey: shift, bubbles: true,
		cancelable: true }));
	for (const field of first.querySelectorAll(".edit-field:not([hidden]) input")) {
		field.value = String(Number(field.value.replace("−", "-")) * 1.02 + 0.01);
		field.dispatchEvent(new Event("change"));
	}
	for (const handle of second.querySelectorAll(".handle")) key(handle,
		handle.getAttribute("aria-label").includes("lower") ? "ArrowLeft" : "ArrowRight", true);
	second.querySelector(".chip:not(:disabled)")?.click();
	for (const range of second.querySelectorAll(".edit-slope input[type=range]")) {
		range.value = Number(range.value) + (range.max - range.min) / 37;
		range.dispatchEvent(new Event("input"));
	}
	for (const field of first.querySelectorAll(".edit-slope input[type=text]")) {
		field.value = String(Number(field.value.replace("−", "-")) + 0.125);
		field.dispatchEvent(new Event("change"));
	}`

// TestEditing: without an edit, the page saves the rules of the model to the bit. With edits of every kind of control, the
// error that it shows is that of the model of the file that it saves, for every shape and feature of a model.
func TestEditing(t *testing.T) {
	if testenv.Race {
		t.Skip("the page's computations run in the browser, which the race detector does not see")
	}
	all := append(subjects(t), severalOutputs(t)...)
	all = append(all, absoluteErrors(t), weightedRows(t))
	var p *browser.Page
	for i, s := range testenv.Draw(all, 40, 12, 0) {
		if s.model.Committee() || s.model.Components != nil || s.model.Pages != nil {
			continue
		}
		p = editor(t, p, Input{Model: s.model, Data: Part{"test.csv", s.data}})
		before := result(t, p)
		compareErrors(t, s.name+", unedited", before, s.model, s.data)
		if was, is := rulesOf(t, s.model), rulesOf(t, imported(t, before.File, s.model)); was != is || before.Changed != 0 {
			t.Errorf("%s: without an edit the saved rules differ; %d rules changed", s.name, before.Changed)
		}
		p.Run(edits)
		if i%2 == 0 {
			p.Run(`document.querySelectorAll(".edit-rule [role=switch]")[2].click()`)
		}
		after := result(t, p)
		if after.Error == before.Error || after.Changed < 2 {
			t.Errorf("%s: %d rules changed, the error %v is as it was", s.name, after.Changed, after.Error)
		}
		m := imported(t, after.File, s.model)
		if want := s.model.RuleBase.Rules() - (i+1)%2; m.RuleBase.Rules() != want {
			t.Errorf("%s: %d rules, not %d", s.name, m.RuleBase.Rules(), want)
		}
		compareErrors(t, s.name+", edited", after, m, s.data)
		p.Run(`[...document.querySelectorAll(".edit-buttons button")].find((b) => b.textContent === "Reset all").click()`)
		if reset := result(t, p); reset.File != before.File || reset.Error != before.Error {
			t.Errorf("%s: after a reset the file or the error %v differs from %v", s.name, reset.Error, before.Error)
		}
		sound(t, p, s.name)
	}
}

func compareErrors(t *testing.T, what string, e edited, m *model.Model, d *data.Dataset) {
	t.Helper()
	want := testenv.Must(m.Evaluate(t.Context(), d))
	if !near(e.Error, want.Loss) {
		t.Errorf("%s: %s", what, differ("error", e.Error, want.Loss))
	}
}

// rulesOf returns the rules and the preprocessing of a model as in its file.
func rulesOf(t *testing.T, m *model.Model) string {
	t.Helper()
	one := *m
	one.Training, one.Calibration = model.Training{Samples: 1}, nil
	one.Rules = make([]model.RuleSummary, m.RuleBase.Rules())
	var b bytes.Buffer
	if err := one.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestKeepsParts: a checkbox of each part of a rule keeps it in the file, which is that of the same rules with these parts kept;
// undo, a second click and a reset restore what was. The error is as before.
func TestKeepsParts(t *testing.T) {
	if testenv.Race {
		t.Skip("the page's computations run in the browser, which the race detector does not see")
	}
	all := append(subjects(t), severalOutputs(t)...)
	several := slices.IndexFunc(all, func(s subject) bool {
		return !s.model.Committee() && s.model.Components == nil && s.model.OutputCount() > 1
	})
	var p *browser.Page
	for _, s := range testenv.Draw([]subject{all[several], {"gaussian", untrained(t, lookup(t, "gaussian"), table(60), 4, nil), table(60)}},
		2, 1, 0) {
		rb := s.model.RuleBase
		rb.Keep = make([]rules.Keep, rb.Rules())
		rb.Keep[1], rb.Keep[2] = rules.KeepThen, rules.KeepAll
		p = editor(t, p, Input{Model: s.model, Data: Part{"test.csv", s.data}})
		before := result(t, p)
		if got := before.File; got != fileOf(t, s.model) {
			t.Errorf("%s: without an edit the file is\n%s", s.name, got)
		}
		click := func(rule int, part string) {
			p.Run(fmt.Sprintf(`document.querySelector("[aria-label='Rule %d: keep its %s part when training on']").click()`, rule, part))
		}
		click(1, "IF")
		click(2, "IF")
		click(3, "THEN")
		rb.Keep[0], rb.Keep[1], rb.Keep[2] = rules.KeepIf, rules.KeepAll, rules.KeepIf
		after := result(t, p)
		if after.File != fileOf(t, s.model) || after.Error != before.Error || after.Changed != 3 {
			t.Errorf("%s: %d rules changed, the error is %v, it was %v, the file is\n%s", s.name, after.Changed, after.Error, before.Error,
				after.File)
		}
		if got := imported(t, after.File, s.model).RuleBase.Keep; !slices.Equal(got, rb.Keep) {
			t.Errorf("%s: the file keeps %v, not %v", s.name, got, rb.Keep)
		}
		click(1, "IF")
		click(2, "IF")
		p.Run(`document.querySelector("[aria-label^=Undo]").click()`)
		rb.Keep[0] = 0
		if e := result(t, p); e.File != fileOf(t, s.model) || e.Changed != 2 {
			t.Errorf("%s: after undo %d rules are changed; the file is\n%s", s.name, e.Changed, e.File)
		}
		p.Run(`[...document.querySelectorAll(".edit-buttons button")].find((b) => b.textContent === "Reset all").click()`)
		if e := result(t, p); e.File != before.File || e.Changed != 0 {
			t.Errorf("%s: after a reset %d rules are changed; the file is\n%s", s.name, e.Changed, e.File)
		}
		sound(t, p, s.name)
	}
}

// fileOf returns rules.yaml of a model.
func fileOf(t *testing.T, m *model.Model) string {
	t.Helper()
	book := testenv.Must(byhand.FromModel(m))
	var b strings.Builder
	if err := book.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// absoluteErrors returns a model that is compared by the mean absolute error.
func absoluteErrors(t *testing.T) subject {
	d := table(60)
	m := untrained(t, lookup(t, "gaussian"), d, 4, nil)
	m.Training.Options = map[string]string{"train.loss": "huber"}
	return subject{"absolute errors", m, d}
}

// weightedRows returns a model with data of which each row has a weight.
func weightedRows(t *testing.T) subject {
	d := table(60)
	for n := range d.Y {
		d.Weights = append(d.Weights, 1+float64(n%3))
	}
	return subject{"weights", untrained(t, lookup(t, "trapezoid"), d, 4, nil), d}
}

// TestEditingByHand: a mouse, a finger and keys move the handles of a rule; undo and redo restore what was; the tabs follow
// keys and the hash; at the width of a phone nothing is beside the page.
func TestEditingByHand(t *testing.T) {
	if testenv.Race {
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
