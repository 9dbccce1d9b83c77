package recipe

import (
	"cmp"
	"slices"
)

// Draw describes how a search draws values of a key. A key with Values or Factors has a
// list of values, which section tune of config.yaml replaces; the values of any other key
// come from the settings that the search starts from.
type Draw struct {
	Order int // of the keys in a search, from 1: it affects the draws of a seed and orders lists and columns

	Values  []any     // default list, extended by the value of the recipe
	Factors []float64 // otherwise the default list as multiples of the value of the recipe

	ZeroIsAll bool   // 0 means all, the highest value
	Along     string // own name of the key to which the ratio is kept
	Inherited bool   // a trial keeps the value of the settings that it was drawn near
	Start     bool   // the initial rules depend on the key

	Heading string // of its column in a short table of trials; empty: no column
}

// Listed reports whether the key has a list.
func (d Draw) Listed() bool { return d.Values != nil || d.Factors != nil }

// DrawnKeys returns the keys that a search draws, in the order of [Draw].
func DrawnKeys() []Key {
	drawn := slices.DeleteFunc(Keys(), func(k Key) bool { return k.Draw == nil })
	slices.SortStableFunc(drawn, func(a, b Key) int { return cmp.Compare(a.Draw.Order, b.Draw.Order) })
	return drawn
}
