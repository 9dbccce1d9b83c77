package tune

import (
	"context"
	"slices"
	"time"
)

// run measures what is missing: it screens the settings that the search starts from, then
// brackets of drawn ones, and trains the finalists for their whole length.
func (s *search) run(ctx context.Context) (stopped string, err error) {
	began := time.Now()
	s.progress.All = s.planned()
	timeLeft := func() bool { return s.o.Time == 0 || time.Since(began) <= s.o.Time }
	always := func() bool { return true }
	more, err := s.screen(ctx, s.trials, always)
	for n := 0; err == nil && more && len(s.trials) < s.o.Trials; n++ {
		drawn := s.draw(min(bracket, s.o.Trials-len(s.trials)), n)
		if len(drawn) == 0 {
			break
		}
		proceed := always
		if n > 0 {
			proceed = timeLeft
		}
		more, err = s.screen(ctx, drawn, proceed)
	}
	if err != nil {
		return "", err
	}
	if stopped = StoppedCompleted; !more {
		stopped = StoppedTime
	}
	return stopped, s.compareFinalists(ctx)
}

// screen screens trials by the rungs and drops the worse half after each, as long as proceed
// returns true, which screen returns.
func (s *search) screen(ctx context.Context, trials []*Trial, proceed func() bool) (bool, error) {
	for _, folds := range rungs(s.o.Folds) {
		if !proceed() {
			return false, nil
		}
		if err := s.measure(ctx, trials, folds, s.screening); err != nil {
			return false, err
		}
		trials = s.betterHalf(trials)
	}
	return true, nil
}

// draw adds up to n trials near the best so far, for the bracket of a number from 0.
// They train models that no other trial does, and the base can be trained with them; where none are found
// the space is exhausted.
func (s *search) draw(n, bracket int) []*Trial {
	starts := settings(s.trials[:s.starts])
	best := settings(s.leaders(s.trials, parents))
	if len(best) == 0 {
		best = starts[:min(parents, len(starts))]
	}
	d := newDrawer(s.o.Space, starts, s.base.Train.Seed, bracket)
	first := len(s.trials)
	for range attempts * n {
		if len(s.trials) == first+n {
			break
		}
		if settings := d.near(best); !s.drawn[effective(s.base, settings)] && valid(s.base, settings) == nil {
			s.add(settings)
		}
	}
	return s.trials[first:]
}

// leaders returns up to n of the trials that were screened on all their folds and did not
// fail, the best first.
func (s *search) leaders(trials []*Trial, n int) []*Trial {
	good := slices.DeleteFunc(slices.Clone(trials), func(t *Trial) bool {
		return len(t.on(s.screening)) < s.o.Folds || t.Failed() != ""
	})
	slices.SortFunc(good, s.compareBy(s.screening))
	return good[:min(n, len(good))]
}

// compareFinalists trains the leaders among the settings that the search started from, and
// among the drawn ones, for their whole length: all on a few folds, and the better one of
// each kind on the others, unless the drawn one is behind.
func (s *search) compareFinalists(ctx context.Context) error {
	starts, drawn := s.leaders(s.trials[:s.starts], finalists), s.leaders(s.trials[s.starts:], finalists)
	if err := s.measure(ctx, slices.Concat(starts, drawn), min(bothOn, len(s.folds)), whole); err != nil {
		return err
	}
	starts, drawn = s.first(starts), s.first(drawn)
	winners := slices.Concat(starts, drawn)
	if len(winners) == 2 && s.compareBy(whole)(starts[0], drawn[0]) < 0 {
		winners = starts
	}
	return s.measure(ctx, winners, len(s.folds), whole)
}

// first returns the best of trials with equally many whole trainings; none of none.
func (s *search) first(trials []*Trial) []*Trial {
	return slices.SortedFunc(slices.Values(trials), s.compareBy(whole))[:min(1, len(trials))]
}
