package tskgraph

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// memberStream separates the random streams of a committee, one per member, from
// the others drawn from the same seed.
const memberStream = 0x6d656d626572 // "member"

// trainCommittee learns Options.Train.Members models side by side, on all
// processors. Each has a seed of its own and a bag of its own, nine tenths of the
// training part drawn at random; they take turns among the options, if there are
// several, which differ by the setting of a race. A committee whose training was cut
// short holds the members that had begun; if that is but one, it is a single model.
func trainCommittee(ctx context.Context, train, validation *data.Dataset, options []Options, s *saver) (*Result, error) {
	o := options[0]
	if err := train.Validate(); err != nil {
		return nil, err
	}
	if o.Model.FromFile() {
		return nil, &OptionError{"train.members", "a committee cannot go on from a saved model: leave model.init at auto, or members at 1"}
	}
	if o.Start != nil || o.Watch != nil {
		return nil, &OptionError{"train.members", "Options.Start and Options.Watch are of one training, not of a committee's"}
	}
	places, err := s.models(o.Train.Members)
	if err != nil {
		return nil, err
	}
	results, errs := make([]*Result, o.Train.Members), make([]error, o.Train.Members)
	report := serialised(o.OnIteration)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := range results {
		group.Go(func() error {
			rng := rand.New(rand.NewPCG(o.Train.Seed, memberStream+uint64(k)))
			one := options[k%len(options)]
			one.Train.Members, one.Train.Seed, one.OnIteration = 1, rng.Uint64(), report(k+1)
			results[k], errs[k] = trainOne(ctx, bag(train, rng), validation, one, places[k])
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs, by member
	begun := make([]*Result, 0, len(results))
	var failed error
	for k, r := range results {
		if r == nil {
			return nil, errs[k]
		}
		if errs[k] != nil && failed == nil {
			failed = fmt.Errorf("member %d: %w", k+1, errs[k])
		}
		if r.Training.Iterations > 0 {
			begun = append(begun, r)
		}
	}
	switch len(begun) {
	case 0:
		return results[0], failed
	case 1:
		return begun[0], failed
	}
	result, err := o.join(train, validation, begun)
	if err != nil {
		return nil, err
	}
	return result, failed
}

// join makes a committee of trained members. Of the options it keeps those that
// the members share.
func (o Options) join(train, validation *data.Dataset, members []*Result) (*Result, error) {
	prep, err := model.Fit(train)
	if err != nil {
		return nil, err
	}
	facts, err := o.Settings()
	if err != nil {
		return nil, err
	}
	for _, r := range members {
		for key, value := range r.Model.Training.Options {
			if facts[key] != value && key != "train.seed" {
				delete(facts, key) // not common to the members
			}
		}
	}
	result := &Result{Members: members, Training: optim.Result{Stopped: optim.StoppedCompleted}}
	var models []*model.Model
	for _, r := range members {
		models = append(models, r.Model)
		result.Training.Iterations += r.Training.Iterations
		result.Training.Best += r.Training.Best
		result.Training.Skipped += r.Training.Skipped
		if result.Training.Stopped == optim.StoppedCompleted {
			result.Training.Stopped = r.Training.Stopped
		}
		if result.OddGrades == "" {
			result.OddGrades = r.OddGrades
		}
	}
	result.Model, err = model.NewCommittee(prep, models, model.Training{
		Samples: train.Len(), Iterations: result.Training.Best, Seed: o.Train.Seed, Engine: models[0].Training.Engine,
		Options: facts, Versions: versions(), Metrics: map[string]float64{},
	})
	if err != nil {
		return nil, err
	}
	return result, noteErrors(result.Model, train, validation)
}

// bagShare is the share of the training part in a member's bag. Seeds alone make
// members differ well; less data costs more than more variety brings, and a
// bootstrap sample costs most.
const bagShare = 0.9

// bag returns a random subset of a data set, in the same order.
func bag(d *data.Dataset, rng *rand.Rand) *data.Dataset {
	n := d.Len()
	rows := rng.Perm(n)[:int(math.Ceil(bagShare*float64(n)))]
	slices.Sort(rows)
	return d.Subset(rows)
}

// serialised returns the callbacks of a committee's members: they call report one
// at a time. Once it has returned an error, each gets the same.
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
