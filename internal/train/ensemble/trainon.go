package ensemble

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
)

// trainOn trains the candidates left on split i, concurrently on all processors or by the Remote,
// the longest training first.
func (r *racer) trainOn(ctx context.Context, i int) error {
	split := r.splits[i]
	part, err := prepareSplit(ctx, r.train, split, r.recipe)
	if part == nil || err != nil {
		return err // nil: the split is skipped
	}
	r.scored++
	order := slices.SortedStableFunc(slices.Values(r.left), func(a, b *candidate) int {
		return cmp.Compare(samplesSeen(b.recipe.Train, len(split.Train)), samplesSeen(a.recipe.Train, len(split.Train)))
	})
	var group errgroup.Group
	group.SetLimit(r.workers())
	for _, c := range order {
		group.Go(func() error {
			defer r.progress.add()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			o, err := r.runJob(ctx, c, i, part)
			if err != nil {
				return err
			}
			if o.Failed != "" {
				c.Failed, c.err = o.Failed, diverged(o.Failed)
				return nil
			}
			c.losses, c.alone = append(c.losses, o.Losses), append(c.alone, o.Alone)
			c.measure(r.criterion, part.unit)
			return r.leaders.add(ctx, c, i, part, o.Model)
		})
	}
	return group.Wait()
}

// runJob runs the trial of a candidate on split i, here or by the Remote, unless it is done, and
// records its outcome.
func (r *racer) runJob(ctx context.Context, c *candidate, i int, part *splitPart) (o Outcome, err error) {
	job := &c.jobs[i]
	N := part.held.Len()
	switch {
	case job.Failed != "":
		return Outcome{Failed: job.Failed}, nil
	case job.Done:
		o = Outcome{Losses: job.Losses, Alone: job.Alone}
		return o, o.check(N, checkpoint.ErrCheckpoint)
	case r.remote != nil:
		if o, err = r.remote.Train(ctx, Trial{Setting: c.number, Split: i}); err == nil {
			err = o.check(N, errRemote)
		}
	default:
		o, err = part.trial(ctx, c.recipe, r.recorder.Slot(job))
	}
	if err == nil {
		r.recorder.Finish(job, checkpoint.Job{Done: true, Losses: o.Losses, Alone: o.Alone, Failed: o.Failed})
	}
	return o, err
}

// errRemote is wrapped by the error about an outcome that is not of the race's samples.
var errRemote = errors.New("trial in another process")

// diverged is the error of a training that diverged, with its text.
type diverged string

func (e diverged) Error() string { return string(e) }
func (e diverged) Unwrap() error { return optim.ErrDiverged }

// samplesSeen returns the number of samples in all updates of a training on N samples.
func samplesSeen(t recipe.Train, N int) int {
	if t.Batch == 0 {
		return t.Iterations * N
	}
	return t.Iterations * min(t.Batch, N)
}

// workers returns the number of trainings at a time.
func (r *racer) workers() int {
	if r.remote != nil {
		return max(1, r.remote.Workers)
	}
	return runtime.GOMAXPROCS(0)
}
