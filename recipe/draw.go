package recipe

import (
	"cmp"
	"slices"
)

// Draw says how a search draws values of a key. A key with Values or Factors has a list,
// which section tune of config.yaml replaces; the values of another key come from the
// settings that the search starts from.
type Draw struct {
	Order int    // of the keys in a search, from 1: part of what a seed gives, and the order of lists and columns
	Doc   string // of the list, in section tune of config.yaml

	Values  []any     // the list where none is given, with the value of the recipe
	Factors []float64 // else the list where none is given: multiples of the value of the recipe

	ZeroIsAll bool   // 0 stands for all, the highest value
	Along     string // own name of the key to whose value the ratio stays the same
	Start     bool   // where rules start depends on the key

	Heading string // of the column of a short table of trials; empty: none
}

// Listed reports whether the key has a list.
func (d Draw) Listed() bool { return d.Values != nil || d.Factors != nil }

// DrawnKeys returns the keys that a search draws, in the order of [Draw].
func DrawnKeys() []Key {
	drawn := slices.DeleteFunc(Keys(), func(k Key) bool { return k.Draw == nil })
	slices.SortStableFunc(drawn, func(a, b Key) int { return cmp.Compare(a.Draw.Order, b.Draw.Order) })
	return drawn
}
