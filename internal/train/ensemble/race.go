package ensemble

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// heldOutShare returns the share of n samples that is held out in a split of a race: 100
// samples, but from a tenth to a fifth. Settings that suit four fifths of the samples are
// penalised too strongly for all of them; fewer than 100 samples tell settings apart badly.
func heldOutShare(n int) float64 { return min(max(100/float64(n), 0.1), 0.2) }

// leastUpdates is the least number of updates of a training in a race, unless a setting has fewer: shorter ones
// do not tell settings apart.
const leastUpdates = 250

// updates returns the number of updates of a setting on split i of a race on some splits: all of its own on the last
// one, a quarter on the one before, an eighth on the others.
func updates(own, i, splits int) int {
	return max(own>>[]int{0, 2, 3}[min(splits-1-i, 2)], min(own, leastUpdates))
}

// raceStream separates the splits of a race from the other random streams of the
// same seed.
const raceStream = 0x72616365 // "race"

// racer runs a race: the settings of a recipe train on splits of the training part and are
// scored by their losses on the held-out samples. All settings use the same splits, see
// [data.Dataset.HoldOut], and the same share of their updates, see updates: early rounds sort out what is
// hopeless at little cost. A split whose training samples cannot be trained on, such as
// early ones without any value of a feature, is skipped. After each split, settings leave by
// the rule of [racer.keep], until one is left.
type racer struct {
	train    *data.Dataset
	recipe   recipe.Recipe
	splits   []data.Fold
	recorder *checkpoint.Recorder
	remote   *Remote // nil: trainings run here
	progress *progress
	leaders  leaders

	criterion model.Criterion // orders the settings

	all    []*candidate // in the order of the recipe
	left   []*candidate // still in the race; after a split, best first
	scored int          // splits so far, without those skipped
}

// raced is the outcome of a race.
type raced struct {
	scores []RaceScore // of all settings
	// of the best setting, see [preferSimple]; for a committee of K members, or a teacher that is one, then those of the other
	// remaining ones, best first, up to K
	chosen []recipe.Recipe
	leader *Leader // the latest; nil: none with a model
}

// race runs the race of the recipe. With a single setting, or fewer than three samples, the first one is chosen.
// If ctx ends the race, only the leader is returned with the error.
func (run Run) race(ctx context.Context, train *data.Dataset, recorder *checkpoint.Recorder) (raced, error) {
	t := run.Recipe.Train
	all, criterion, err := candidatesOf(run.Recipe, train)
	if err != nil {
		return raced{}, err
	}
	splits := splitsOf(run.Recipe, train)
	if len(all) == 1 || splits == nil {
		return choose(all[:1], all[:1], t), nil
	}
	r := &racer{train: train, recipe: run.Recipe, splits: splits, recorder: recorder, remote: run.Remote, criterion: criterion, all: all,
		left: all}
	r.leaders = leaders{report: run.OnLeader, fidelity: t.Fidelity, settings: len(all)}
	err = r.run(ctx, run.OnRace)
	if ctx.Err() != nil {
		return raced{leader: r.leaders.latest}, fmt.Errorf("interrupted in the race of settings: %w", ctx.Err())
	}
	if err != nil {
		return raced{}, fmt.Errorf("race: %w", err)
	}
	done := choose(all, r.left, t)
	done.leader = r.leaders.latest
	return done, nil
}

// run runs the race, which ends with the candidates left.
func (r *racer) run(ctx context.Context, report func(done, all int)) error {
	jobs, err := r.recorder.Jobs(len(r.all) * len(r.splits))
	if err != nil {
		return err
	}
	for k, c := range r.all {
		c.jobs = jobs[k*len(r.splits):][:len(r.splits)]
	}
	most := r.ahead(len(r.splits))
	r.progress = newProgress(report, most)
	for i := range r.splits {
		if err := r.trainOn(ctx, i); err != nil {
			return err
		}
		if r.keep(); len(r.left) == 0 {
			return fmt.Errorf("no setting could be trained: %w", r.all[0].err)
		}
		r.progress.advance(0, most-r.ahead(len(r.splits)-i-1))
		if len(r.left) == 1 {
			break
		}
	}
	preferSimple(r.left, r.recipe.Train.Fidelity)
	return nil
}

// ahead returns the largest number of trainings to come in some more splits.
func (r *racer) ahead(splits int) int {
	if len(r.left) == 1 {
		return 0
	}
	sum := 0
	for i := range splits {
		sum += min(len(r.left), r.most(r.scored+i))
	}
	return sum
}

// keep keeps the best candidates left, see best, at most as many as take part in the next
// split. Until a split could be trained on, all stay.
func (r *racer) keep() {
	if r.scored == 0 {
		return
	}
	r.left = best(r.left, r.recipe.Train.Fidelity, data.HeldToTrain(r.splits))
	r.left = r.left[:min(len(r.left), r.most(r.scored))]
}

// most returns the largest number of candidates that train on a split after some scored
// ones: after the first a fifth of all, rounded up, but at least three; later two. For a committee, or a
// teacher that is one, at least as many as it has members.
func (r *racer) most(scored int) int {
	n := len(r.all)
	switch scored {
	case 0:
	case 1:
		n = max(3, (n+4)/5)
	default:
		n = 2
	}
	return max(n, committeeSize(r.recipe.Train))
}

// choose returns the scores of all candidates and the recipes of the first of those left:
// one, or as many as a committee has members.
func choose(all, left []*candidate, t recipe.Train) (done raced) {
	for k, c := range left[:min(committeeSize(t), len(left))] {
		c.Chosen = k < max(1, t.Members)
		done.chosen = append(done.chosen, c.recipe)
	}
	for _, c := range all {
		done.scores = append(done.scores, c.RaceScore)
	}
	return done
}

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
		return cmp.Compare(b.recipe.Train.Draws(len(split.Train)), a.recipe.Train.Draws(len(split.Train)))
	})
	var group errgroup.Group
	group.SetLimit(r.workers())
	for _, c := range order {
		group.Go(func() error {
			defer r.progress.advance(1, 0)
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
	case job.Done:
		o.Job = *job
		return o, o.check(N, checkpoint.ErrCheckpoint)
	case r.remote != nil:
		if o, err = r.remote.Train(ctx, Trial{Setting: c.number, Split: i}); err == nil {
			err = o.check(N, errRemote)
		}
	default:
		o, err = part.trial(ctx, inRound(c.recipe, i, len(r.splits)), r.recorder.Slot(job))
	}
	if err == nil {
		r.recorder.Finish(job, o.Job)
	}
	return o, err
}

// errRemote is wrapped by the error about an outcome that is not of the race's samples.
var errRemote = errors.New("trial in another process")

// diverged is the error of a training that diverged, with its text.
type diverged string

func (e diverged) Error() string { return string(e) }
func (e diverged) Unwrap() error { return optim.ErrDiverged }

// workers returns the number of trainings at a time.
func (r *racer) workers() int {
	if r.remote != nil {
		return max(1, r.remote.Workers)
	}
	return runtime.GOMAXPROCS(0)
}

// progress counts the trainings of a race and reports their number.
type progress struct {
	report func(done, all int)

	mu        sync.Mutex
	done, all int
}

// newProgress returns a count of zero of all trainings and reports it, unless report is nil.
func newProgress(report func(done, all int), all int) *progress {
	if report == nil {
		report = func(int, int) {}
	}
	report(0, all)
	return &progress{report: report, all: all}
}

// advance counts finished trainings, and those that are not needed, up to a number of trainings at least.
func (p *progress) advance(finished, least int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if done := max(p.done+finished, least); done > p.done {
		p.done = done
		p.report(done, p.all)
	}
}
