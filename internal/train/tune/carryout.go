package tune

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

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
func fitOn(ctx context.Context, prepare func() (prepared, error), r tskgraph.Recipe) (Fit, error) {
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
