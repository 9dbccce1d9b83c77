package tune

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// confine returns the recipe with values of the given lists, in each setting of its race for
// targets of classes or numbers, and the different settings that a search on so many samples starts
// from. Settings of the race that the lists make invalid are left out.
func confine(given Space, base tskgraph.Recipe, samples int, classes bool) (tskgraph.Recipe, []recipe.Setting, error) {
	race := base.Entrants(math.MaxInt, classes)
	base.Train.Race = nil
	if len(race) == 0 {
		settings, changed, err := confineOne(given, base)
		if err == nil {
			err = put(&base, changed)
		}
		return base, []recipe.Setting{settings}, err
	}
	var starts []recipe.Setting
	var first error
	for _, s := range race {
		with, err := base.With(s)
		if err != nil {
			return base, nil, err
		}
		settings, changed, err := confineOne(given, with)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		s = maps.Clone(s)
		delete(s, recipe.Classes) // all that are left are for the target
		maps.Copy(s, changed)
		base.Train.Race = append(base.Train.Race, s)
		same := func(other recipe.Setting) bool { return other.String() == settings.String() }
		if s.LeastSamples() <= samples && !slices.ContainsFunc(starts, same) {
			starts = append(starts, settings)
		}
	}
	if len(starts) == 0 && first != nil {
		return base, nil, first
	}
	return base, starts, nil
}

// confineOne returns the settings of a recipe without a race within the given lists, and
// those that differ from the recipe's.
func confineOne(given Space, r tskgraph.Recipe) (settings, changed recipe.Setting, err error) {
	own, err := settingsOf(r)
	if err != nil {
		return nil, nil, err
	}
	settings, changed = given.hold(own), recipe.Setting{}
	for name, v := range settings {
		if own.Text(name) != recipe.Text(v) {
			changed[name] = v
		}
	}
	return settings, changed, valid(r, settings)
}
