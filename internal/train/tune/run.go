package tune

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// run measures what is missing: it screens the settings that the search starts from, then
// brackets of drawn ones, and trains the finalists for their whole length.
func (s *search) run(ctx context.Context) (stopped string, err error) {
	s.progress.All = planned(s.starts, s.o.Trials, s.o.Folds, len(s.folds), s.screening)
	timeLeft := func() bool { return s.o.Time == 0 || time.Since(s.o.Began) <= s.o.Time }
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

// screen screens trials by the rungs and drops the worse half after each. It ends at a rung that lacks fits if proceed
// returns false, and returns whether it came to the last one.
func (s *search) screen(ctx context.Context, trials []*Trial, proceed func() bool) (bool, error) {
	for _, folds := range rungs(s.o.Folds) {
		if more, err := s.measure(ctx, trials, folds, s.screening, proceed); !more || err != nil {
			return false, err
		}
		trials = betterHalf(trials, s.judge, s.screening)
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
		if settings := canonical(s.base, d.near(best)); !s.drawn[settings.String()] && valid(s.base, settings) == nil {
			s.add(settings)
		}
	}
	return s.trials[first:]
}

// add adds a trial with settings that no other has.
func (s *search) add(settings recipe.Setting) {
	s.drawn[canonical(s.base, settings).String()] = true
	s.trials = append(s.trials, &Trial{Number: len(s.trials) + 1, Settings: settings, Metric: s.progress.Metric})
}

// leaders returns up to n of the trials that were screened on all their folds and did not
// fail, the best first.
func (s *search) leaders(trials []*Trial, n int) []*Trial {
	good := slices.DeleteFunc(slices.Clone(trials), func(t *Trial) bool {
		return len(t.on(s.screening)) < s.o.Folds || t.Failed() != ""
	})
	slices.SortFunc(good, s.judge.compareBy(s.screening))
	return good[:min(n, len(good))]
}

// compareFinalists trains the leaders among the settings that the search started from, and
// among the drawn ones, for their whole length: all on a few folds, and the better one of
// each kind on the others, unless the drawn one is behind.
func (s *search) compareFinalists(ctx context.Context) error {
	starts, drawn := s.leaders(s.trials[:s.starts], finalists), s.leaders(s.trials[s.starts:], finalists)
	if _, err := s.measure(ctx, slices.Concat(starts, drawn), min(bothOn, len(s.folds)), whole, always); err != nil {
		return err
	}
	starts, drawn = s.first(starts), s.first(drawn)
	winners := slices.Concat(starts, drawn)
	if len(winners) == 2 && s.judge.compareBy(whole)(starts[0], drawn[0]) < 0 {
		winners = starts
	}
	_, err := s.measure(ctx, winners, len(s.folds), whole, always)
	return err
}

// first returns the best of trials with equally many whole trainings; none of none.
func (s *search) first(trials []*Trial) []*Trial {
	return slices.SortedFunc(slices.Values(trials), s.judge.compareBy(whole))[:min(1, len(trials))]
}

// decision is the outcome of the comparison of the finalists.
type decision struct {
	incumbent *Trial   // of the default; nil if it failed
	better    []*Trial // that may replace it, the best first
}

// decide compares the drawn finalists with the settings that the search started from: with
// the best one on the folds and, if a trial is better, with the one that the race chooses.
func (s *search) decide(ctx context.Context) (d decision, err error) {
	if starts := s.judge.finished(s.trials[:s.starts]); len(starts) > 0 {
		d.incumbent = starts[0]
	}
	d.better = s.judge.better(s.trials[s.starts:], d.incumbent)
	if len(d.better) == 0 || s.starts == 1 {
		return d, nil
	}
	chosen, err := s.raced(ctx)
	if err != nil {
		return d, err
	}
	if missing := len(s.folds) - len(chosen.Fits); missing > 0 {
		s.progress.All += missing
		if _, err := s.measure(ctx, []*Trial{chosen}, len(s.folds), whole, always); err != nil {
			return d, err
		}
	}
	if chosen.Failed() == "" {
		d.incumbent, d.better = chosen, s.judge.better(d.better, chosen)
	}
	return d, nil
}

// raced returns the trial of the setting that the race of the base chooses.
func (s *search) raced(ctx context.Context) (*Trial, error) {
	if _, ok := s.known[Task{}.Name()]; !ok {
		if err := s.carryOut(ctx, []Task{{}}); err != nil {
			return nil, err
		}
	}
	chosen := s.known[Task{}.Name()].Chosen
	i := slices.IndexFunc(s.trials[:s.starts], func(t *Trial) bool { return t.Settings.String() == chosen })
	if i < 0 {
		return nil, fmt.Errorf("tune: the race chose settings that no trial has: %s", chosen)
	}
	return s.trials[i], nil
}
