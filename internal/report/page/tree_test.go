package page

import (
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestTree: the page has the tree of the rules as nested lists, if the training part says how
// true it is.
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
	tree, _, _ = strings.Cut(tree, "<ol")
	if strings.Count(tree, "<li>") != 4 || strings.Count(tree, "<ul>") != 1 || strings.Count(tree, "</ul>") != 2 {
		t.Errorf("the tree is\n%s", tree)
	}
	text := plainText(html)
	for _, want := range []string{"it leads 100% of the training samples to the rule that fires most", "rule 1: y is about ", "rule 3: y is about "} {
		if strings.Count(text, want) != 1 {
			t.Errorf("no %q", want)
		}
	}
	if _, html = mustNew(t, Input{Model: m, Data: part}); strings.Contains(html, "As a tree") {
		t.Error("a tree that nothing says the truth of")
	}
}
