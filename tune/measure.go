package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
)

// measured holds the fits of a trial by length and fold, nil where nothing was measured.
type measured [2][]*Fit

// measurer trains and measures trials.
type measurer struct {
	base     tskgraph.Recipe            // of the trials
	prepared []func() (prepared, error) // by fold
	trials   []*Trial
	workers  int
	onFit    func(Progress) // may be nil
	store    *store         // nil: results are not kept

	mu       sync.Mutex // guards what follows, and onFit
	known    []measured // by trial
	progress Progress
}

// add adds a trial.
func (m *measurer) add(settings recipe.Setting) {
	m.trials = append(m.trials, &Trial{Number: len(m.trials) + 1, Settings: settings, Metric: m.progress.Metric})
	m.known = append(m.known, measured{make([]*Fit, len(m.prepared)), make([]*Fit, len(m.prepared))})
}

// measure trains the trials on the first folds and measures them, the longest trainings first.
func (m *measurer) measure(ctx context.Context, trials []*Trial, folds int, l length) error {
	type task struct{ trial, fold int }
	var tasks []task
	for _, t := range trials {
		if m.store != nil && len(t.Screened)+len(t.Fits) == 0 { // not measured before in this run
			if err := m.store.load(t, m.known[t.Number-1]); err != nil {
				return err
			}
		}
		for f := len(t.on(l)); f < folds; f++ {
			if m.known[t.Number-1][l][f] == nil {
				tasks = append(tasks, task{t.Number - 1, f})
			} else {
				m.count(t.Number)
			}
		}
	}
	slices.SortStableFunc(tasks, func(a, b task) int {
		return cmp.Compare(work(m.trials[b.trial].Settings, l), work(m.trials[a.trial].Settings, l))
	})
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(m.workers)
	for _, t := range tasks {
		group.Go(func() error {
			r, err := apply(m.base, m.trials[t.trial].Settings)
			if err != nil {
				return err
			}
			if l == short {
				r.Train.Iterations = shortened(r.Train.Iterations)
			}
			one, err := fitOn(ctx, m.prepared[t.fold], r)
			if err != nil {
				return err
			}
			return m.keep(t.trial, t.fold, l, one)
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	for _, t := range trials {
		m.extend(t, folds, l)
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

// fitOn trains on one part of a fold and measures on the other. An error is returned only if
// a context ended.
func fitOn(ctx context.Context, prepare func() (prepared, error), r tskgraph.Recipe) (Fit, error) {
	on, err := prepare()
	if err != nil {
		return failed(ctx, err)
	}
	result, err := fit.TrainOn(ctx, on.set, nil, fit.Job{Recipe: r})
	if err != nil {
		return failed(ctx, err)
	}
	e, err := result.Model.Evaluate(ctx, on.held)
	if err != nil {
		return failed(ctx, err)
	}
	readability, err := model.MeasureReadability(result.Model, on.held, on.training)
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

// keep stores a fit and reports it.
func (m *measurer) keep(trial, fold int, l length, one Fit) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known[trial][l][fold] = &one
	if m.store != nil {
		if err := m.store.save(m.trials[trial], m.known[trial]); err != nil {
			return err
		}
	}
	m.count(trial + 1)
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
