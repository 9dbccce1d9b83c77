package page

import (
	"slices"
)

// Split is an inner node of a tree: a border on a column that divides some rules into two sides.
type Split struct {
	Column string
	Border *Border  // of a number: Below hold up to it, Above above it
	Levels []string // of a category: Below hold for these levels, of those that a condition mentions, Above for the others and all else
	Below  []int    // rules, from 0, ascending
	Above  []int
}

// Splits returns a tree of splits whose leaves are the rules, each split after the one whose side it divides. ok is false if the page
// is not valid, or no tree has these rules. A single rule has no splits.
func (p *Page) Splits() (splits []Split, ok bool) {
	if p.checkParts() != nil {
		return nil, false
	}
	g := newGrid(p)
	if g.check() != nil {
		return nil, false
	}
	all := make([]int, g.rules)
	for i := range all {
		all[i] = i
	}
	return g.divide(nil, all)
}

// divide appends the splits of rules that fill a box. If their tree exists, it may begin with any border that no rule straddles: both
// sides are trees again. It begins with the one that bounds most rules.
func (g *grid) divide(splits []Split, rules []int) ([]Split, bool) {
	if len(rules) == 1 {
		return splits, true
	}
	var best Split
	most := 0
	for i := range g.axes {
		a := &g.axes[i]
		for _, s := range a.splits(rules) {
			if s.having > most {
				best, most = s.Split, s.having
			}
		}
	}
	if most == 0 {
		return nil, false
	}
	splits, ok := g.divide(append(splits, best), best.Below)
	if !ok {
		return nil, false
	}
	return g.divide(splits, best.Above)
}

// candidate is a split that no rule straddles.
type candidate struct {
	Split
	having int // rules that it bounds
}

// splits returns the splits of an axis that no rule straddles.
func (a *axis) splits(rules []int) (all []candidate) {
	for k := range a.borders {
		s := candidate{Split: Split{Column: a.column, Border: &a.borders[k]}}
		straddled := false
		for _, r := range rules {
			box := a.boxes[r]
			low, high := slices.Index(box, true) <= k, slices.Contains(box[k+1:], true)
			if straddled = straddled || low && high; low {
				s.Below = append(s.Below, r)
			} else {
				s.Above = append(s.Above, r)
			}
			if box[k] != box[k+1] {
				s.having++
			}
		}
		if !straddled && s.Below != nil && s.Above != nil {
			all = append(all, s)
		}
	}
	if a.levels == nil {
		return all
	}
	for _, group := range a.groups(rules) {
		s := candidate{Split: Split{Column: a.column, Below: group}}
		for _, r := range rules {
			if !slices.Contains(group, r) {
				s.Above = append(s.Above, r)
			}
			if slices.Contains(a.boxes[r], false) {
				s.having++
			}
		}
		for cell, level := range a.levels {
			if slices.ContainsFunc(s.Below, func(r int) bool { return a.boxes[r][cell] }) {
				s.Levels = append(s.Levels, level)
			}
		}
		all = append(all, s)
	}
	return all
}

// groups returns the groups of rules that levels do not connect, without that of all other levels; nil if there is one group only.
func (a *axis) groups(rules []int) [][]int {
	var groups [][]int
	others := len(a.levels)
	left := slices.Clone(rules)
	for len(left) > 0 {
		group, cells := []int{left[0]}, slices.Clone(a.boxes[left[0]])
		left = left[1:]
		for i := 0; i < len(left); i++ {
			r := left[i]
			meets := false
			for cell, in := range a.boxes[r] {
				meets = meets || in && cells[cell]
			}
			if !meets {
				continue
			}
			for cell, in := range a.boxes[r] {
				cells[cell] = cells[cell] || in
			}
			group, left, i = append(group, r), slices.Delete(left, i, i+1), -1
		}
		if !cells[others] {
			slices.Sort(group)
			groups = append(groups, group)
		}
	}
	if len(groups) == 1 && len(groups[0]) == len(rules) {
		return nil
	}
	return groups
}
