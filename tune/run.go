package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/rules"
)

// run measures what is missing.
func (s *search) run(ctx context.Context) (stopped string, err error) {
	began := time.Now()
	s.progress.All = planned(s.o.Trials, s.starts, s.o.Folds, len(s.folds))
	if err := s.measure(ctx, s.trials, s.o.Folds); err != nil {
		return "", err
	}
	if err := s.measure(ctx, betterHalf(s.trials), len(s.folds)); err != nil {
		return "", err
	}
	for n := 0; len(s.trials) < s.o.Trials; n++ {
		alive := s.draw(min(bracket, s.o.Trials-len(s.trials)), n)
		if len(alive) == 0 {
			break
		}
		for _, folds := range rungs(len(s.folds)) {
			if s.o.Time > 0 && n > 0 && time.Since(began) > s.o.Time {
				return StoppedTime, nil
			}
			if err := s.measure(ctx, alive, folds); err != nil {
				return "", err
			}
			alive = betterHalf(alive)
		}
	}
	return StoppedCompleted, nil
}

// measure measures the trials on the first folds, side by side, the longest fits
// first.
func (s *search) measure(ctx context.Context, trials []*Trial, folds int) error {
	type task struct{ trial, fold int }
	var tasks []task
	for _, t := range trials {
		if s.store != nil && len(t.Fits) == 0 { // not measured before in this run
			if err := s.store.load(t, s.known[t.Number-1]); err != nil {
				return err
			}
		}
		for f := len(t.Fits); f < folds; f++ {
			if s.known[t.Number-1][f] == nil {
				tasks = append(tasks, task{t.Number - 1, f})
			} else {
				s.count(t.Number)
			}
		}
	}
	work := func(t task) float64 {
		of := s.trials[t.trial].Settings
		return of.Number("iterations") * of.Number("rules")
	}
	slices.SortStableFunc(tasks, func(a, b task) int { return cmp.Compare(work(b), work(a)) })
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.o.Workers)
	for _, t := range tasks {
		group.Go(func() error {
			settings := s.trials[t.trial].Settings
			at := startKeyOf(t.fold, settings)
			r, err := apply(s.base, settings)
			if err != nil {
				return err
			}
			s.mu.Lock()
			start := s.found[at]
			s.mu.Unlock()
			fit, start, err := fitOn(ctx, s.data, s.folds[t.fold], tskgraph.Run{Recipe: r, Start: start})
			if err != nil {
				return err
			}
			return s.keep(t.trial, t.fold, fit, at, start)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	for _, t := range trials {
		for f := len(t.Fits); f < folds; f++ {
			t.Fits = append(t.Fits, *s.known[t.Number-1][f])
		}
		t.sumUp(len(s.folds))
		if t.Finished && t.Failed() == "" && (s.progress.Best == 0 || t.RMSE < s.progress.Best) {
			s.progress.Best = t.RMSE
		}
	}
	return nil
}

// keep stores a fit and where its rules started, and reports it.
func (s *search) keep(trial, fold int, fit Fit, at startKey, start *rules.Clusters) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if start != nil {
		s.found[at] = start
	}
	s.known[trial][fold] = &fit
	if s.store != nil {
		if err := s.store.save(s.trials[trial], s.known[trial]); err != nil {
			return err
		}
	}
	s.count(trial + 1)
	return nil
}

// count counts a fit and reports it. No fit runs meanwhile, or the caller holds mu.
func (s *search) count(trial int) {
	s.progress.Fits++
	s.progress.Trials = max(s.progress.Trials, trial)
	if s.o.OnFit != nil {
		s.o.OnFit(s.progress)
	}
}

// draw adds up to n trials near the best so far, for the bracket of a number from 0.
// Their settings are new, and the base can be trained with them; where none are found
// the space is exhausted.
func (s *search) draw(n, bracket int) []*Trial {
	starts := settings(s.trials[:s.starts])
	best, d := leaders(s.trials, starts), newDrawer(s.o.Space, starts, s.base.Train.Seed, bracket)
	first := len(s.trials)
	for range attempts * n {
		if len(s.trials) == first+n {
			break
		}
		if settings := d.near(best); !s.drawn[settings.String()] && valid(s.base, settings) == nil {
			s.add(settings)
		}
	}
	return s.trials[first:]
}
