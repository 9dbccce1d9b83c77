package tune

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
func DefaultSpace(base recipe.Recipe, classes bool) (Space, error) {
	base = base.WithoutPage().Candidates(math.MaxInt, classes)[0]
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
				v = numeric.Round(float64(f*v), 3)
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
			return nil, &recipe.Error{Key: listName(own), Message: "no such key"}
		}
		for _, v := range sp[own] {
			var r recipe.Recipe
			if err := keys[i].Field(&r).Set(v); err != nil {
				return nil, &recipe.Error{Key: listName(own), Message: fmt.Sprintf("%v: %v", v, err)}
			}
			all[own] = append(all[own], keys[i].Field(&r).Get())
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

// settingsOf returns the point that a recipe stands for.
func settingsOf(r recipe.Recipe) (recipe.Setting, error) {
	used, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	r.Train.Solver = used.Train.Solver // zeros stand for the optimizer's defaults
	s := recipe.Setting{}
	for _, k := range recipe.DrawnKeys() {
		s[k.Own()] = k.Field(&r).Get()
	}
	return s, nil
}

// apply returns the base with the settings of a trial. The trial is a single model
// of a given length, which finds its own start: no committee, no race, and no
// validation part that could end it.
func apply(base recipe.Recipe, s recipe.Setting) (recipe.Recipe, error) {
	base.Train.Members, base.Train.Patience = 1, 0
	return base.With(s)
}

// canonical returns the settings with the base's values of keys without effect, such as the
// penalty of curves without curves: equal for settings that train the same model.
func canonical(base recipe.Recipe, s recipe.Setting) recipe.Setting {
	r, err := apply(base, s)
	if err != nil {
		return s
	}
	s = maps.Clone(s)
	for _, k := range recipe.DrawnKeys() {
		if k.Shown != nil && !k.Shown(&r) {
			s[k.Own()] = k.Field(&base).Get()
		}
	}
	return s
}

// valid reports what keeps the base from being trained with the settings.
func valid(base recipe.Recipe, s recipe.Setting) error {
	r, err := apply(base, s)
	if err != nil {
		return err
	}
	return r.Validate()
}

// with returns the settings with another value of a key. The values of keys that follow it
// (see [recipe.Draw]) keep their ratio to it.
func with(s recipe.Setting, k recipe.Key, v any) recipe.Setting {
	s = maps.Clone(s)
	own := k.Own()
	before := s.Number(own)
	s[own] = v
	if now := s.Number(own); now != before {
		for _, other := range recipe.DrawnKeys() {
			if name := other.Own(); other.Draw.Along == own {
				s[name] = numeric.Round(s.Number(name)*now/before, 3)
			}
		}
	}
	return s
}

// validate refuses values that occur twice, and each that the base cannot be
// trained with. The error is an *[recipe.Error].
func (sp Space) validate(base recipe.Recipe, classes bool) error {
	base = base.Candidates(math.MaxInt, classes)[0]
	s, err := settingsOf(base)
	if err != nil {
		return err
	}
	for _, k := range listed() {
		list := sp[k.Own()]
		fail := func(format string, a ...any) error {
			return &recipe.Error{Key: listName(k.Own()), Message: fmt.Sprintf(format, a...)}
		}
		for i, v := range list {
			if slices.ContainsFunc(list[:i], equals(v)) {
				return fail("%s is there twice", recipe.Text(v))
			}
			if err := validValue(base, s, k, v); err != nil {
				return fail("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
			}
		}
	}
	return nil
}

// validValue reports what keeps the base, whose settings are s, from being trained with
// another value of a key.
func validValue(base recipe.Recipe, s recipe.Setting, k recipe.Key, v any) error {
	if v == 0.0 && !k.Limits.Has(0) {
		return errors.New("0: must be above 0") // the optimizer would use its default
	}
	return valid(base, with(s, k, v))
}
