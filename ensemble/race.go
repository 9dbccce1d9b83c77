package ensemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/recipe"
	"golang.org/x/sync/errgroup"
)

// heldOutShare is the share of the training part that is held out in a split of a race.
const heldOutShare = 0.2

// raceStream separates the splits of a race from the other random streams of the
// same seed.
const raceStream = 0x72616365 // "race"

// candidate is a setting in a race.
type candidate struct {
	RaceScore
	recipe  recipe.Recipe    // with the setting
	jobs    []checkpoint.Job // its trainings, by split
	squares [][]float64      // errors, squared, on the held-out samples, by split so far
	alone   [][]float64      // those of the strongest rule read alone
	err     error            // its training diverged
}

// race trains the settings of a recipe on splits of the training part and scores them by
// their errors on the held-out samples. All settings use the same splits, see
// [data.Dataset.HoldOut]; a split whose training samples cannot be trained on, such as
// early ones without any value of a feature, is skipped. After each split, settings that
// are clearly behind the best one or have diverged leave the race, which ends when one is
// left. With a limit of fidelity (train.fidelity), settings beyond it rank after the others. The first recipe returned is that of the best setting; for a committee of K
// members, those of the other remaining settings follow, best first, up to K recipes. With
// a single setting, or fewer than three samples, the first one is chosen. Trainings run
// concurrently on all processors; the result does not depend on their order.
func race(ctx context.Context, train *data.Dataset, run Run, recorder *checkpoint.Recorder) ([]RaceScore, []recipe.Recipe, error) {
	r := run.Recipe
	all, err := candidatesOf(r, train.Len())
	if err != nil {
		return nil, nil, err
	}
	splits := train.HoldOut(r.Train.RaceSplits, heldOutShare, rand.New(rand.NewPCG(r.Train.Seed, raceStream)))
	if len(all) == 1 || splits == nil {
		scores, chosen := choose(all[:1], all[:1], r.Train.Members)
		return scores, chosen, nil
	}
	jobs, err := recorder.Jobs(len(all) * len(splits))
	if err != nil {
		return nil, nil, err
	}
	for k, c := range all {
		c.jobs = jobs[k*len(splits):][:len(splits)]
	}
	left := all
	done := progress(run.OnRace, len(jobs))
	for i := range splits {
		if err := raceOn(ctx, train, r, splits[i], i, left, recorder, done); err != nil {
			return nil, nil, err
		}
		before := len(left)
		if left = best(left, r.Train.Fidelity, data.HeldToTrain(splits)); len(left) == 0 {
			return nil, nil, fmt.Errorf("race: no setting could be trained: %w", all[0].err)
		}
		rest := len(splits) - i - 1
		if len(left) == 1 {
			done(before * rest)
			break
		}
		done((before - len(left)) * rest)
	}
	scores, chosen := choose(all, left, r.Train.Members)
	return scores, chosen, nil
}

// candidatesOf returns the candidates of a race on the given number of samples.
func candidatesOf(r recipe.Recipe, samples int) ([]*candidate, error) {
	var all []*candidate
	for _, s := range r.Settings() {
		if s.LeastSamples() > samples {
			continue
		}
		with, err := r.With(s)
		if err != nil {
			return nil, err
		}
		all = append(all, &candidate{RaceScore: RaceScore{Setting: s}, recipe: with})
	}
	return all, nil
}

// choose returns the scores of all candidates and the recipes of the first of those left:
// one, or as many as a committee has members.
func choose(all, left []*candidate, members int) ([]RaceScore, []recipe.Recipe) {
	var chosen []recipe.Recipe
	for _, c := range left[:min(max(1, members), len(left))] {
		c.Chosen = true
		chosen = append(chosen, c.recipe)
	}
	scores := make([]RaceScore, len(all))
	for i, c := range all {
		scores[i] = c.RaceScore
	}
	return scores, chosen
}

// raceOn trains the candidates on one split, the longest training first, with the
// preprocessing of r, which settings do not change.
func raceOn(ctx context.Context, train *data.Dataset, r recipe.Recipe, split data.Fold, i int, left []*candidate, recorder *checkpoint.Recorder, done func(int)) error {
	on, err := fit.Prepare(train.Subset(split.Train), r)
	if fault := new(data.Error); errors.As(err, &fault) {
		done(len(left))
		return nil
	}
	if err != nil {
		return fmt.Errorf("race: %w", err)
	}
	part, err := train.Subset(split.Held).Weighed()
	if err != nil {
		return fmt.Errorf("race: %w", err)
	}
	held := heldOut{part, errorUnit(train.Y)}
	order := slices.SortedStableFunc(slices.Values(left), func(a, b *candidate) int {
		return cmp.Compare(samplesSeen(b.recipe.Train, len(split.Train)), samplesSeen(a.recipe.Train, len(split.Train)))
	})
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, c := range order {
		group.Go(func() error {
			defer done(1)
			squares, alone, err := runJob(ctx, c.recipe, on, held, recorder, &c.jobs[i])
			if errors.Is(err, optim.ErrDiverged) {
				c.Failed, c.err = err.Error(), err
				return nil
			}
			if err != nil {
				return err
			}
			c.squares, c.alone = append(c.squares, squares), append(c.alone, alone)
			c.measure(held.unit)
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

// samplesSeen returns the number of samples in all updates of a training on N samples.
func samplesSeen(t recipe.Train, N int) int {
	if t.Batch == 0 {
		return t.Iterations * N
	}
	return t.Iterations * min(t.Batch, N)
}

// errorUnit returns the unit of errors whose second and fourth powers are summed: one, or
// the range of the targets y if the sums could overflow.
func errorUnit(y []float64) float64 {
	const far = 1e50
	if r := slices.Max(y) - slices.Min(y); r > far {
		return r
	}
	return 1
}

// progress reports zero of n trainings and returns a function that adds finished trainings
// and reports their number.
func progress(report func(done, n int), n int) func(more int) {
	var mu sync.Mutex
	sum := 0
	count := func(more int) {
		mu.Lock()
		defer mu.Unlock()
		if sum += more; report != nil {
			report(sum, n)
		}
	}
	count(0)
	return count
}
