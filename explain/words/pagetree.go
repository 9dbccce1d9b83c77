package words

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/page"
)

// pageTree returns the partition of a page as a tree, or an error that says why it has none.
func pageTree(p *page.Page, text *pageText, of []Rule) (*Tree, error) {
	splits, ok := p.Splits()
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: no condition of the page divides its rules", ErrNoTree)
	case splits == nil:
		return nil, fmt.Errorf("%w: there is a single rule", ErrNoTree)
	}
	all := make([]int, len(p.Rules))
	for r := range all {
		all[r] = r
	}
	root := pageBranch(p, splits, all)
	total := root.count(of)
	root.sayPage(text, total)
	one := 1.0
	return &Tree{Root: root, Agreement: &one, partition: true}, nil
}

// count sets the samples of a branch, and returns them.
func (b *Branch) count(of []Rule) int {
	if b.Sides == nil {
		b.Samples = of[b.Rule-1].Samples
	}
	for _, side := range b.Sides {
		b.Samples += side.count(of)
	}
	return b.Samples
}

// sayPage sets what the leaves say, of a tree with a number of samples.
func (b *Branch) sayPage(text *pageText, samples int) {
	for _, side := range b.Sides {
		side.sayPage(text, samples)
	}
	if b.Sides == nil {
		b.Says = namedRules([]int{b.Rule}) + ": " + text.rules[b.Rule-1].says
		if samples > 0 {
			b.Says += fmt.Sprintf(" (%s of the samples)", percent(float64(b.Samples)/float64(samples)))
		}
	}
}

// pageBranch returns the branch of some rules by the splits of a page, each of which is behind that of which it divides a side.
func pageBranch(p *page.Page, splits []page.Split, some []int) *Branch {
	if len(some) == 1 {
		return &Branch{Rule: some[0] + 1}
	}
	s := splits[slices.IndexFunc(splits, func(s page.Split) bool {
		return len(s.Below)+len(s.Above) == len(some) && slices.Contains(slices.Concat(s.Below, s.Above), some[0])
	})]
	below, above := pageBranch(p, splits, s.Below), pageBranch(p, splits, s.Above)
	unit := pageColumn(p, s.Column).Unit
	if s.Border != nil {
		below.When = conditionText(page.Condition{Column: s.Column, AtMost: s.Border}, unit)
		above.When = conditionText(page.Condition{Column: s.Column, Above: s.Border}, unit)
	} else {
		below.When = conditionText(page.Condition{Column: s.Column, Levels: s.Levels}, unit)
		above.When = conditionText(page.Condition{Column: s.Column, Levels: s.Levels, Not: true}, unit)
	}
	return &Branch{Sides: []*Branch{below, above}}
}
