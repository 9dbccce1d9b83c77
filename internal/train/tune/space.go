package tune

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Space lists the values that settings may take, by the names that keys have in section
// tune of config.yaml, such as {"rules": {8, 16}, "membership": {membership.Gaussian{}}}:
// the keys of [recipe.DrawnKeys] that have a list. A list of one value fixes the key; a key
// without one has that of [DefaultSpace].
type Space map[string][]any

// listed returns the keys that have a list.
func listed() []recipe.Key {
	return slices.DeleteFunc(recipe.DrawnKeys(), func(k recipe.Key) bool { return !k.Draw.Listed() })
}

// listName is the key of config.yaml that a list has.
func listName(own string) string { return "tune." + own }

// DefaultSpace returns the lists that are used where none is given, as the table of keys
// has them: values, and that of the base; or multiples of the base's, which is that of the
// first setting, for a target of classes or of numbers, if there is a race. What that setting cannot be trained with is left out.
func DefaultSpace(base tskgraph.Recipe, classes bool) (Space, error) {
	base = base.Candidates(math.MaxInt, classes)[0]
	s, err := settingsOf(base)
	if err != nil {
		return nil, err
	}
	sp := Space{}
	for _, k := range listed() {
		all := among(k.Draw.Values, s[k.Own()])
		if k.Draw.Factors != nil {
			all = multiples(s[k.Own()], k.Draw.Factors)
		}
		sp[k.Own()] = slices.DeleteFunc(all, func(v any) bool { return validValue(base, s, k, v) != nil })
	}
	return sp, nil
}

// among returns values, and another one if it is none of them.
func among(values []any, v any) []any {
	values = slices.Clone(values)
	if !slices.ContainsFunc(values, equals(v)) {
		values = append(values, v)
	}
	return values
}

// equals returns whether a value is v: shapes are equal by name.
func equals(v any) func(any) bool {
	return func(w any) bool { return recipe.Text(v) == recipe.Text(w) }
}

// multiples returns multiples of a number, rounded to three digits; the number itself as it is, and nothing
// else if it is zero. Those of a whole number are at least 1.
func multiples(v any, factors []float64) []any {
	var list []any
	for _, f := range factors {
		switch v := v.(type) {
		case int:
			list = append(list, max(1, int(f*float64(v))))
		case float64:
			if f != 1 {
				v = digits.Round(float64(f*v), 3)
			}
			list = append(list, v)
		}
	}
	return slices.CompactFunc(list, func(a, b any) bool { return equals(a)(b) })
}

// typed returns the lists with the values in the types of their keys. The error is an
// *[recipe.Error].
func (sp Space) typed() (Space, error) {
	all := Space{}
	keys := listed()
	for _, own := range slices.Sorted(maps.Keys(sp)) {
		i := slices.IndexFunc(keys, func(k recipe.Key) bool { return k.Own() == own })
		if i < 0 {
			return nil, &tskgraph.RecipeError{Key: listName(own), Message: "no such key"}
		}
		for _, v := range sp[own] {
			var r tskgraph.Recipe
			if err := keys[i].Put(&r, v); err != nil {
				return nil, &tskgraph.RecipeError{Key: listName(own), Message: fmt.Sprintf("%v: %v", v, err)}
			}
			all[own] = append(all[own], keys[i].Value(&r))
		}
	}
	return all, nil
}

// or fills in the lists that are empty.
func (sp Space) or(other Space) Space {
	all := maps.Clone(other)
	for own, list := range sp {
		if len(list) > 0 {
			all[own] = list
		}
	}
	return all
}

// hold returns settings with the values of the lists: a value that a list lacks becomes the
// next higher one of the list, or its highest; a value that is not a number, its first.
func (sp Space) hold(s recipe.Setting) recipe.Setting {
	for _, k := range listed() {
		if list := sp[k.Own()]; len(list) > 0 {
			s = with(s, k, within(list, s[k.Own()], order(k)))
		}
	}
	return s
}

// within returns the value of the list that is v; else, of numbers, the least one above v
// or the greatest, and of other values the first.
func within(list []any, v any, compare func(a, b any) int) any {
	if i := slices.IndexFunc(list, equals(v)); i >= 0 {
		return list[i]
	}
	if _, ok := recipe.Number(v); !ok {
		return list[0]
	}
	sorted := slices.SortedFunc(slices.Values(list), compare)
	i, _ := slices.BinarySearchFunc(sorted, v, compare)
	return sorted[min(i, len(sorted)-1)]
}
