package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/model"
)

// measured holds the fits of a trial by length and fold, nil where nothing was measured.
type measured [2][]*Fit

// measure trains the trials on the first folds and measures them, the longest trainings first.
func (s *search) measure(ctx context.Context, trials []*Trial, folds int, l length) error {
	type task struct{ trial, fold int }
	var tasks []task
	for _, t := range trials {
		if s.store != nil && len(t.Screened)+len(t.Fits) == 0 { // not measured before in this run
			if err := s.store.load(t, s.known[t.Number-1]); err != nil {
				return err
			}
		}
		for f := len(t.on(l)); f < folds; f++ {
			if s.known[t.Number-1][l][f] == nil {
				tasks = append(tasks, task{t.Number - 1, f})
			} else {
				s.count(t.Number)
			}
		}
	}
	slices.SortStableFunc(tasks, func(a, b task) int {
		return cmp.Compare(work(s.trials[b.trial].Settings, l), work(s.trials[a.trial].Settings, l))
	})
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.o.Workers)
	for _, t := range tasks {
		group.Go(func() error {
			r, err := apply(s.base, s.trials[t.trial].Settings)
			if err != nil {
				return err
			}
			if l == short {
				r.Train.Iterations = shortened(r.Train.Iterations)
			}
			one, err := fitOn(ctx, s.prepared[t.fold], r)
			if err != nil {
				return err
			}
			return s.keep(t.trial, t.fold, l, one)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	for _, t := range trials {
		s.extend(t, folds, l)
	}
	return nil
}

// extend gives a trial its measured fits on the first folds.
func (s *search) extend(t *Trial, folds int, l length) {
	all := t.on(l)
	for f := len(all); f < folds; f++ {
		all = append(all, *s.known[t.Number-1][l][f])
	}
	if l == short {
		t.Screened = all
		return
	}
	t.Fits = all
	t.sumUp(len(s.folds))
	if t.Finished && t.Failed() == "" && (s.progress.Best == 0 || t.RMSE < s.progress.Best) {
		s.progress.Best = t.RMSE
	}
}

// fitOn trains on one part of a fold and measures on the other. An error is returned only if
// ctx ended.
func fitOn(ctx context.Context, prepare func() (prepared, error), r tskgraph.Recipe) (Fit, error) {
	on, err := prepare()
	if err != nil {
		return Fit{Failed: err.Error()}, nil
	}
	result, err := fit.TrainOn(ctx, on.set, nil, fit.Job{Recipe: r})
	if ctx.Err() != nil {
		return Fit{}, ctx.Err()
	}
	if err != nil {
		return Fit{Failed: err.Error()}, nil
	}
	e, err := result.Model.Evaluate(on.held)
	if err != nil {
		return Fit{Failed: err.Error()}, nil
	}
	readability, err := model.MeasureReadability(result.Model, on.held, on.training)
	if err != nil {
		return Fit{Failed: err.Error()}, nil
	}
	return Fit{RMSE: e.RMSE, Readability: &readability}, nil
}

// keep stores a fit and reports it.
func (s *search) keep(trial, fold int, l length, one Fit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[trial][l][fold] = &one
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
