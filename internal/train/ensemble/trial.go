package ensemble

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Trial is one training of a race. It counts the settings in the order of [recipe.Recipe.Entrants],
// and the splits in the order of the race, from 0.
type Trial struct{ Setting, Split int }

// Remote runs the trials of a race, or parts of the search of a page, outside this process, see [Trials] and [pages.Peer].
type Remote struct {
	Workers int // trials at a time
	Train   func(ctx context.Context, t Trial) (Outcome, error)
	Peers   *pages.Peers
}

// Trials runs single trials of a race for the process that runs the race. The outcomes have the
// bits of a race in one process. Use it from one goroutine at a time.
type Trials struct {
	train      *data.Dataset
	recipe     recipe.Recipe
	candidates []*candidate
	splits     []data.Fold

	at   int // the split that is prepared; -1: none
	part *splitPart
}

// newTrials prepares the trials of a recipe on a weighed training part. It returns an error if
// the recipe has no race on that part. Those of a page, which has no race, run none.
func newTrials(train *data.Dataset, r recipe.Recipe) (*Trials, error) {
	if r.Model.OnPage() {
		return &Trials{at: -1}, nil
	}
	candidates, _, err := candidatesOf(r, train)
	if err != nil {
		return nil, err
	}
	splits := splitsOf(r, train)
	if len(candidates) < 2 || splits == nil {
		return nil, fmt.Errorf("no race of %d settings on %d samples", len(candidates), train.Len())
	}
	return &Trials{train: train, recipe: r, candidates: candidates, splits: splits, at: -1}, nil
}

// Train runs a trial. A training that diverged is no error, see [Outcome].
func (t *Trials) Train(ctx context.Context, trial Trial) (Outcome, error) {
	if k, i := trial.Setting, trial.Split; k < 0 || k >= len(t.candidates) || i < 0 || i >= len(t.splits) {
		return Outcome{}, fmt.Errorf("no trial of setting %d on split %d: there are %d settings and %d splits", k, i, len(t.candidates),
			len(t.splits))
	}
	if trial.Split != t.at {
		t.part, t.at = nil, -1 // frees memory first
		part, err := prepareSplit(ctx, t.train, t.splits[trial.Split], t.recipe)
		if err != nil {
			return Outcome{}, err
		}
		if part == nil {
			return Outcome{}, fmt.Errorf("split %d of the race cannot be trained on", trial.Split)
		}
		t.part, t.at = part, trial.Split
	}
	o, err := t.part.trial(ctx, inRound(t.candidates[trial.Setting].recipe, trial.Split, len(t.splits)), nil)
	if err == nil && o.Model != nil { // saved with it
		o.Model, err = t.part.on.Summarised(ctx, o.Model)
	}
	return o, err
}

// Outcome is the result of a trial.
type Outcome struct {
	checkpoint.Job              // without the state of the training
	Model          *model.Model // nil from a checkpoint; of another process, with summaries of its rules on the training samples
}

// outcomeForm is the form of an outcome in JSON, which keeps the bits of the losses.
type outcomeForm struct {
	checkpoint.Job
	Model json.RawMessage `json:"model,omitempty"`
}

// MarshalJSON writes one object, for the process that runs the race.
func (o Outcome) MarshalJSON() ([]byte, error) {
	form := outcomeForm{Job: o.Job}
	if o.Model != nil {
		var b bytes.Buffer
		if err := o.Model.Encode(&b); err != nil {
			return nil, err
		}
		form.Model = b.Bytes()
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Outcome) UnmarshalJSON(text []byte) error {
	var form outcomeForm
	if err := json.Unmarshal(text, &form); err != nil {
		return err
	}
	*o = Outcome{Job: form.Job}
	if form.Model == nil {
		return nil
	}
	var err error
	if o.Model, err = model.Decode(bytes.NewReader(form.Model)); err != nil {
		return fmt.Errorf("model of a trial: %w", err)
	}
	return nil
}

// check returns an error that wraps kind unless the outcome has the losses of N samples.
func (o Outcome) check(N int, kind error) error {
	if o.Failed == "" && (len(o.Losses) != N || len(o.Alone) != N) {
		return fmt.Errorf("%w: %d and %d losses on %d held-out samples", kind, len(o.Losses), len(o.Alone), N)
	}
	return nil
}

// splitsOf returns the splits of a race on a training part; nil if it has fewer than three samples.
func splitsOf(r recipe.Recipe, train *data.Dataset) []data.Fold {
	return train.HoldOut(r.Train.RaceSplits, heldOutShare(train.Len()), rand.New(rand.NewPCG(r.Train.Seed, raceStream)))
}

// splitPart is a split of the training part that is ready for trials.
type splitPart struct {
	on   *fit.TrainingSet
	held *data.Dataset // weighed
	unit float64       // of the errors on the held-out samples
}

// prepareSplit prepares a split with the preprocessing of the recipe, which settings do not
// change. It returns nil if the split cannot be trained on.
func prepareSplit(ctx context.Context, train *data.Dataset, split data.Fold, r recipe.Recipe) (*splitPart, error) {
	on, err := fit.PrepareSubset(ctx, train, split.Train, r)
	if errors.As(err, new(*data.Error)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := train.Subset(split.Held).Weighed()
	if err != nil {
		return nil, err
	}
	return &splitPart{on, held, errorUnit(train)}, nil
}

// trial trains by the recipe of a candidate and computes the losses on the held-out samples, of
// the model and of its strongest rule read alone.
func (p *splitPart) trial(ctx context.Context, r recipe.Recipe, slot *checkpoint.Slot) (o Outcome, err error) {
	r.Train.Patience, r.Train.Members, r.Model.Neighbours = 0, 1, recipe.NoNeighbours
	result, err := fit.TrainOn(ctx, p.on, nil, fit.Job{Recipe: r, Slot: slot, Unmeasured: true})
	if errors.Is(err, optim.ErrDiverged) {
		return Outcome{Job: checkpoint.Job{Done: true, Failed: err.Error()}}, nil
	}
	if err != nil {
		return o, err
	}
	o.Done, o.Model = true, result.Model
	o.Losses, o.Alone, err = model.HeldOutLosses(ctx, o.Model, p.held, p.unit)
	return o, err
}

// inRound returns the recipe of a candidate on split i of a race on some splits.
func inRound(r recipe.Recipe, i, splits int) recipe.Recipe {
	r.Train.Iterations = updates(r.Train.Iterations, i, splits)
	return r
}

// errorUnit returns the unit of errors whose second and fourth powers are summed: the range of the targets if powers of
// the errors could overflow or vanish, else one. The errors of several targets are in standard deviations.
func errorUnit(train *data.Dataset) float64 {
	const far = 1e50
	if len(train.Schema.Targets()) > 1 {
		return 1
	}
	if r := slices.Max(train.Y) - slices.Min(train.Y); r > far || r > 0 && r < 1/far {
		return r
	}
	return 1
}
