package words

import (
	"fmt"
	"slices"
)

// thens returns the lines of each THEN part.
func (t RuleText) thens() [][]string {
	if t.Outputs == nil {
		return [][]string{t.then()}
	}
	var all [][]string
	for _, o := range t.Outputs {
		all = append(all, o.then())
	}
	if t.Then != "" && t.Outputs[0].Then == "" { // the outputs only have formulas
		all = [][]string{append([]string{t.Then + ":"}, slices.Concat(all...)...)}
	}
	if t.Small != "" {
		all[len(all)-1] = append(all[len(all)-1], t.Small)
	}
	return all
}

// then returns the lines of the THEN part of one output.
func (t RuleText) then() []string {
	if len(t.Formula) == 0 {
		return []string{t.Then}
	}
	lines := []string{t.Label + " ="}
	if t.Then != "" {
		lines[0] = t.Then + "; the formula:"
	}
	width := 0
	for _, term := range t.Formula[1:] {
		width = max(width, len([]rune(term.Product)))
	}
	for _, term := range t.Formula {
		line := term.Product
		if term.Effect != "" {
			line = fmt.Sprintf("%-*s  (%s)", width, term.Product, term.Effect)
		}
		lines = append(lines, "  "+line)
	}
	if t.Small != "" {
		lines = append(lines, "  "+t.Small)
	}
	return lines
}
