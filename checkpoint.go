package tskgraph

import (
	"errors"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrCheckpoint is wrapped by every error about a checkpoint that is damaged.
var ErrCheckpoint = errors.New("checkpoint")

// Checkpoint is where a training stands: what [Train] needs, besides the data and the
// options, to go on and end with the bits of a training that was left alone.
// Options.OnCheckpoint is given them, Options.Resume takes one.
type Checkpoint struct{ content checkpointContent }

// checkpointContent is a checkpoint as it is written.
type checkpointContent struct {
	Of     map[string]string `json:"of"`               // all that the training depends on, see Options.origin
	Race   []raceJob         `json:"race,omitempty"`   // by setting, then by split; none before the race and without one
	Models []*standing       `json:"models,omitempty"` // of the members of a committee, or of the only model; null: not begun
}

// raceJob is one training of a race.
type raceJob struct {
	Done     bool      `json:"done,omitempty"`
	Squares  bits      `json:"squares,omitempty"`  // squared errors on what was held out, weighted
	Failed   string    `json:"failed,omitempty"`   // how it diverged
	Training *standing `json:"training,omitempty"` // nil: not begun, or done
}

// standing is where the training of one rulebase stands. It does not change once it
// is made.
type standing struct {
	Start     *rules.Clusters `json:"start,omitempty"` // as Result.Start
	Stage     int             `json:"stage"`           // stages finished: the first training, then the rounds of pruning
	Rules     savedRules      `json:"rules"`           // after them, and so are the next four
	Seeds     []byte          `json:"seeds"`           // the stream of learner.seeds
	Training  optim.Result    `json:"training"`
	Rounds    []PruneRound    `json:"rounds,omitempty"`
	Fallbacks int             `json:"fallbacks,omitempty"`
	Watched   bits            `json:"watched,omitempty"` // up to now
	Fit       *fitStanding    `json:"fit,omitempty"`     // of the present stage; nil: it has not begun
}

// fitStanding is where learner.fit stands.
type fitStanding struct {
	Part             int          `json:"part"`                // parts finished, see learner.parts
	Training         optim.Result `json:"training"`            // after them, and so is the next
	Fallbacks        int          `json:"fallbacks,omitempty"` // of all trainings
	rules.Parameters              // now, and so are the next two
	Logarithms       [][]float64  `json:"logarithms,omitempty"` // of the spreads, see graph.Network
	Estimates        int          `json:"estimates,omitempty"`  // fallbacks of least squares in the present part

	Loop optim.Checkpoint `json:"loop"`
}

// savedRules is a rulebase but for its shape, which the options say.
type savedRules struct {
	rules.Parameters
	SpreadFloor  float64 `json:"spread_floor"`
	MergeWeights []int   `json:"merge_weights,omitempty"`
	Tie          [][]int `json:"tie,omitempty"`
}

func saved(rb *rules.RuleBase) savedRules {
	return savedRules{rb.Parameters, rb.SpreadFloor, rb.MergeWeights, rb.Tie}
}

// Racing reports whether the race of settings was still on.
func (c *Checkpoint) Racing() bool { return c.content.Race != nil && c.content.Models == nil }

// Iterations returns the iterations made, those that Options.OnIteration was told of,
// of each member of a committee or of the only model; nil if none had begun.
func (c *Checkpoint) Iterations() []int {
	var made []int
	for _, st := range c.content.Models {
		n := 0
		switch {
		case st == nil:
		case st.Fit == nil:
			n = st.Training.Iterations
		default:
			n = st.Fit.Training.Iterations + st.Fit.Loop.Iteration
		}
		made = append(made, n)
	}
	return made
}

// Differences says what differs between the training of the checkpoint and another
// one, as far as now names it; see Options.Origin.
func (c *Checkpoint) Differences(now map[string]string) []Change {
	return differences(c.content.Of, asKept(now))
}
