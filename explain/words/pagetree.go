package words

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/page"
)

// pageTree returns the partition of a page as a tree; nil for a single rule, and if no condition divides some of the rules.
func pageTree(p *page.Page, text *pageText, of []Rule) *Tree {
	all := make([]int, len(p.Rules))
	for r := range all {
		all[r] = r
	}
	root := pageBranch(p, all)
	if len(all) < 2 || root == nil {
		return nil
	}
	total := root.count(of)
	root.sayPage(text, total)
	one := 1.0
	return &Tree{Root: root, Agreement: &one, partition: true}
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

// pageBranch returns the branch of some rules: it divides them by the first column that can.
func pageBranch(p *page.Page, some []int) *Branch {
	if len(some) == 1 {
		return &Branch{Rule: some[0] + 1}
	}
	for _, c := range p.Columns {
		sides, when := sidesOf(p, c, some)
		if len(sides) < 2 {
			continue
		}
		b := &Branch{}
		for i, side := range sides {
			one := pageBranch(p, side)
			if one == nil {
				return nil
			}
			one.When = when[i]
			b.Sides = append(b.Sides, one)
		}
		return b
	}
	return nil
}

// sidesOf divides some rules by their conditions on a column, and returns the condition of each side; fewer than two sides if it cannot.
func sidesOf(p *page.Page, c page.Column, some []int) (sides [][]int, when []string) {
	var conditions []page.Condition
	for _, r := range some {
		i := slices.IndexFunc(p.Rules[r].Conditions, func(of page.Condition) bool { return of.Column == c.Name })
		if i < 0 {
			return nil, nil
		}
		conditions = append(conditions, p.Rules[r].Conditions[i])
	}
	if c.Levels != nil {
		return levelSides(c, conditions, some)
	}
	for _, of := range conditions {
		if of.Above == nil {
			continue
		}
		var below, above []int
		for i, r := range some {
			switch one := conditions[i]; {
			case one.AtMost != nil && one.AtMost.At <= of.Above.At:
				below = append(below, r)
			case one.Above != nil && one.Above.At >= of.Above.At:
				above = append(above, r)
			}
		}
		if len(below)+len(above) == len(some) && len(below) > 0 {
			return [][]int{below, above}, []string{
				conditionText(page.Condition{Column: c.Name, AtMost: of.Above}, c.Unit),
				conditionText(page.Condition{Column: c.Name, Above: of.Above}, c.Unit)}
		}
	}
	return nil, nil
}

// levelSides divides rules by levels: those that share a level, or cells of no level, are on one side.
func levelSides(c page.Column, conditions []page.Condition, some []int) (sides [][]int, when []string) {
	type side struct {
		rules  []int
		levels []bool // [L+1], the last for cells of no level
	}
	var all []side
	for i, r := range some {
		one := side{[]int{r}, make([]bool, len(c.Levels)+1)}
		for k := range one.levels {
			in := k < len(c.Levels) && slices.Contains(conditions[i].Levels, c.Levels[k])
			one.levels[k] = in != conditions[i].Not
		}
		apart := slices.DeleteFunc(slices.Clone(all), func(o side) bool {
			meets, joined := false, make([]bool, len(o.levels))
			for k, in := range o.levels {
				meets, joined[k] = meets || in && one.levels[k], in || one.levels[k]
			}
			if meets {
				one = side{slices.Concat(o.rules, one.rules), joined}
			}
			return meets
		})
		all = append(apart, one)
	}
	for _, one := range all {
		of := page.Condition{Column: c.Name, Not: one.levels[len(c.Levels)]}
		for k, level := range c.Levels {
			if one.levels[k] != of.Not {
				of.Levels = append(of.Levels, level)
			}
		}
		sides, when = append(sides, one.rules), append(when, conditionText(of, c.Unit))
	}
	return sides, when
}
