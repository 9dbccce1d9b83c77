package tune

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/digits"
)

// trialStream separates the random stream of the settings from the others drawn
// from the same seed; each bracket has a stream of its own, which is added to it.
const trialStream = 0x747269616c73 // "trials"

const (
	parents  = 3    // trials that others are drawn around
	attempts = 1000 // to draw settings that are new and can be trained
)

// draw adds up to n trials near the best so far, for the bracket of a number from 0.
// Their settings are new, and the base can be trained with them; where none are found
// the space is exhausted.
func (s *search) draw(n, bracket int) []*Trial {
	rng := rand.New(rand.NewPCG(s.base.Train.Seed, trialStream+uint64(bracket)))
	around := s.leaders()
	first := len(s.trials)
	for range attempts * n {
		if len(s.trials) == first+n {
			break
		}
		parent := 0
		for parent < len(around)-1 && rng.IntN(2) == 0 {
			parent++
		}
		settings := s.near(around[parent], rng)
		if !s.drawn[settings] && s.o.Space.apply(s.base, settings).Validate() == nil {
			s.add(settings)
		}
	}
	return s.trials[first:]
}

// leaders returns the settings of the best trials so far, the best first; of those
// that it all started from as long as none succeeded on all folds.
func (s *search) leaders() []Settings {
	good := succeeded(s.trials)
	slices.SortFunc(good, byRMSE)
	if len(good) == 0 {
		good = s.trials[:s.starts]
	}
	var settings []Settings
	for _, t := range good[:min(parents, len(good))] {
		settings = append(settings, t.Settings)
	}
	return settings
}

// near returns the settings with one of them moved along its list, half of the time a
// second one, and so on. What has no list, the initialiser, the batch and the ratio of
// the learning rates, is taken from settings that the search started from.
func (s *search) near(to Settings, rng *rand.Rand) Settings {
	sp := s.o.Space
	start := func() Settings { return s.trials[rng.IntN(s.starts)].Settings }
	moves := []func(){
		func() { to.Rules = step(sp.Rules, to.Rules, cmp.Compare, rng) },
		func() { to.Membership = step(sp.shapes(), to.Membership, cmp.Compare, rng) },
		func() { to.Antecedents = step(sp.Antecedents, to.Antecedents, byLength, rng) },
		func() { to.DropRule = step(sp.DropRule, to.DropRule, cmp.Compare, rng) },
		func() { to.L2 = step(sp.L2, to.L2, cmp.Compare, rng) },
		func() { to.Uniform = step(sp.Uniform, to.Uniform, cmp.Compare, rng) },
		func() { to.Iterations = step(sp.Iterations, to.Iterations, cmp.Compare, rng) },
		func() { to.pace(step(sp.LearningRate, to.LearningRate, cmp.Compare, rng)) },
		func() { to.Init = start().Init },
		func() { to.Batch = start().Batch },
		func() {
			from := start()
			to.ConsequentRate = digits.Round(from.ConsequentRate*to.LearningRate/from.LearningRate, 3)
		},
	}
	for _, i := range rng.Perm(len(moves)) {
		moves[i]()
		if rng.IntN(2) == 0 {
			break
		}
	}
	return to
}

// step returns a value of the list above or below v: the next one, half of the time
// the one after it, and so on. v need not be in the list; it is returned if nothing
// else is.
func step[T any](list []T, v T, compare func(a, b T) int, rng *rand.Rand) T {
	sorted := slices.SortedFunc(slices.Values(list), compare)
	above := slices.DeleteFunc(slices.Clone(sorted), func(w T) bool { return compare(w, v) <= 0 })
	below := slices.DeleteFunc(sorted, func(w T) bool { return compare(w, v) >= 0 })
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
