package tskgraph

import (
	"io"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/fit"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// Version is the version of tskgraph.
const Version = buildinfo.Version

// Types of other packages that programs need by a short name.
type (
	// Run is a recipe with the callbacks, checkpoints and additional data of a run. Its methods are [Train],
	// [Prune] and [PrunePath].
	Run = ensemble.Run

	Recipe      = recipe.Recipe
	Setting     = recipe.Setting // of a race
	RecipeError = recipe.Error

	Result     = ensemble.Result
	RaceScore  = ensemble.RaceScore
	Teaching   = ensemble.Teaching
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
