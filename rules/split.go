package rules

import "slices"

// Split is an inner node of the tree that a rulebase started from, a soft division of
// some rules into two sides:
//
//	x_m < t                   rules in Below
//	x_m >= t                  rules in Above
//
// or, for the levels of a category, of which each has an indicator column: the rules in
// Below require that the columns Not[0] are zero, those in Above that the columns Not[1] are.
type Split struct {
	Feature   int      `json:"feature"`             // m, from 0; of a category, its first indicator column
	Threshold float64  `json:"threshold,omitempty"` // t at the start, in scaled units; unused for a category
	Not       [2][]int `json:"not,omitzero"`        // indicator columns; of a number, none
	Below     []int    `json:"below"`               // rules, from 0, in increasing order
	Above     []int    `json:"above"`
}

// clone returns a deep copy.
func (s Split) clone() Split {
	s.Not = [2][]int{slices.Clone(s.Not[0]), slices.Clone(s.Not[1])}
	s.Below, s.Above = slices.Clone(s.Below), slices.Clone(s.Above)
	return s
}
