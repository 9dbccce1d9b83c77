package ensemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// memberStream separates the random streams of a committee, one per member, from the other
// random streams of the same seed.
const memberStream = 0x6d656d626572 // "member"

// checkCommittee checks, before the race, that the run can train the committee of a resolved recipe, if it has one.
func (run Run) checkCommittee(r recipe.Recipe) error {
	switch {
	case r.Train.Teacher == recipe.CommitteeTeacher && r.Model.FromFile():
		return &recipe.Error{Key: "train.teacher", With: []string{"model.init"},
			Message: "committee: training continues from a saved model, which has no teacher: set it to none"}
	case r.Train.Members < 2:
		return nil
	case r.Model.FromFile():
		return &recipe.Error{Key: "train.members", With: []string{"model.init"},
			Message: "a committee cannot continue from a saved model: leave model.init at auto, or members at 1"}
	case run.Start != nil:
		return &recipe.Error{Key: "train.members", Message: "Run.Start applies to a single model, not to a committee"}
	}
	return nil
}

// trainCommittee trains Train.Members models concurrently on all processors. Each has its
// own seed and its own bag, nine tenths of the training part drawn at random; member k
// trains by candidate k modulo their number, which differ by the setting of a race. A
// committee that was interrupted consists of the members that had started; a single one is
// returned as a single model.
func (run Run) trainCommittee(ctx context.Context, train, validation *data.Dataset, candidates []recipe.Recipe,
	recorder *checkpoint.Recorder) (*Result, error) {
	r := candidates[0]
	slots, err := recorder.Models(r.Train.Members)
	if err != nil {
		return nil, err
	}
	results, errs := make([]*fit.Result, r.Train.Members), make([]error, r.Train.Members)
	report := serialised(run.OnIteration)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := range results {
		group.Go(func() error {
			r, rng := member(candidates[k%len(candidates)], k)
			one := run.job(r)
			one.Slot, one.OnIteration = slots[k], report(k+1)
			part, err := bag(train, rng)
			if errs[k] = err; err == nil {
				results[k], errs[k] = fit.Train(ctx, part, validation, one)
			}
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs, by member
	begun, failed, err := started(ctx, results, errs)
	if err != nil {
		return nil, err
	}
	switch len(begun) {
	case 0:
		if results[0] == nil {
			return nil, failed
		}
		return &Result{Result: *results[0]}, failed
	case 1:
		err := fit.Finish(ctx, begun[0].Model, r, train, validation)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		return &Result{Result: *begun[0]}, cmp.Or(failed, err)
	}
	result, err := join(ctx, r, train, validation, begun)
	if result == nil {
		return nil, err
	}
	return result, cmp.Or(failed, err)
}

// Member returns the recipe of member k, from 0, of a committee: that of a single model, with a seed of its own.
func Member(r recipe.Recipe, k int) recipe.Recipe {
	r, _ = member(r, k)
	return r
}

// member returns the recipe of a member and its random stream.
func member(r recipe.Recipe, k int) (recipe.Recipe, *rand.Rand) {
	rng := rand.New(rand.NewPCG(r.Train.Seed, memberStream+uint64(k)))
	r.Train.Members, r.Train.Seed = 1, rng.Uint64()
	r.Model.Neighbours = recipe.NoNeighbours // the committee has them
	return r, rng
}

// started returns the members that made iterations or are pages, and the first error of a member. A member that
// could not start, unless ctx ended before, is an error.
func started(ctx context.Context, results []*fit.Result, errs []error) (begun []*fit.Result, failed, err error) {
	for k, one := range results {
		if one == nil && (ctx.Err() == nil || !errors.Is(errs[k], ctx.Err())) {
			return nil, nil, errs[k]
		}
		if errs[k] != nil && failed == nil {
			failed = fmt.Errorf("member %d: %w", k+1, errs[k])
		}
		if one != nil && (one.Training.Iterations > 0 || one.Model.Pages != nil) {
			begun = append(begun, one)
		}
	}
	return begun, failed, nil
}

// join returns the committee of trained members, at least two, by the resolved recipe of the committee. It keeps the
// values of the recipe that all members share. If ctx ends, the result is as [fit.Finish] leaves it, with its error.
func join(ctx context.Context, r recipe.Recipe, train, validation *data.Dataset, members []*fit.Result) (*Result, error) {
	prep, err := fit.Preprocess(context.WithoutCancel(ctx), train, r)
	if err != nil {
		return nil, err
	}
	if r.Model.Neighbours == recipe.AutoNeighbours { // they correct the mean of limited predictions
		if err := prep.Limit(float64(r.Model.Margin), (*[2]float64)(r.Model.Range)); err != nil {
			return nil, err
		}
	}
	values := r.Values()
	for _, one := range members {
		for key, value := range one.Model.Training.Options {
			if values[key] != value && key != "train.seed" {
				delete(values, key) // not common to the members
			}
		}
	}
	result := &Result{Members: members}
	result.Training.Stopped = optim.StoppedCompleted
	var models []*model.Model
	for _, one := range members {
		models = append(models, one.Model)
		result.Training.Iterations += one.Training.Iterations
		result.Training.Best += one.Training.Best
		result.Training.Skipped += one.Training.Skipped
		if result.Training.Stopped == optim.StoppedCompleted {
			result.Training.Stopped = one.Training.Stopped
		}
		if result.OddGrades == "" {
			result.OddGrades = one.OddGrades
		}
	}
	made := model.Training{
		Iterations: result.Training.Best, Seed: r.Train.Seed, Engine: models[0].Training.Engine,
		Options: values, Versions: buildinfo.Versions(), Metrics: map[string]float64{},
	}
	made.SetSamples(train)
	result.Model, err = model.NewCommittee(prep, models, made)
	if err != nil {
		return nil, err
	}
	if err = fit.Finish(ctx, result.Model, r, train, validation); err != nil && ctx.Err() == nil {
		return nil, err
	}
	return result, err
}

// committeeSize returns the number of members of the committee that is trained, or teaches; 1 if there is none.
func committeeSize(t recipe.Train) int {
	if t.Teacher == recipe.CommitteeTeacher {
		return teachers
	}
	return max(1, t.Members)
}

// bagShare is the share of the training part in a member's bag. Different seeds alone give
// diverse members; smaller bags cost more accuracy than their diversity gains, and
// bootstrap samples cost most.
const bagShare = 0.9

// bag returns a random subset of a data set, weighed again, in the same order and with the shares of its classes. If
// the data set is the sample of a Whole, so is the subset: then the members differ by the order in
// which they draw its rows, and most never draw them all.
func bag(d *data.Dataset, rng *rand.Rand) (*data.Dataset, error) {
	b := d.Subset(data.Draw(d, int(math.Ceil(bagShare*float64(d.Len()))), rng))
	b.Whole = d.Whole
	return b.Weighed()
}

// serialised returns callbacks for the members of a committee that call report one at a
// time. After report has returned an error, all of them return it.
func serialised(report func(optim.Metrics) error) func(member int) func(optim.Metrics) error {
	var mu sync.Mutex
	var failed error
	return func(member int) func(optim.Metrics) error {
		if report == nil {
			return nil
		}
		return func(m optim.Metrics) error {
			mu.Lock()
			defer mu.Unlock()
			if failed == nil {
				m.Member = member
				failed = report(m)
			}
			return failed
		}
	}
}
