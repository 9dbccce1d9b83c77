package tune

import (
	"maps"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// settingsOf returns the point that a recipe stands for.
func settingsOf(r tskgraph.Recipe) (recipe.Setting, error) {
	used, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	r.Train.Solver = used.Train.Solver // zeros stand for the optimizer's defaults
	s := recipe.Setting{}
	for _, k := range recipe.DrawnKeys() {
		s[k.Own()] = k.Value(&r)
	}
	return s, nil
}

// apply returns the base with the settings of a trial. The trial is a single model
// of a given length, which finds its own start: no committee, no race, and no
// validation part that could end it.
func apply(base tskgraph.Recipe, s recipe.Setting) (tskgraph.Recipe, error) {
	base.Train.Members, base.Train.Patience, base.Train.Race = 1, 0, nil
	return base, put(&base, s)
}

// put sets the values of settings in a recipe.
func put(r *tskgraph.Recipe, s recipe.Setting) error {
	for _, k := range recipe.DrawnKeys() {
		if v, ok := s[k.Own()]; ok {
			if err := k.Put(r, v); err != nil {
				return &tskgraph.RecipeError{Key: k.Name, Message: err.Error()}
			}
		}
	}
	return nil
}

// canonical returns the settings with the base's values of keys without effect, such as the
// penalty of curves without curves: equal for settings that train the same model.
func canonical(base tskgraph.Recipe, s recipe.Setting) recipe.Setting {
	r, err := apply(base, s)
	if err != nil {
		return s
	}
	s = maps.Clone(s)
	for _, k := range recipe.DrawnKeys() {
		if k.Shown != nil && !k.Shown(&r) {
			s[k.Own()] = k.Value(&base)
		}
	}
	return s
}

// valid reports what keeps the base from being trained with the settings.
func valid(base tskgraph.Recipe, s recipe.Setting) error {
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
				s[name] = digits.Round(s.Number(name)*now/before, 3)
			}
		}
	}
	return s
}
