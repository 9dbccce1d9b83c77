package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// always lets a step begin.
func always() bool { return true }

// measure trains the trials on the first folds and measures them, the longest trainings first. A step that lacks fits
// begins only if proceed returns true; measure returns whether the trials have all their fits.
func (s *search) measure(ctx context.Context, trials []*Trial, folds int, l length, proceed func() bool) (bool, error) {
	var missing []Task
	var found []int // the trials of the fits that are known
	for _, t := range trials {
		for f := len(t.on(l)); f < folds; f++ {
			task := t.task(f, l)
			switch m, ok := s.known[task.Name()]; {
			case !ok:
				missing = append(missing, task)
			case m.Task != task:
				return false, fmt.Errorf("tune: %s is not of this trial: delete it to repeat the trial", s.store.Path(resultFile(task)))
			default:
				found = append(found, t.Number)
			}
		}
	}
	if len(missing) > 0 && !proceed() {
		return false, nil
	}
	for _, trial := range found {
		s.count(trial)
	}
	slices.SortStableFunc(missing, func(a, b Task) int {
		return cmp.Compare(work(s.trials[b.Trial-1].Settings, l), work(s.trials[a.Trial-1].Settings, l))
	})
	if err := s.carryOut(ctx, missing); err != nil {
		return false, err
	}
	for _, t := range trials {
		s.extend(t, folds, l)
	}
	return true, nil
}

// extend gives a trial its measured fits on the first folds.
func (s *search) extend(t *Trial, folds int, l length) {
	all := t.on(l)
	for f := len(all); f < folds; f++ {
		all = append(all, *s.known[t.task(f, l).Name()].Fit)
	}
	if l == short {
		t.Screened = all
		return
	}
	t.Fits = all
	t.sumUp(len(s.folds))
	if t.Finished && t.Failed() == "" && (s.progress.Best == 0 || t.Loss < s.progress.Best) {
		s.progress.Best = t.Loss
	}
}

// keep keeps a result and reports it.
func (s *search) keep(m Measured) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[m.Name()] = m
	if err := s.store.save(m); err != nil {
		return err
	}
	if m.Trial > 0 {
		s.count(m.Trial)
	}
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

// carryOut makes the results of tasks, here or by [Options].Measure, and keeps them.
func (s *search) carryOut(ctx context.Context, tasks []Task) error {
	if s.o.Measure != nil && len(tasks) > 0 {
		return s.fetch(ctx, tasks)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.o.Workers)
	for _, t := range tasks {
		group.Go(func() error {
			var settings recipe.Setting
			if t.Trial > 0 {
				settings = s.trials[t.Trial-1].Settings
			}
			m, err := s.perform(ctx, t, settings)
			if err != nil {
				return fmt.Errorf("tune: %w", err)
			}
			return s.keep(m)
		})
	}
	return group.Wait()
}

// fetch has tasks carried out elsewhere.
func (s *search) fetch(ctx context.Context, tasks []Task) error {
	answers, err := s.o.Measure(ctx, tasks)
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	of := byName(answers)
	for _, t := range tasks {
		m := of[t.Name()]
		if m.Task != t || !m.Complete() {
			return fmt.Errorf("tune: the task %s has no result", t.Name())
		}
		if err := s.keep(m); err != nil {
			return err
		}
	}
	return nil
}

// perform carries out a task in this process: the race of the base, or a fit of a trial with the given settings.
func (s *search) perform(ctx context.Context, t Task, settings recipe.Setting) (Measured, error) {
	if t.Trial == 0 {
		_, chosen, err := ensemble.Run{Recipe: s.base}.Race(ctx, s.data)
		if err != nil {
			return Measured{}, err
		}
		of, err := settingsOf(chosen)
		return Measured{Task: t, Chosen: of.String()}, err
	}
	r, err := apply(s.base, settings)
	if err != nil {
		return Measured{}, err
	}
	if t.Short {
		r.Train.Iterations = shortened(r.Train.Iterations)
	}
	one, err := fitOn(ctx, s.prepared[t.Fold], r)
	return Measured{Task: t, Fit: &one}, err
}

// fitOn trains on one part of a fold and measures on the other. An error is returned only if
// a context ended.
func fitOn(ctx context.Context, prepare func() (prepared, error), r recipe.Recipe) (Fit, error) {
	on, err := prepare()
	if err != nil {
		return failed(ctx, err)
	}
	used, err := r.Resolve()
	if err != nil {
		return failed(ctx, err)
	}
	result, err := fit.TrainOn(ctx, on.set, nil, fit.Job{Recipe: used})
	if err != nil {
		return failed(ctx, err)
	}
	e, err := result.Model.Evaluate(ctx, on.held)
	if err != nil {
		return failed(ctx, err)
	}
	readability, err := model.MeasureReadability(ctx, result.Model, on.held, on.training)
	if err != nil {
		return failed(ctx, err)
	}
	if ctx.Err() != nil {
		return Fit{}, ctx.Err()
	}
	return Fit{Loss: e.Loss, Readability: &readability}, nil
}

// failed returns a fit that failed, or err if it is that of a context that ended: that of ctx, or that of the search,
// which ends a moment before the contexts derived from it.
func failed(ctx context.Context, err error) (Fit, error) {
	if ctx.Err() != nil {
		return Fit{}, ctx.Err()
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Fit{}, err
	}
	return Fit{Failed: err.Error()}, nil
}
