package tune

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// trialStream separates the random stream of the settings from the others drawn
// from the same seed; each bracket has a stream of its own, which is added to it.
const trialStream = 0x747269616c73 // "trials"

const (
	parents  = 3    // trials that others are drawn around
	attempts = 1000 // to draw settings that are new and can be trained
)

// drawer draws settings.
type drawer struct {
	space  Space
	starts []recipe.Setting // that the search started from
	rng    *rand.Rand
	moves  []recipe.Key // those with a list first; without inherited ones
}

func newDrawer(sp Space, starts []recipe.Setting, seed uint64, bracket int) *drawer {
	d := &drawer{space: sp, starts: starts, rng: rand.New(rand.NewPCG(seed, trialStream+uint64(bracket))), moves: listed()}
	for _, k := range recipe.DrawnKeys() {
		if !k.Draw.Listed() && !k.Draw.Inherited {
			d.moves = append(d.moves, k)
		}
	}
	return d
}

// near returns settings near one of the best so far, the best first: half of the time the
// best, else half of the time the next, and so on.
func (d *drawer) near(best []recipe.Setting) recipe.Setting {
	parent := 0
	for parent < len(best)-1 && d.rng.IntN(2) == 0 {
		parent++
	}
	s := best[parent]
	for _, i := range d.rng.Perm(len(d.moves)) {
		s = d.move(s, d.moves[i])
		if d.rng.IntN(2) == 0 {
			break
		}
	}
	return s
}

// move returns the settings with another value of a key: of its list, or of settings that
// the search started from.
func (d *drawer) move(s recipe.Setting, k recipe.Key) recipe.Setting {
	own := k.Own()
	if k.Draw.Listed() {
		return with(s, k, step(d.space[own], s[own], order(k), d.rng))
	}
	from := d.starts[d.rng.IntN(len(d.starts))]
	if along := k.Draw.Along; along != "" {
		return with(s, k, numeric.Round(from.Number(own)*s.Number(along)/from.Number(along), 3))
	}
	return with(s, k, from[own])
}

func settings(trials []*Trial) []recipe.Setting {
	var all []recipe.Setting
	for _, t := range trials {
		all = append(all, t.Settings)
	}
	return all
}

// order returns how the values of a key are ordered: numbers by size, others by their text.
func order(k recipe.Key) func(a, b any) int {
	size := func(value any) float64 {
		v, _ := recipe.Number(value)
		if k.Draw.ZeroIsAll {
			return allIfZero(v)
		}
		return v
	}
	return func(a, b any) int {
		return cmp.Or(cmp.Compare(size(a), size(b)), cmp.Compare(recipe.Text(a), recipe.Text(b)))
	}
}

// step returns a value of the list above or below v: the next one, half of the time
// the one after it, and so on. v need not be in the list; it is returned if nothing
// else is.
func step(list []any, v any, compare func(a, b any) int, rng *rand.Rand) any {
	sorted := slices.SortedFunc(slices.Values(list), compare)
	above := slices.DeleteFunc(slices.Clone(sorted), func(w any) bool { return compare(w, v) <= 0 })
	below := slices.DeleteFunc(sorted, func(w any) bool { return compare(w, v) >= 0 })
	slices.Reverse(below)
	way := above
	if len(above) == 0 || len(below) > 0 && rng.IntN(2) == 0 {
		way = below
	}
	for i, w := range way {
		if i == len(way)-1 || rng.IntN(2) == 0 {
			return w
		}
	}
	return v
}

// confine returns the recipe with values of the given lists, in each setting of its race for
// targets of classes or numbers, and the different settings that a search on so many samples starts
// from. Settings of the race that the lists make invalid are left out.
func confine(given Space, base recipe.Recipe, samples int, classes bool) (recipe.Recipe, []recipe.Setting, error) {
	race := base.Entrants(math.MaxInt, classes)
	base.Train.Race = nil
	if len(race) == 0 {
		settings, changed, err := confineOne(given, base)
		if err == nil {
			base, err = base.With(changed)
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
func confineOne(given Space, r recipe.Recipe) (settings, changed recipe.Setting, err error) {
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

const (
	bracket   = 8 // trials that are halved together
	finalists = 2 // of the settings that the search started from, and of the drawn ones
	bothOn    = 2 // folds on which the finalists of a kind are compared

	// shortShare is the share of the updates of a training that a short one makes.
	// docs/accuracy.md compares the ranks of settings by short and by whole trainings.
	shortShare = 0.125

	leastShort = 100 // updates of a short training at least
)

// rungs are the numbers of folds on which the trials of a bracket are screened before they
// are halved: 1, 2, 4, ... and all.
func rungs(folds int) []int {
	var r []int
	for n := 1; 2*n <= folds; n *= 2 {
		r = append(r, n)
	}
	return append(r, folds)
}

// shortens reports whether trials are screened by short trainings: if the learning rate
// falls to zero within any number of updates, so that a short training ends as a whole one.
func shortens(base recipe.Recipe) bool { return base.Train.Schedule == "cosine" }

// shortened returns the number of updates of a short training in place of a whole one.
func shortened(iterations int) int {
	return min(iterations, max(leastShort, int(math.Round(shortShare*float64(iterations)))))
}

// work returns the cost of a training: its updates times its rules.
func work(s recipe.Setting, l length) float64 {
	iterations := s.Number("iterations")
	if l == short {
		iterations = float64(shortened(int(iterations)))
	}
	return iterations * s.Number("rules")
}

// planned returns the number of fits of a search if no trial fails: so many trials, the first
// of them those that it starts from, screened on the folds of the first division by
// trainings of a length, and finalists on all.
func planned(starts, trials, division, all int, screening length) int {
	fits := screenings(starts, division)
	for first := starts; first < trials; first += bracket {
		fits += screenings(min(bracket, trials-first), division)
	}
	for _, kind := range []int{starts, trials - starts} {
		switch n := min(finalists, kind); {
		case n == 0:
		case screening == whole: // the finalists are trained on the first division
			fits += all - division
		default:
			fits += n*min(bothOn, all) + all - min(bothOn, all)
		}
	}
	return fits
}

// screenings returns the number of fits that screen so many trials together.
func screenings(trials, folds int) int {
	fits, before := 0, 0
	for _, n := range rungs(folds) {
		fits += trials * (n - before)
		trials, before = (trials+1)/2, n
	}
	return fits
}

// betterHalf returns the better half of trials screened by trainings of a length, rounded up,
// without those that failed.
func betterHalf(trials []*Trial, j judge, screening length) []*Trial {
	sorted := slices.SortedFunc(slices.Values(trials), j.compareBy(screening))[:(len(trials)+1)/2]
	return slices.DeleteFunc(sorted, func(t *Trial) bool { return failure(t.on(screening)) != "" })
}
