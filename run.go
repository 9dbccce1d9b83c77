package tskgraph

import (
	"io"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// Version is the version of tskgraph.
const Version = buildinfo.Version

// Run is a recipe with the callbacks, checkpoints and additional data of a run. Its methods
// are [Train], [Prune] and [PrunePath].
type Run struct {
	Recipe Recipe

	// OnIteration, if not nil, is called after every iteration, one call at a time.
	// An error ends training. The members of a committee run concurrently; Metrics.Member
	// identifies them.
	OnIteration func(optim.Metrics) error

	// OnRace, if not nil, is called before a race and after each of its trainings with the
	// number of those that are done or no longer needed. Calls do not overlap.
	OnRace func(done, all int)

	// OnLeader, if not nil, is called after a training of the race whose setting is the best so
	// far, with provisional rules. Calls do not overlap.
	OnLeader func(RaceLeader)

	// Remote, if not nil, runs the trainings of the race in other processes, which make them by
	// [Run.Trials]. The result has the same bits.
	Remote *ensemble.Remote

	// OnCheckpoint, if not nil, receives checkpoints: when training starts, about every
	// CheckpointEvery (0: five seconds), when a stage (a training of the race, a member of
	// a committee, a round of pruning) is finished, when ctx ends training, and when rows
	// of a Whole cannot be read. Calls do not overlap. Training waits for the call to
	// return: write files in another goroutine, which may keep the checkpoint.
	OnCheckpoint    func(*Checkpoint)
	CheckpointEvery time.Duration

	// Resume, if not nil, is the checkpoint from which training continues. If its data,
	// its recipe, or the version, revision, kernel, processor architecture or Go version
	// of its program differ, the error is a *[ChangedError]; if it is damaged, the error
	// wraps [ErrCheckpoint]. GOAMD64 may differ: the bits of a training do not depend on
	// it.
	Resume *Checkpoint

	// Identity holds further dependencies of the result, such as the hash of a file, which
	// checkpoints record and compare. It replaces entries of the same name.
	Identity Identity

	// Start, if not nil, replaces the clusters of the initialiser: the Result.Start of a
	// training on the same samples with the same Model.Init, Model.Rules and Train.Seed.
	// It avoids computing the same clusters twice.
	Start *rules.Clusters

	// Watch are data sets that are measured after every WatchEvery-th iteration (0: every one) and the last, for
	// OnIteration, see Metrics.Watched. They do not affect training. A committee's are measured for each member.
	Watch      []Watched
	WatchEvery int

	// Test, if not nil, is measured before and after each round of pruning, see
	// PruneRound. It does not affect training. It must have the schema of the training part.
	Test *data.Dataset
}

func (r Run) job() fit.Job {
	return fit.Job{Recipe: r.Recipe, Start: r.Start, OnIteration: r.OnIteration, Watch: r.Watch, WatchEvery: r.WatchEvery, Test: r.Test}
}

func (r Run) checkpoints() checkpoint.Options {
	return checkpoint.Options{OnCheckpoint: r.OnCheckpoint, Every: r.CheckpointEvery, Resume: r.Resume}
}

// Types of other packages that programs need by a short name.
type (
	Recipe      = recipe.Recipe
	Setting     = recipe.Setting // of a race
	RecipeError = recipe.Error

	Result     = ensemble.Result
	RaceScore  = ensemble.RaceScore
	RaceLeader = ensemble.Leader
	PruneRound = checkpoint.Round
	Watched    = fit.Watched
	Path       = fit.Path // of pruning
	PathStep   = fit.PathStep

	Checkpoint   = checkpoint.Checkpoint
	Identity     = checkpoint.Identity
	ChangedError = checkpoint.ChangedError
)

// ErrCheckpoint is wrapped by every error about a damaged checkpoint.
var ErrCheckpoint = checkpoint.ErrCheckpoint

// Paper returns the recipe of the paper, see [recipe.Paper].
func Paper() Recipe { return recipe.Paper() }

// Robust returns the recipe of the default preset, see [recipe.Robust].
func Robust() Recipe { return recipe.Robust() }

// Readable returns the recipe of rules that can be read one by one, see [recipe.Readable].
func Readable() Recipe { return recipe.Readable() }

// Preset returns the recipe of a preset by name.
func Preset(name string) (Recipe, error) { return recipe.Preset(name) }

// RecipeOf returns the recipe that a saved model was trained with, for continuing its
// training; an error for a committee. Patience and PCA are zero, see [recipe.Of].
func RecipeOf(m *model.Model) (Recipe, error) { return recipe.Of(m) }

// DecodeCheckpoint reads a checkpoint written by [checkpoint.Checkpoint.Encode]. If it is
// damaged, the error wraps [ErrCheckpoint].
func DecodeCheckpoint(r io.Reader) (*Checkpoint, error) { return checkpoint.Decode(r) }
