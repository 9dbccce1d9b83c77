package page

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// longNames returns a table of 15 columns with long names and an untrained model of nine rules of it.
func longNames(t *testing.T) (*model.Model, *data.Dataset) {
	t.Helper()
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}}
	d.Schema.Target, d.Schema.TargetUnit = strings.Repeat("target ", 20)+"x", "kilograms per square metre"
	for m := range 15 {
		name := strings.Repeat("a long ", 1+m) + "name"
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: name, Unit: "metres", Encoding: data.Numeric})
	}
	from := table(90)
	for i, row := range from.X {
		x := make([]float64, 15)
		for m := range x {
			x[m] = row[m%8]*(1+float64(m)) + float64((i*m)%7)
		}
		d.X, d.Y = append(d.X, x), append(d.Y, 1e6*from.Y[i])
	}
	return untrained(t, lookup(t, "gaussian"), d, 9, nil), d
}

// TestSheet: a sheet has the question, the rules in sentences, three pictures and what to trust, and prints as one page, alone and, of
// some, as a tab of the report, also with long names; it has no violations of accessibility.
func TestSheet(t *testing.T) {
	several := map[string]subject{}
	for _, one := range severalOutputs(t) {
		several[one.name] = one
	}
	of := func(name string) Input {
		return Input{Model: several[name].model, Data: Part{"test.csv", several[name].data}, Train: &Part{"train.csv", several[name].data}}
	}
	long, ofLong := longNames(t)
	d := table(60)
	script := browser.AxeScript(t)
	for _, c := range []struct {
		name string
		in   Input
		want []string
	}{
		{"number", Input{Model: untrained(t, lookup(t, "gaussian"), d, 4, nil), Data: Part{"test.csv", d}, Train: &Part{"train.csv", d}},
			[]string{"How large is y [MPa]?", "The answer comes from 4 rules", "Rule 1", " MPa on average, for half of the rows ",
				"On 60 rows of test.csv it is off by ",
				"9 of 10 predictions", "Predicted and observed", "length 52.0673 to 163.891 mm", "There it extrapolates.", "It states no interval"}},
		{"page", Input{Model: paged(t, d), Data: Part{"test.csv", d}, Train: &Part{"train.csv", d}},
			[]string{"One rule decides each row", "as at the end of the range"}},
		{"classes", of("softmax"), []string{"Which y is it: a, b, c?", "names the right y for ", "How often it is right",
			"the probability of each class"}},
		{"two", of("logit"), []string{"Which y is it: <no>, yes?", "the probability of yes"}},
		{"ordered", of("ordered"), []string{"mean pinball loss"}},
		{"counts", of("log"), []string{"How large is y [MPa]?"}},
		{"long", Input{Model: long, Data: Part{"test.csv", ofLong}, Train: &Part{"train.csv", ofLong}},
			[]string{"of 9 rules that decide ", "further conditions"}},
	} {
		name, p := c.name, testenv.Must(New(c.in))
		var b bytes.Buffer
		testenv.OK(t, p.WriteSheet(&b))
		path := filepath.Join(t.TempDir(), "sheet.html")
		testenv.OK(t, os.WriteFile(path, b.Bytes(), 0o600))
		page := browser.Open(t, path)
		var text string
		page.Evaluate(`document.body.textContent`, &text)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		var pictures int
		if page.Evaluate(`document.querySelectorAll(".sheet svg").length`, &pictures); pictures != 3 {
			t.Errorf("%s: %d pictures", name, pictures)
		}
		if n := page.Pages(); n != 1 {
			t.Errorf("%s: %d pages are printed", name, n)
		}
		accessible := func() {
			t.Helper()
			if name != "number" {
				return
			}
			for _, found := range browser.AxeViolations(page, script) {
				if browser.AxeSerious(found) {
					t.Errorf("%s: %s", name, found)
				}
			}
		}
		accessible()
		if name == "number" || name == "long" || testenv.AllCases() {
			page.Go(written(t, c.in))
			page.Run(`document.querySelector("#tab-sheet").click()`)
			if n := page.Pages(); n != 1 {
				t.Errorf("%s: %d pages are printed of the report's tab", name, n)
			}
			accessible()
		}
		sound(t, page, name)
	}
}

// TestNoSheet: models without one list of rules in words have no sheet, and their reports no tab.
func TestNoSheet(t *testing.T) {
	for _, s := range append(subjects(t), severalOutputs(t)...) {
		if s.name != "components" && !s.model.Committee() && len(s.model.Schema.Targets()) == 1 {
			continue
		}
		p, html := mustNew(t, Input{Model: s.model, Data: Part{"test.csv", s.data}})
		if err := p.WriteSheet(&bytes.Buffer{}); !errors.Is(err, ErrNoSheet) || !strings.Contains(err.Error(), "train with ") {
			t.Errorf("%s: %v", s.name, err)
		}
		if strings.Contains(html, `id="tab-sheet"`) {
			t.Errorf("%s: a tab without a sheet", s.name)
		}
	}
}
