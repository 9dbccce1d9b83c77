package tune

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/digits"
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
		return with(s, k, digits.Round(from.Number(own)*s.Number(along)/from.Number(along), 3))
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
