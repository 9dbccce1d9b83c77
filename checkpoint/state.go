// Package checkpoint holds the state of a training: what [Checkpoint] saves, its file, the
// identity of the training that it belongs to, and the [Recorder] that collects the states
// of all trainings of one run and passes checkpoints on.
package checkpoint

import (
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrCheckpoint is wrapped by every error about a checkpoint that is damaged.
var ErrCheckpoint = errors.New("checkpoint")

// Checkpoint is the state of a run: what training needs, besides the data and the recipe,
// to resume and end with the bits of a training that was not interrupted.
type Checkpoint struct{ content content }

// content is a checkpoint as it is written.
type content struct {
	Of     map[string]string `json:"of"`               // the identity of the run
	Race   []Job             `json:"race,omitempty"`   // by setting, then by split; none before the race and without one
	Models []*State          `json:"models,omitempty"` // of the members of a committee, or of the only model; null: not begun
}

// Job is one training of a race.
type Job struct {
	Done     bool        `json:"done,omitempty"`
	Squares  Float64Bits `json:"squares,omitempty"`  // squared errors on the held-out samples, weighted
	Failed   string      `json:"failed,omitempty"`   // how it diverged
	Training *State      `json:"training,omitempty"` // nil: not begun, or done
}

// State is the run state of one training. It does not change once it is made.
type State struct {
	Start     *rules.Clusters `json:"start,omitempty"` // where the rules were placed
	Stage     int             `json:"stage"`           // stages finished: the first training, then the rounds of pruning
	Rules     Rules           `json:"rules"`           // after them, and so are the next four
	Seeds     []byte          `json:"seeds"`           // the random stream of the seeds of refinements
	Training  optim.Result    `json:"training"`
	Rounds    []Round         `json:"rounds,omitempty"`
	Fallbacks int             `json:"fallbacks,omitempty"`
	Watched   Float64Bits     `json:"watched,omitempty"` // up to now
	Fit       *FitState       `json:"fit,omitempty"`     // of the present stage; nil: it has not begun
}

// FitState is the state within a stage.
type FitState struct {
	Part             int          `json:"part"`                // parts finished
	Training         optim.Result `json:"training"`            // after them, and so is the next
	Fallbacks        int          `json:"fallbacks,omitempty"` // of all trainings
	rules.Parameters              // now, and so are the next two
	Logarithms       [][]float64  `json:"logarithms,omitempty"` // of the spreads, see graph.Network
	Estimates        int          `json:"estimates,omitempty"`  // fallbacks of least squares in the present part

	Loop optim.Checkpoint `json:"loop"`
}

// Rules is a rulebase without its shape, which the recipe says.
type Rules struct {
	rules.Parameters
	SpreadFloor  float64 `json:"spread_floor"`
	MergeWeights []int   `json:"merge_weights,omitempty"`
	Tie          [][]int `json:"tie,omitempty"`
}

// RulesOf returns the saved form of a rulebase.
func RulesOf(rb *rules.RuleBase) Rules {
	return Rules{rb.Parameters, rb.SpreadFloor, rb.MergeWeights, rb.Tie}
}

// Round is one round of pruning and the refinement after it.
type Round struct {
	rules.Pruning
	RemovedByFiring     int          `json:"removed_by_firing"`
	RemovedBySimilarity int          `json:"removed_by_similarity"` // merged into another
	Account             []string     `json:"account"`               // each decision in words
	Refinement          optim.Result `json:"refinement"`            // iterations are counted from its start
	RMSEBefore          RoundRMSE    `json:"rmse_before"`
	RMSEAfter           RoundRMSE    `json:"rmse_after"` // of the refined rules
}

// RoundRMSE is the RMSE of the rules before or after a round of pruning, in the target's
// unit; nil for a part that is missing.
type RoundRMSE struct {
	Validation *float64 `json:"validation,omitempty"`
	Test       *float64 `json:"test,omitempty"` // on the run's test part
}

// finite reports whether all numbers are. Just before a training diverges they may not
// be, and JSON cannot keep them: then the last state that was recorded stays.
func (s *State) finite() bool {
	var all [][]float64
	if f := s.Fit; f != nil {
		all = append(all, f.Consequents...)
		for _, rows := range slices.Concat(f.Antecedents, slices.Collect(maps.Values(f.Loop.Solver.Moments))) {
			all = append(all, rows...)
		}
	}
	return !slices.ContainsFunc(all, func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	})
}

// Racing reports whether the race of settings was in progress.
func (c *Checkpoint) Racing() bool { return c.content.Race != nil && c.content.Models == nil }

// Iterations returns the iterations made of each member of a committee or of the only
// model; nil if none had begun.
func (c *Checkpoint) Iterations() []int {
	var made []int
	for _, s := range c.content.Models {
		n := 0
		switch {
		case s == nil:
		case s.Fit == nil:
			n = s.Training.Iterations
		default:
			n = s.Fit.Training.Iterations + s.Fit.Loop.Iteration
		}
		made = append(made, n)
	}
	return made
}

// Differences returns what differs between the identity of the checkpoint and another
// one, as far as now names it.
func (c *Checkpoint) Differences(now Identity) []Change {
	now = now.asKept()
	return Identity(c.content.Of).differing(now, now)
}
