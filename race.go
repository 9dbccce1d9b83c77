package tskgraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/optim"
)

// RaceScore is what became of a setting.
type RaceScore struct {
	Setting
	RMSE   float64 `json:"rmse"`             // over the parts that were held out, together, in the target's unit
	Splits int     `json:"splits"`           // of the training part that it was trained on: fewer than train.race_splits if it fell behind
	Chosen bool    `json:"chosen,omitempty"` // it trains the model, or members of the committee
	Failed string  `json:"failed,omitempty"` // why it has no score: its training diverged
}

// heldOut is the share of the training part that is held out in a split of a race.
const heldOut = 0.2

// raceStream separates the splits of a race from the other random streams of the
// same seed.
const raceStream = 0x72616365 // "race"

// runner is a setting in a race.
type runner struct {
	RaceScore
	jobs    []raceJob   // its trainings, by split
	squares [][]float64 // errors, squared, on the samples held out, by split so far
	err     error       // its training diverged
}

// race trains settings on splits of the training part and scores them by the errors
// on what was held out. The splits are the same for all settings: see
// [data.Dataset.HoldOut]; one whose training samples cannot be trained on, such as early
// ones without a value of some feature, is passed over.
// After each of them a setting leaves that is clearly behind the best one; when only
// one is left, the race is over. The options returned are those with the best setting;
// for a committee of K members they are followed by those with the other settings that
// are left, the best first, K at most. Without another setting, or with fewer than three
// samples, the first one is chosen. Trainings run side by side, as many as there are
// processors; which of them runs where changes nothing. A setting whose training
// diverges leaves, too.
func (o Options) race(ctx context.Context, train *data.Dataset, s *saver) ([]RaceScore, []Options, error) {
	var all []*runner
	for _, s := range o.Train.Race {
		if s.LeastSamples <= train.Len() {
			all = append(all, &runner{RaceScore: RaceScore{Setting: s}})
		}
	}
	splits := train.HoldOut(o.Train.RaceSplits, heldOut, rand.New(rand.NewPCG(o.Train.Seed, raceStream)))
	if len(all) == 1 || splits == nil {
		scores, with := o.choose(all[:1], all[:1])
		return scores, with, nil
	}
	jobs, err := s.race(len(all) * len(splits))
	if err != nil {
		return nil, nil, err
	}
	for k, r := range all {
		r.jobs = jobs[k*len(splits):][:len(splits)]
	}
	left := all
	done := progress(o.OnRace, len(jobs))
	for i := range splits {
		if err := o.raceOn(ctx, train, splits[i], i, left, s, done); err != nil {
			return nil, nil, err
		}
		before := len(left)
		if left = best(left, data.HeldToTrain(splits)); len(left) == 0 {
			return nil, nil, fmt.Errorf("race: no setting could be trained: %w", all[0].err)
		}
		rest := len(splits) - i - 1
		if len(left) == 1 {
			done(before * rest)
			break
		}
		done((before - len(left)) * rest)
	}
	scores, with := o.choose(all, left)
	return scores, with, nil
}

// choose takes the first of those that are left, for a committee as many as it has
// members.
func (o Options) choose(all, left []*runner) ([]RaceScore, []Options) {
	var with []Options
	for _, r := range left[:min(max(1, o.Train.Members), len(left))] {
		r.Chosen = true
		with = append(with, r.options(o))
	}
	scores := make([]RaceScore, len(all))
	for i, r := range all {
		scores[i] = r.RaceScore
	}
	return scores, with
}

// raceOn trains the settings on one split, the longest training first.
func (o Options) raceOn(ctx context.Context, train *data.Dataset, split data.Fold, i int, left []*runner, s *saver, done func(int)) error {
	on, err := o.prepare(train.Subset(split.Train))
	if fault := new(data.Error); errors.As(err, &fault) {
		done(len(left))
		return nil
	}
	if err != nil {
		return fmt.Errorf("race: %w", err)
	}
	held, err := train.Subset(split.Held).Weighed()
	if err != nil {
		return fmt.Errorf("race: %w", err)
	}
	unit := errorUnit(train.Y)
	order := slices.SortedStableFunc(slices.Values(left), func(a, b *runner) int {
		return cmp.Compare(b.options(o).samplesSeen(len(split.Train)), a.options(o).samplesSeen(len(split.Train)))
	})
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, r := range order {
		group.Go(func() error {
			defer done(1)
			squares, err := r.options(o).runJob(ctx, on, held, unit, s, &r.jobs[i])
			if errors.Is(err, optim.ErrDiverged) {
				r.Failed, r.err = err.Error(), err
				return nil
			}
			if err != nil {
				return err
			}
			r.squares = append(r.squares, squares)
			r.RMSE = unit * math.Sqrt(stat.Mean(slices.Concat(r.squares...), nil))
			r.Splits++
			return nil
		})
	}
	err = group.Wait()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted in the race of settings: %w", ctx.Err())
	}
	if err != nil {
		return fmt.Errorf("race: %w", err)
	}
	return nil
}

// samplesSeen is the length of a training.
func (o Options) samplesSeen(N int) int {
	if o.Train.Batch == 0 {
		return o.Train.Iterations * N
	}
	return o.Train.Iterations * min(o.Train.Batch, N)
}

// runJob makes one training of the race, unless it is done, and returns the squared
// errors on the part that was held out, in a unit, times the weights, whose mean is one.
func (o Options) runJob(ctx context.Context, on *prepared, held *data.Dataset, unit float64, s *saver, job *raceJob) ([]float64, error) {
	switch {
	case job.Failed != "":
		return nil, divergedBefore(job.Failed)
	case job.Done && len(job.Squares) != held.Len():
		return nil, fmt.Errorf("%w: %d errors on %d samples that were held out", ErrCheckpoint, len(job.Squares), held.Len())
	case job.Done:
		return job.Squares, nil
	}
	squares, err := o.heldOutErrors(ctx, on, held, unit, s.place(&job.Training))
	switch {
	case err == nil:
		s.finish(job, raceJob{Done: true, Squares: squares})
	case errors.Is(err, optim.ErrDiverged):
		s.finish(job, raceJob{Done: true, Failed: err.Error()})
	}
	return squares, err
}

// divergedBefore is the error of a training that diverged before the checkpoint.
type divergedBefore string

func (e divergedBefore) Error() string { return string(e) }
func (e divergedBefore) Unwrap() error { return optim.ErrDiverged }

// errorUnit is the unit of the errors whose squares, and squares of these, are summed: one, or the range of the targets y
// where they could overflow.
func errorUnit(y []float64) float64 {
	const far = 1e50
	if r := slices.Max(y) - slices.Min(y); r > far {
		return r
	}
	return 1
}

// heldOutErrors returns the squared errors on the part that was held out, in a unit, weighted.
func (o Options) heldOutErrors(ctx context.Context, on *prepared, held *data.Dataset, unit float64, at *place) ([]float64, error) {
	o.Train.Patience, o.Train.Members, o.OnIteration, o.Watch, o.Test, o.Start = 0, 1, nil, nil, nil, nil
	chosen, err := o.check(on.train, nil)
	if err != nil {
		return nil, err
	}
	r, err := o.trainOn(ctx, on, nil, chosen, at)
	if err != nil {
		return nil, err
	}
	p, err := r.Model.Predict(held.X)
	if err != nil {
		return nil, err
	}
	for n, y := range held.Y {
		e := (p.Values[n] - y) / unit
		p.Values[n] = weighted.At(held.Weights, n) * (e * e)
	}
	return p.Values, nil
}

// progress returns a function that counts and tells how many of n are done, none at
// first.
func progress(tell func(done, n int), n int) func(more int) {
	var mu sync.Mutex
	sum := 0
	count := func(more int) {
		mu.Lock()
		defer mu.Unlock()
		if sum += more; tell != nil {
			tell(sum, n)
		}
	}
	count(0)
	return count
}
