package page

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestRulesInWords: the section on rules has the text of Description, with and without the
// training part, for a model, for a committee, and for a model without words.
func TestRulesInWords(t *testing.T) {
	d := table(60)
	part := Part{"train.csv", d}
	m := untrained(t, lookup(t, "gaussian"), d, 4, nil)
	described := testenv.Must(words.ModelOn(m, d))
	_, html := mustNew(t, Input{Model: m, Data: part, Train: &part})
	text := plainText(html)
	if len(described.Rules) != 4 {
		t.Fatalf("%d rules", len(described.Rules))
	}
	for _, r := range described.Rules {
		rule := described.Say(r)
		want := append([]string{rule.Then.Says, rule.Then.Small, rule.Then.Formula[1].Product, rule.Then.Formula[1].Effect}, rule.Seen...)
		want = append(want, rule.If...)
		if len(want) < 8 || len(rule.Seen) != 2 {
			t.Errorf("rule %d: too little text: %q", r.Number, want)
		}
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("rule %d: no %q", r.Number, w)
			}
		}
	}
	for _, w := range []string{described.Interpretability.String(), described.Sentences().Legend, "is gaussian(c = "} {
		if !strings.Contains(text, w) {
			t.Errorf("no %q", w)
		}
	}
	_, html = mustNew(t, Input{Model: m, Data: part})
	if text := plainText(html); strings.Contains(text, "RMSE where it is strongest") || !strings.Contains(text, "THEN y [MPa] = ") {
		t.Error("without the training part the THEN parts are their formulas")
	}
	_, html = mustNew(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 4, components), Data: part, Train: &part})
	if !strings.Contains(html, "principal components, sums of all features") || strings.Contains(html, "<li data-rule=") {
		t.Error("components in words")
	}
	for _, s := range subjects(t) {
		if s.model.Committee() {
			if _, html = mustNew(t, Input{Model: s.model, Data: part}); strings.Count(html, `data-member="2"`) != 1 ||
				!strings.Contains(html, "Member 2, 5 rules") {
				t.Error("no words for the second member")
			}
		}
	}
}

// TestIdleRules: idle rules are in a separate list.
func TestIdleRules(t *testing.T) {
	d := table(60)
	m := untrained(t, lookup(t, "gaussian"), d, 3, nil)
	m.Rules[1].Share, m.Rules[1].Samples = 0.004, 0
	_, html := mustNew(t, Input{Model: m, Data: Part{"test.csv", d}})
	if !strings.Contains(html, "1 more, strongest for no sample, 0.4% of the firing together") || strings.Count(html, "<li data-rule=") != 3 {
		t.Error("the idle rule is not in a separate list")
	}
}

// TestOneOrder: cards, rule viewer and editor have the rules in one order, those that decide most rows first, with their numbers in the
// model; pictures have the rows that each decides.
func TestOneOrder(t *testing.T) {
	d := table(60)
	m := untrained(t, lookup(t, "gaussian"), d, 4, nil)
	for r, n := range []int{5, 30, 10, 15} {
		m.Rules[r].Samples = n
	}
	train := Part{"train.csv", d}
	p := browser.Open(t, written(t, Input{Model: m, Data: Part{"test.csv", d}, Train: &train}))
	p.Run(`document.querySelector("#tab-edit").click()`)
	p.Await(`document.querySelectorAll(".edit-rule").length === 4`)
	var got []string
	p.Evaluate(`["#rules .cards > li", "#firing .firing > li", ".edit-rule"].map((s) =>
		[...document.querySelectorAll(s)].map((e) => e.querySelector("h3, strong").textContent.replace("Rule ", "")).join())`, &got)
	testenv.Equal(t, got, []string{"2,4,3,1", "2,4,3,1", "2,4,3,1"})
	of := testenv.Must(newDecisions(m, d))
	total := 0
	for r := range 4 {
		rows := of.rows([]int{r + 1})
		total += len(rows)
		for _, shown := range of.pictures([]int{r + 1}) {
			if low, high, mean := (variable{y: d.Y}).middleHalf(rows); !strings.Contains(shown.Said, threeDigits(low)+" to "+threeDigits(high)) ||
				!strings.Contains(shown.Said, "mean "+threeDigits(mean)+" MPa") || len(shown.Bars) != pictureBins {
				t.Errorf("rule %d: %q, %d bars", r+1, shown.Said, len(shown.Bars))
			}
		}
	}
	if total != 60 {
		t.Errorf("%d rows are decided, not 60", total)
	}
	sound(t, p, "the page")
}

// plainText returns the text of a page.
func plainText(html string) string {
	var b strings.Builder
	for i, piece := range strings.Split(html, "<") {
		if i > 0 {
			_, piece, _ = strings.Cut(piece, ">")
		}
		b.WriteString(piece)
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#43;", "+", "&#34;", `"`, "&#39;", "'", "&amp;", "&").Replace(b.String())
}

// TestViewerInWords: the rule viewer shows the conditions met as Explain does, for shapes with
// and without a logarithm, through a transform, and for the members of a committee.
func TestViewerInWords(t *testing.T) {
	var p *browser.Page
	compared, unmet := 0, 0
	some := slices.DeleteFunc(subjects(t), func(s subject) bool {
		return !slices.Contains([]string{"gaussian", "trapezoid", "transformed, limited", "committee, calibrated"}, s.name)
	})
	for _, s := range testenv.Draw(some, 2, 1, 1) { // of the default, one has no logarithm, and one is the committee
		p = opened(t, p, s)
		one := s.model
		if s.model.Committee() {
			one = s.model.Members[1]
			p.Evaluate(`(() => { const s = document.querySelector("#firing select"); s.value = 1; s.dispatchEvent(new Event("change")); })()`, nil)
		}
		p.Evaluate(`document.querySelector("#firing input[type=checkbox]").click()`, nil) // all rules
		columns := testenv.Must(shapley.New(one, s.data, 1))
		for i := range testenv.CaseNumber(5, 5, 10) {
			var got map[string]string
			p.Evaluate(`(() => { document.querySelector("button[aria-label='Next row']").click();
				return Object.fromEntries(Array.from(document.querySelectorAll(".firing li"), (e) => [e.dataset.rule,
					e.querySelector(".asks").textContent])); })()`, &got)
			e := testenv.Must(words.Explain(one, s.data.X[i], columns, nil))
			for _, r := range e.Rules {
				var met, not []string
				for _, a := range r.Words {
					if a.Met {
						met = append(met, a.String())
					} else {
						not = append(not, a.String())
					}
				}
				want := ""
				if len(met) > 0 {
					want = "IF " + strings.Join(met, " AND ")
				}
				if len(not) > 0 {
					want = strings.TrimPrefix(want+"; not met: "+strings.Join(not, "; "), "; ")
				}
				if compared++; got[strconv.Itoa(r.Rule)] != want {
					t.Errorf("%s, row %d, rule %d: %q in the page, Explain has %q", s.name, i, r.Rule, got[strconv.Itoa(r.Rule)], want)
				}
				unmet += len(not)
			}
		}
	}
	closed := -1
	p.Evaluate(`(window.dispatchEvent(new Event("beforeprint")),
		document.querySelectorAll("#rules .member:not([open]), #rules .cards details:not([open])").length)`, &closed)
	if closed != 0 {
		t.Errorf("%d rules are folded in print", closed)
	}
	if compared < 50 || unmet < 20 {
		t.Fatalf("%d rules compared, %d conditions not met", compared, unmet)
	}
	sound(t, p, "the last page")
}

// TestTree: the page has the tree of the rules as nested lists, if the training part says how true it is.
func TestTree(t *testing.T) {
	d := table(60)
	part := Part{"train.csv", d}
	shape := membership.Sigmoid{}
	m := untrained(t, shape, d, 3, nil)
	for r := range 3 {
		for i := range m.RuleBase.Features() {
			m.RuleBase.Flatten(r, i)
		}
	}
	inf := math.Inf(1)
	for r, borders := range [][2]float64{{-inf, -0.5}, {-0.5, 0.5}, {0.5, inf}} {
		for j, v := range shape.Between(borders[0], borders[1], 0.01) {
			m.RuleBase.Antecedents[j][r][0] = v
		}
	}
	m.RuleBase.Splits = []rules.Split{
		{Feature: 0, Threshold: -0.5, Below: []int{0}, Above: []int{1, 2}},
		{Feature: 0, Threshold: 0.5, Below: []int{1}, Above: []int{2}},
	}
	_, html := mustNew(t, Input{Model: m, Data: part, Train: &part})
	_, tree, _ := strings.Cut(html, `<ul class="tree">`)
	tree, _, _ = strings.Cut(tree, "</details>")
	if strings.Count(tree, "<li>") != 4 || strings.Count(tree, "<ul>") != 1 || strings.Count(tree, "</ul>") != 2 {
		t.Errorf("the tree is\n%s", tree)
	}
	text := plainText(html)
	for _, want := range []string{"it leads 100% of the training samples to the rule that fires most", "rule 1: y is about ",
		"rule 3: y is about "} {
		if strings.Count(text, want) != 1 {
			t.Errorf("no %q", want)
		}
	}
	if _, html = mustNew(t, Input{Model: m, Data: part}); strings.Contains(html, "As a tree") {
		t.Error("a tree that nothing says the truth of")
	}
}
