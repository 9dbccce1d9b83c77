package tskgraph

import (
	"io"
	"time"

	"github.com/tskgraph/tskgraph/checkpoint"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/ensemble"
	"github.com/tskgraph/tskgraph/fit"
	"github.com/tskgraph/tskgraph/internal/buildinfo"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// Version is the version of tskgraph.
const Version = buildinfo.Version

// Run is a recipe, and what belongs to one run of it: callbacks, checkpoints, data that are
// measured on the way. Its methods are [Train], [Prune] and [PrunePath].
type Run struct {
	Recipe Recipe

	// OnIteration, if not nil, is called after every iteration, one call at a time.
	// An error ends training. The members of a committee report side by side; their
	// Metrics say which member it is.
	OnIteration func(optim.Metrics) error

	// OnRace, if not nil, is called before a race and after each of its trainings, with
	// how many of them are done or no longer needed. Calls do not overlap.
	OnRace func(done, all int)

	// OnCheckpoint, if not nil, receives checkpoints: when training begins, about every
	// CheckpointEvery (0: five seconds), when a stage (a training of the race, a member of
	// a committee, a round of pruning) is finished, and when ctx has ended it. Calls do not
	// overlap. Training waits for it: write files in another goroutine, which may keep the
	// checkpoint.
	OnCheckpoint    func(*Checkpoint)
	CheckpointEvery time.Duration

	// Resume, if not nil, is the checkpoint from which training continues. One of other
	// data or another recipe, or of a program of another version, revision, kernel,
	// processor architecture or version of Go, is refused with a *[ChangedError], one that
	// is damaged with an error that wraps [ErrCheckpoint]. GOAMD64 may differ: the bits of
	// a training do not depend on it.
	Resume *Checkpoint

	// Identity names what else the result depends on, such as the hash of a file, for
	// checkpoints to keep and compare. It takes the place of keys of the same name.
	Identity Identity

	// Start, if not nil, places the rules instead of the initialiser: the Result.Start of
	// a training on the same samples that had the same Model.Init, Model.Rules and
	// Train.Seed. It saves finding the same clusters twice.
	Start *rules.Clusters

	// Watch, if not nil, is measured after every iteration, see Result.Watched. It
	// has no influence on training. Its schema is the training part's.
	Watch *data.Dataset

	// Test, if not nil, is measured before and after each round of pruning, see
	// PruneRound. It has no influence on training. Its schema is the training part's.
	Test *data.Dataset
}

func (r Run) job() fit.Job {
	return fit.Job{Recipe: r.Recipe, Start: r.Start, OnIteration: r.OnIteration, Watch: r.Watch, Test: r.Test}
}

func (r Run) checkpoints() checkpoint.Options {
	return checkpoint.Options{OnCheckpoint: r.OnCheckpoint, Every: r.CheckpointEvery, Resume: r.Resume}
}

// The types of the packages below, by the names that a program needs.
type (
	Recipe      = recipe.Recipe
	Setting     = recipe.Setting // of a race
	RecipeError = recipe.Error

	Result     = ensemble.Result
	RaceScore  = ensemble.RaceScore
	PruneRound = checkpoint.Round
	Path       = fit.Path // of pruning
	PathStep   = fit.PathStep

	Checkpoint   = checkpoint.Checkpoint
	Identity     = checkpoint.Identity
	ChangedError = checkpoint.ChangedError
)

// ErrCheckpoint is wrapped by every error about a checkpoint that is damaged.
var ErrCheckpoint = checkpoint.ErrCheckpoint

// Paper returns the recipe of the paper, see [recipe.Paper].
func Paper() Recipe { return recipe.Paper() }

// Robust returns the recipe of the default preset, see [recipe.Robust].
func Robust() Recipe { return recipe.Robust() }

// Preset returns the recipe of a preset by name.
func Preset(name string) (Recipe, error) { return recipe.Preset(name) }

// RecipeOf returns the recipe that a saved model was trained by, to continue with it. A
// committee is refused. Patience and PCA are zero, see [recipe.Of].
func RecipeOf(m *model.Model) (Recipe, error) { return recipe.Of(m) }

// DecodeCheckpoint reads a checkpoint that [checkpoint.Checkpoint.Encode] wrote. One that
// is damaged is refused with an error that wraps [ErrCheckpoint].
func DecodeCheckpoint(r io.Reader) (*Checkpoint, error) { return checkpoint.Decode(r) }
