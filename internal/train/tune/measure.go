package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// measured holds the fits of a trial by length and fold, nil where nothing was measured.
type measured [2][]*Fit

// measurer trains and measures trials.
type measurer struct {
	base     recipe.Recipe              // of the trials
	prepared []func() (prepared, error) // by fold
	trials   []*Trial
	workers  int
	onFit    func(Progress) // may be nil
	store    *store         // nil: results are not kept

	elsewhere func(context.Context, []Task) ([]Measured, error) // [Options].Measure; nil: fits are made here

	mu       sync.Mutex // guards what follows, and onFit
	known    []measured // by trial
	progress Progress
}

// add adds a trial.
func (m *measurer) add(settings recipe.Setting) {
	m.trials = append(m.trials, &Trial{Number: len(m.trials) + 1, Settings: settings, Metric: m.progress.Metric})
	m.known = append(m.known, measured{make([]*Fit, len(m.prepared)), make([]*Fit, len(m.prepared))})
}

// always lets a step begin.
func always() bool { return true }

// measure trains the trials on the first folds and measures them, the longest trainings first. A step that lacks fits
// begins only if proceed returns true; measure returns whether the trials have all their fits.
func (m *measurer) measure(ctx context.Context, trials []*Trial, folds int, l length, proceed func() bool) (bool, error) {
	if err := m.recall(trials); err != nil {
		return false, err
	}
	var tasks []Task
	var found []int // the trials of the fits that are known
	for _, t := range trials {
		for f := len(t.on(l)); f < folds; f++ {
			if m.known[t.Number-1][l][f] == nil {
				tasks = append(tasks, Task{Trial: t.Number, Settings: t.Settings.String(), Fold: f, Short: l == short})
			} else {
				found = append(found, t.Number)
			}
		}
	}
	if len(tasks) > 0 && !proceed() {
		return false, nil
	}
	for _, trial := range found {
		m.count(trial)
	}
	slices.SortStableFunc(tasks, func(a, b Task) int {
		return cmp.Compare(work(m.trials[b.Trial-1].Settings, l), work(m.trials[a.Trial-1].Settings, l))
	})
	if err := m.carryOut(ctx, tasks); err != nil {
		return false, fmt.Errorf("tune: %w", err)
	}
	for _, t := range trials {
		m.extend(t, folds, l)
	}
	return true, nil
}

// recall loads the fits of trials that an earlier run measured.
func (m *measurer) recall(trials []*Trial) error {
	for _, t := range trials {
		if m.store != nil && len(t.Screened)+len(t.Fits) == 0 { // not measured before in this run
			if err := m.store.load(t, m.known[t.Number-1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// extend gives a trial its measured fits on the first folds.
func (m *measurer) extend(t *Trial, folds int, l length) {
	all := t.on(l)
	for f := len(all); f < folds; f++ {
		all = append(all, *m.known[t.Number-1][l][f])
	}
	if l == short {
		t.Screened = all
		return
	}
	t.Fits = all
	t.sumUp(len(m.prepared))
	if t.Finished && t.Failed() == "" && (m.progress.Best == 0 || t.Loss < m.progress.Best) {
		m.progress.Best = t.Loss
	}
}

// keep stores a fit and reports it.
func (m *measurer) keep(t Task, one Fit) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known[t.Trial-1]
	known[t.length()][t.Fold] = &one
	if m.store != nil {
		if err := m.store.save(m.trials[t.Trial-1], known); err != nil {
			return err
		}
	}
	m.count(t.Trial)
	return nil
}

// count counts a fit and reports it. No fit runs meanwhile, or the caller holds mu.
func (m *measurer) count(trial int) {
	m.progress.Fits++
	m.progress.Trials = max(m.progress.Trials, trial)
	if m.onFit != nil {
		m.onFit(m.progress)
	}
}

// carryOut makes the fits of tasks, here or where elsewhere makes them.
func (m *measurer) carryOut(ctx context.Context, tasks []Task) error {
	if m.elsewhere != nil {
		return m.fetch(ctx, tasks)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(m.workers)
	for _, t := range tasks {
		group.Go(func() error {
			one, err := m.fit(ctx, t, m.trials[t.Trial-1].Settings)
			if err != nil {
				return err
			}
			return m.keep(t, one)
		})
	}
	return group.Wait()
}

// fit carries out one task, of a trial with the given settings.
func (m *measurer) fit(ctx context.Context, t Task, s recipe.Setting) (Fit, error) {
	r, err := apply(m.base, s)
	if err != nil {
		return Fit{}, err
	}
	if t.Short {
		r.Train.Iterations = shortened(r.Train.Iterations)
	}
	return fitOn(ctx, m.prepared[t.Fold], r)
}

// fetch has the fits of tasks made elsewhere, and keeps them.
func (m *measurer) fetch(ctx context.Context, tasks []Task) error {
	answers, err := answersTo(ctx, m.elsewhere, tasks)
	if err != nil {
		return err
	}
	for _, a := range answers {
		if err := m.keep(a.Task, *a.Fit); err != nil {
			return err
		}
	}
	return nil
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
