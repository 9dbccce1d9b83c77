package workbench

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestOrder: the text, the cards and the sheet of a report, the list of Results, Compare and predictions have the same numbers for the same
// rules, in the same order; those of a page that was trained are in the order of the rows they decide.
func TestOrder(t *testing.T) {
	b := bench(t)
	for name, settings := range map[string]string{
		"page":    `"table": "heating.csv", "preset": "readable", "set": {"model.page": 30}`,
		"classes": `"table": "builtin:iris", "preset": "readable", "set": {"model.page": 30}`,
		"rules":   `"table": "heating.csv", "preset": "robust", "set": {"train.iterations": 30, "train.race": [], "model.rules": 6}`,
		"committee": `"table": "heating.csv", "preset": "robust",
			"set": {"train.iterations": 30, "train.race": [], "model.rules": 4, "train.members": 2}`,
	} {
		done, _ := ask[trained](t, b, "train", `{`+settings+`}`)
		run := `{"run": "` + done.Run + `"`
		w, _ := ask[worded](t, b, "words", run+`}`)
		names, text := []string{}, map[string]string{}
		for _, r := range w.Rules {
			names, text[r.Name] = append(names, r.Name), r.Text
		}
		t.Run(name, func(t *testing.T) {
			testenv.Equal(t, found(w.Words, `(?m)^Rules? [\d, and]*\d`, len(names)), numbersOf(names), "the text")
			report, _ := ask[map[string]string](t, b, "report", run+`}`)
			_, cards, _ := strings.Cut(report["html"], `<ol class="cards"`)
			testenv.Equal(t, found(cards, `<h3>Rules? [^<]*`, len(names)), names, "the cards")
			if name != "committee" {
				at := -1
				for _, rule := range found(report["html"], `<li><strong>Rules? [^<]*`, 9) {
					k := slices.Index(names, rule)
					if k <= at {
						t.Errorf("the sheet has %q in another order than %q", rule, names)
					}
					at = k
				}
				testenv.Equal(t, at >= 0, true, "a sheet")
				f, _ := ask[form](t, b, "form", run+`}`)
				row := map[string]string{}
				for _, c := range f.Columns {
					row[c.Name] = c.Start
				}
				p, _ := ask[predicted](t, b, "predict", run+`, "row": `+string(testenv.Must(json.Marshal(row)))+`}`)
				testenv.Equal(t, len(p.Rules) > 0, true, "a rule decides")
				for _, d := range p.Rules {
					testenv.Equal(t, d.Sentence, text[d.Name], "%s decides", d.Name)
				}
				c, _ := ask[comparison](t, b, "compare", `{"runs": ["`+done.Run+`", "`+done.Run+`"]}`)
				for _, pair := range c.Matched.Pairs {
					testenv.Equal(t, pair.A.Text, text[pair.A.Name], "%s is compared", pair.A.Name)
				}
			}
			for page := range strings.SplitSeq(w.Page, "is the value of the one rule") {
				var rows []int
				for _, m := range regexp.MustCompile(`(?m)^Rule \d+ \((\d+) of`).FindAllStringSubmatch(page, -1) {
					rows = append(rows, -testenv.Must(strconv.Atoi(m[1])))
				}
				if !slices.IsSorted(rows) {
					t.Errorf("rows of the rules of a page: %v", rows)
				}
			}
		})
	}
}

// numbersOf returns the names of rules without those of their pages.
func numbersOf(names []string) (all []string) {
	for _, name := range names {
		name, _, _ = strings.Cut(name, " of ")
		all = append(all, name)
	}
	return all
}

// found returns what a pattern finds first in a text, without markup.
func found(text, pattern string, n int) (all []string) {
	for _, name := range regexp.MustCompile(pattern).FindAllString(text, n) {
		all = append(all, html.UnescapeString(name[max(0, strings.Index(name, "Rule")):]))
	}
	return all
}
