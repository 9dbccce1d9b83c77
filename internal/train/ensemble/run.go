// Package ensemble runs several trainings of package fit: those of a race of settings and
// those of a committee of models, as the recipe requests.
package ensemble

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// Run is a recipe with the callbacks, checkpoints and additional data of a run. Its methods
// train, prune, and find the path of pruning.
type Run struct {
	Recipe recipe.Recipe

	// OnIteration, if not nil, is called after every iteration, one call at a time.
	// An error ends training. The members of a committee run concurrently; Metrics.Member
	// identifies them.
	OnIteration func(optim.Metrics) error

	// OnRace, if not nil, is called before a race and after each of its trainings with the
	// number of those that are done or no longer needed. Calls do not overlap.
	OnRace func(done, all int)

	// OnLeader, if not nil, is called after a training of the race whose setting is the best so
	// far, with provisional rules; in the search of a page with the best page so far, as setting 0 of 0,
	// whose model has no figures. Calls do not overlap.
	OnLeader func(Leader)

	// OnPage, if not nil, is called in the search of a page, when one of its stages begins and after each of the
	// parts of the stage. Calls do not overlap.
	OnPage func(stage string, done, all int)

	// Remote, if not nil, runs the trainings of the race in other processes, which make them by
	// [Run.Trials], or parts of the search of a page. The result has the same bits.
	Remote *Remote

	// OnCheckpoint, if not nil, receives checkpoints: when training starts, about every
	// CheckpointEvery (0: five seconds), when a stage (a training of the race, a member of
	// a committee, a round of pruning) is finished, when ctx ends training, and when rows
	// of a Whole cannot be read. Calls do not overlap. Training waits for the call to
	// return: write files in another goroutine, which may keep the checkpoint.
	OnCheckpoint    func(*checkpoint.Checkpoint)
	CheckpointEvery time.Duration

	// Resume, if not nil, is the checkpoint from which training continues. If its data,
	// its recipe, or the version, revision, kernel, processor architecture or Go version
	// of its program differ, the error is a *[checkpoint.ChangedError]; if it is damaged, the error
	// wraps [checkpoint.ErrCheckpoint]. GOAMD64 may differ: the bits of a training do not depend on
	// it.
	Resume *checkpoint.Checkpoint

	// Identity holds further dependencies of the result, such as the hash of a file, which
	// checkpoints record and compare. It replaces entries of the same name.
	Identity checkpoint.Identity

	// Start, if not nil, replaces the clusters of the initialiser: the Result.Start of a
	// training on the same samples with the same Model.Init, Model.Rules and Train.Seed.
	// It avoids computing the same clusters twice.
	Start *rules.Clusters

	// Watch are data sets that are measured after every WatchEvery-th iteration (0: every one) and the last, for
	// OnIteration, see Metrics.Watched. They do not affect training. A committee's are measured for each member.
	Watch      []fit.Watched
	WatchEvery int

	// Test, if not nil, is measured before and after each round of pruning, see
	// [checkpoint.Round]. It does not affect training. It must have the schema of the training part.
	Test *data.Dataset

	noPage string // why rules start from a tree, though the recipe trains a page; empty otherwise
}

// Result is a trained model or committee with the record of its training. For a committee,
// counts are sums over its members, and Stopped is the first that is not completed.
type Result struct {
	fit.Result
	Race    []RaceScore   // of the settings of the recipe; nil without a race
	Members []*fit.Result // of a committee, in their order; nil for a single model
	// what a teacher did; nil without one, or if the training part has too few samples to hold some out
	Teaching *Teaching
	Leader   *Leader // whose model it is, if training was interrupted in the race or soon after it; nil otherwise
}

// Train trains a model or committee on the training part, with the validation part or nil. The Result is nil
// only if training could not start.
func (r Run) Train(ctx context.Context, train, validation *data.Dataset) (*Result, error) {
	if err := r.weigh(&train, &validation); err != nil {
		return nil, err
	}
	used, err := r.Recipe.Resolve()
	if err == nil {
		err = fit.Check(used, train, validation)
	}
	if err == nil {
		err = r.checkCommittee(used)
	}
	if err != nil {
		return nil, err
	}
	recorder, err := checkpoint.NewRecorder(
		checkpoint.Options{OnCheckpoint: r.OnCheckpoint, Every: r.CheckpointEvery, Resume: r.Resume},
		func() (checkpoint.Identity, error) { return r.identity(train, validation) })
	if err != nil {
		return nil, err
	}
	recorder.Record()
	race := raced{chosen: []recipe.Recipe{used}}
	if len(r.Recipe.Train.Race) > 0 {
		race, err = r.race(ctx, train, recorder)
	}
	var result *Result
	if err == nil {
		result, err = r.train(ctx, train, validation, race.chosen, recorder)
	}
	if race.leader != nil && ctx.Err() != nil {
		leading, failed := race.leader.result(train, validation)
		if err = errors.Join(err, failed); failed == nil && (result == nil || figure(leading.Model) < figure(result.Model)) {
			result = leading
		}
	}
	if result != nil {
		result.Race = race.scores
		if r.noPage != "" {
			result.StartNotes = strings.TrimSuffix("no page, as "+r.noPage+": rules start from a tree; "+result.StartNotes, "; ")
		}
	}
	if err != nil && (ctx.Err() != nil || errors.As(err, new(*data.Error))) { // rows may be readable later
		recorder.Record()
	}
	return result, err
}

// train trains a model by the first candidate, or a committee whose members alternate
// between the candidates.
func (r Run) train(ctx context.Context, train, validation *data.Dataset, candidates []recipe.Recipe,
	recorder *checkpoint.Recorder) (*Result, error) {
	if r.Recipe.Train.Members > 1 {
		return r.trainCommittee(ctx, train, validation, candidates, recorder)
	}
	slots, err := recorder.Models(1)
	if err != nil {
		return nil, err
	}
	job := r.job(candidates[0])
	job.Slot = slots[0]
	var one *fit.Result
	var teaching *Teaching
	if r.Recipe.Train.Teacher == recipe.CommitteeTeacher {
		var set *fit.TrainingSet
		if set, teaching, err = r.teach(ctx, train, candidates); err == nil {
			one, err = fit.TrainOn(ctx, set, validation, job)
		}
	} else {
		one, err = fit.Train(ctx, train, validation, job)
	}
	if one == nil {
		return nil, err
	}
	return &Result{Result: *one, Teaching: teaching}, err
}

// job returns the job of a single training by a recipe.
func (r Run) job(used recipe.Recipe) fit.Job {
	j := fit.Job{Recipe: used, Start: r.Start, OnIteration: r.OnIteration, OnPage: r.OnPage,
		Watch: r.Watch, WatchEvery: r.WatchEvery, Test: r.Test}
	if r.Remote != nil {
		j.Peers = r.Remote.Peers
	}
	if r.OnLeader != nil {
		j.OnLeader = func(m *model.Model) { r.OnLeader(Leader{Model: m, Loss: math.NaN()}) }
	}
	return j
}

// identity returns the identity of the run.
func (r Run) identity(train, validation *data.Dataset) (checkpoint.Identity, error) {
	id, err := checkpoint.Of(r.Recipe, map[string]*data.Dataset{"training part": train, "validation part": validation, "test part": r.Test})
	if err != nil {
		return nil, err
	}
	if r.Start != nil {
		id.Add("start", r.Start)
	}
	maps.Copy(id, r.Identity)
	return id, nil
}

// Race runs the race of the recipe without the training that follows it. It returns the scores of the settings and
// the recipe of a single training with the chosen one. A page has no race, and no scores.
func (r Run) Race(ctx context.Context, train *data.Dataset) ([]RaceScore, recipe.Recipe, error) {
	var validation *data.Dataset
	if err := r.weigh(&train, &validation); err != nil {
		return nil, recipe.Recipe{}, err
	}
	if r.Recipe.Model.OnPage() {
		return nil, r.Recipe, nil
	}
	recorder, err := checkpoint.NewRecorder(checkpoint.Options{}, nil)
	if err != nil {
		return nil, recipe.Recipe{}, err
	}
	race, err := r.race(ctx, train, recorder)
	if err != nil {
		return nil, recipe.Recipe{}, err
	}
	chosen := race.scores[slices.IndexFunc(race.scores, func(s RaceScore) bool { return s.Chosen })]
	single, err := r.Recipe.With(chosen.Setting)
	return race.scores, single, err
}

// Trials prepares single trainings of the race for another process, which runs [Run.Train] with
// Run.Remote on the same training part and recipe. The callbacks are not called.
func (r Run) Trials(train *data.Dataset) (*Trials, error) {
	var validation *data.Dataset
	if err := r.weigh(&train, &validation); err != nil {
		return nil, err
	}
	return newTrials(train, r.Recipe)
}

// Join returns the committee of members that were trained apart, each with the recipe [Member], on rows of its own: at least two.
// The parts give it scales, and neighbours if the recipe has them; the run's callbacks are not called.
func (r Run) Join(train, validation *data.Dataset, members []*Result) (*Result, error) {
	if err := r.weigh(&train, &validation); err != nil {
		return nil, err
	}
	var all []*fit.Result
	for _, one := range members {
		all = append(all, &one.Result)
	}
	used, err := r.Recipe.Resolve()
	if err != nil {
		return nil, err
	}
	return join(context.Background(), used, train, validation, all)
}

// Prune prunes a saved model and refines it, see [fit.Prune]. It cannot be resumed.
func (r Run) Prune(ctx context.Context, m *model.Model, train, validation *data.Dataset) (*Result, error) {
	if err := r.refines(&train, &validation); err != nil {
		return nil, err
	}
	result, err := fit.Prune(ctx, m, train, validation, r.job(r.Recipe))
	if result == nil {
		return nil, err
	}
	return &Result{Result: *result}, err
}

// PrunePath removes one rule after the other from a saved model, see [fit.PrunePath]. It ignores Test and cannot be
// resumed.
func (r Run) PrunePath(ctx context.Context, m *model.Model, train, validation *data.Dataset, least int) (*fit.Path, error) {
	if err := r.refines(&train, &validation); err != nil {
		return nil, err
	}
	return fit.PrunePath(ctx, m, train, validation, r.job(r.Recipe), least)
}

// refines checks that the run has no checkpoints, which do not apply to pruning a saved
// model, and weighs the data.
func (r *Run) refines(train, validation **data.Dataset) error {
	if r.OnCheckpoint != nil || r.Resume != nil {
		return &recipe.Error{Key: "model.init",
			Message: "Run.OnCheckpoint and Run.Resume apply to Train only, as pruning a saved model cannot be resumed: leave them nil"}
	}
	return r.weigh(train, validation)
}

// weigh replaces the parts by weighed ones, see [data.Dataset.Weighed], and those of more than
// data.SampleRows samples by samples with a Whole, see [data.Dataset.Sampled], and the recipe by that
// for the training part, see [recipe.Recipe.For].
func (r *Run) weigh(train, validation **data.Dataset) error {
	type part struct {
		name string
		d    **data.Dataset
	}
	parts := []part{{"", train}, {"validation part: ", validation}}
	r.Watch = slices.Clone(r.Watch)
	for i := range r.Watch {
		parts = append(parts, part{fmt.Sprintf("watched part %s: ", escape.Quote(r.Watch[i].Name)), &r.Watch[i].Data})
	}
	done := map[*data.Dataset]*data.Dataset{nil: nil} // a part that is watched stays the same
	for _, part := range parts {
		weighed, known := done[*part.d]
		if !known && (*part.d).Len() > 0 {
			var err error
			if weighed, err = (*part.d).Weighed(); err == nil {
				weighed, err = weighed.Sampled(r.Recipe.Train.Seed).Weighed()
			}
			if err != nil {
				return fmt.Errorf("%s%w", part.name, err)
			}
			done[*part.d] = weighed
		}
		if weighed != nil {
			*part.d = weighed
		}
	}
	if *train != nil {
		r.Recipe, r.noPage = r.Recipe.For(*train)
	}
	return nil
}
