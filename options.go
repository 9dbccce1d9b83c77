package tskgraph

import (
	"fmt"
	"math"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// OptionError is an error about an option.
type OptionError struct {
	Key     string // as config.yaml names it, e.g. "train.batch"
	Message string // what is wrong and what to do
}

func (e *OptionError) Error() string { return e.Key + ": " + e.Message }

// Options say what to train and how. Start from a preset, [Paper], and change
// what should differ.
type Options struct {
	Model ModelOptions
	Train TrainOptions
	Prune PruneOptions

	// OnIteration, if not nil, is called after every iteration, one call at a time.
	// An error ends training. The members of a committee report side by side; their
	// Metrics say which member it is.
	OnIteration func(optim.Metrics) error

	// OnRace, if not nil, is called before a race and after each of its trainings, with
	// how many of them are done or no longer needed. Calls do not overlap.
	OnRace func(done, all int)
	// Start, if not nil, places the rules, in place of what Model.Init finds: the
	// Result.Start of a training on the same samples that had the same Model.Init,
	// Model.Rules and Train.Seed. It saves finding the same again.
	Start *rules.Clusters

	// Watch, if not nil, is measured after every iteration, see Result.Watched. It
	// has no influence on training. Its schema is the training part's.
	Watch *data.Dataset

	// Test, if not nil, is measured before and after each round of pruning, see
	// PruneRound. It has no influence on training. Its schema is the training part's.
	Test *data.Dataset

	// OnCheckpoint, if not nil, is told where training stands: when it begins, about
	// every CheckpointEvery (0: five seconds), when a stage (a training of the race, a
	// member of a committee, a round of pruning) is finished, and when ctx has ended it.
	// Calls do not overlap. Training waits for it: to write a file is better left to
	// another goroutine, which may keep the checkpoint.
	OnCheckpoint    func(*Checkpoint)
	CheckpointEvery time.Duration

	// Resume, if not nil, is where training goes on. One of other data or options, or of a
	// program of another version, revision, kernel, processor architecture or version of
	// Go, is refused with a *ChangedError, one that is damaged with an error that wraps
	// ErrCheckpoint. GOAMD64 may differ: the bits of a training do not depend on it.
	Resume *Checkpoint

	// Origin names what else the result depends on, such as the hash of a file, for
	// checkpoints to remember and compare. Names of options take their place.
	Origin map[string]string
}

// ModelOptions are the `model:` section of config.yaml.
type ModelOptions struct {
	Rules      int                 // R, at least 1; 0, if Init is a file or grid: as many as that has
	Membership membership.Function // the shape, such as membership.Gaussian{}
	Init       string              // fcm (fuzzy c-means), kmeans, one-feature, or auto: kmeans for shapes of bounded support, else fcm; grid; genfis (as MATLAB's anfis); or the file of a saved model, to go on with its rules and preprocessing
	Engine     string              // autodiff, fused, or auto: the fastest that can do the shape

	// Consequents says how the THEN parts are learned: gradient, by the optimizer as the
	// antecedents are, or least-squares, which solves for them after each update of the
	// antecedents (package lse). That needs full batches and all rules: Train.Batch 0,
	// Train.DropRule 1.
	Consequents string

	// PCA is data.pca of config.yaml: the number of principal components of the
	// standardised features that the rules see instead of these; 0: none. If there are
	// no more features than that, the features are used as they are.
	PCA int

	Antecedents float64 // features that the IF part of a rule mentions, at most, on average; 0: all. The others go after 0.3 of a training, see rules.Shorten
	Order       int     // of the consequents: 1, linear, or 0, constants
	Transform   string  // of the features for the antecedents: none, or yeo-johnson where they are skewed, see model.Power
	SpreadFloor float64 // least spread, in scaled units; 0: a tenth of the smallest at the start
	Margin      float64 // predictions keep within the training targets' range and so much of it on either side; +Inf: anywhere

	// Bounds are fixed limits of predictions, low and high, infinite for none, within those of Margin; nil: none. A saved
	// model keeps its own Margin, and the narrower bounds.
	Bounds *[2]float64
}

// TrainOptions are the `train:` section of config.yaml.
type TrainOptions struct {
	Iterations    int                 // K, updates
	Batch         int                 // B, samples per update; all of them if there are fewer, and for 0
	Optimizer     string              // adabound, adam, rmsprop, sgd, or anfis, which needs full batches: Batch 0
	Solver        optim.SolverOptions // of the optimizer; zero means its default
	Loss          string              // sum of the errors of a batch, or mean: then targets count in units of their standard deviation
	Schedule      string              // of the learning rates: constant, or cosine
	LogSpreads    bool                // train spreads, where the shape has them, as their logarithms
	L2            float64             // lambda, the penalty of the slopes
	Shrink        string              // what L2 pulls slopes to: zero, or their mean over the rules
	Uniform       float64             // weight of uniform firing, see penalty.Uniform
	DropRule      float64             // P, the probability that a rule is kept, in (0, 1]
	Patience      int                 // stop after so many iterations without a better validation RMSE; 0: never
	ValidateEvery int                 // iterations from one validation to the next, at least 1
	Members       int                 // models in the committee; 0 or 1: a single model
	Seed          uint64              // of every random stream

	ConsequentRate float64 // learning rate of biases and slopes; 0: as the antecedents'

	// Race, if not empty, lists settings to choose from, see Setting; RaceSplits is how
	// many times the training part is divided for it, at most: settings that are clearly
	// behind leave the race, and with the last but one it is over.
	Race       []Setting
	RaceSplits int
}

// Paper returns the options of the paper: R=32, 500 iterations, batches of 64,
// AdaBound at a learning rate of 0.01, lambda 0.05, P 0.5. Its pruning is
// Prune.Rounds = 2, which is not set.
func Paper() Options {
	return Options{
		Model: ModelOptions{Rules: 32, Membership: membership.Gaussian{}, Init: "auto", Engine: "auto", Consequents: "gradient", Order: 1, Transform: "none", Margin: math.Inf(1)},
		Train: TrainOptions{
			Iterations: 500, Batch: 64, Optimizer: "adabound",
			Loss: "sum", Schedule: "constant", L2: 0.05, Shrink: "zero", DropRule: 0.5, ValidateEvery: 10, Members: 1, Seed: 1, RaceSplits: 2,
		},
		Prune: PruneOptions{Gamma: 0.5, Theta: 0.5},
	}
}

// Preset returns the options of a preset by name.
func Preset(name string) (Options, error) {
	switch name {
	case "paper":
		return Paper(), nil
	case "robust":
		return Robust(), nil
	}
	return Options{}, &OptionError{"preset", fmt.Sprintf("unknown preset %q: choose robust or paper", name)}
}

// Limits of counts: what is beyond them is a slip, and would take all memory or all time.
const (
	maxCount      = 1_000_000_000
	maxRules      = 100_000
	maxMembers    = 10_000
	maxRounds     = 1000 // of pruning
	maxRaceSplits = 1000
)

// leastDropRule is the lowest probability that masks can have, see package optim.
const leastDropRule = 0x1p-17

// leastSquaresConsequents is the value of Model.Consequents.
const leastSquaresConsequents = "least-squares"
