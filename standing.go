package tskgraph

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// standing returns where the learner stands between two stages.
func (l *learner) standing() *standing {
	seeds, _ := l.stream.MarshalBinary() // a PCG always can
	return &standing{
		Start: l.start, Stage: l.stage, Rules: saved(l.rules), Seeds: seeds,
		Training: l.training, Rounds: slices.Clone(l.rounds), Fallbacks: l.fallbacks, Watched: slices.Clone(l.watched),
	}
}

// during returns where the learner stands within a stage.
func (l *learner) during(part int, network *graph.Network, leastSquares *hybrid, loop optim.Checkpoint) *standing {
	st := *l.before
	st.Watched = slices.Clone(l.watched)
	st.Fit = &fitStanding{
		Part: part, Training: l.training, Fallbacks: l.fallbacks,
		Parameters: network.Parameters(), Logarithms: network.Logarithms(), Loop: loop,
	}
	if leastSquares != nil {
		st.Fit.Estimates = leastSquares.estimator.Fallbacks
	}
	return &st
}

// finite reports whether all numbers are. Just before a training diverges they may not
// be, and JSON cannot keep them: then the last word that was left stands.
func (st *standing) finite() bool {
	var all [][]float64
	if f := st.Fit; f != nil {
		all = append(all, f.Consequents...)
		for _, rows := range slices.Concat(f.Antecedents, slices.Collect(maps.Values(f.Loop.Solver.Moments))) {
			all = append(all, rows...)
		}
	}
	return !slices.ContainsFunc(all, func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	})
}

// goOn puts a learner that has just begun where the standing says, of a training of so
// many stages.
func (l *learner) goOn(st *standing, stages int) error {
	if err := l.accepts(st, stages); err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	rb, err := l.restored(st.Rules.Parameters)
	if err != nil {
		return err
	}
	rb.SpreadFloor, rb.MergeWeights, rb.Tie = st.Rules.SpreadFloor, st.Rules.MergeWeights, st.Rules.Tie
	if err := rb.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if err := l.stream.UnmarshalBinary(st.Seeds); err != nil {
		return fmt.Errorf("%w: seeds: %w", ErrCheckpoint, err)
	}
	l.rules, l.stage, l.from = rb, st.Stage, st.Fit
	l.training, l.rounds, l.fallbacks, l.watched = st.Training, slices.Clone(st.Rounds), st.Fallbacks, slices.Clone(st.Watched)
	return nil
}

// accepts says what keeps st from being where this training stood.
func (l *learner) accepts(st *standing, stages int) error {
	switch rounds := max(0, st.Stage-1); {
	case st.Stage < 0 || st.Stage > stages || st.Fit != nil && st.Stage == stages:
		return fmt.Errorf("stage %d of %d", st.Stage, stages)
	case (st.Training.Stopped != "") != (st.Stage > 0):
		return fmt.Errorf("training %q at stage %d", st.Training.Stopped, st.Stage)
	case len(st.Rounds) != rounds:
		return fmt.Errorf("%d rounds of pruning at stage %d", len(st.Rounds), st.Stage)
	case (st.Start == nil) != (l.start == nil):
		return fmt.Errorf("clusters that the rules started from: %t, in a training that has them: %t", st.Start != nil, l.start != nil)
	}
	results := []optim.Result{st.Training}
	if f := st.Fit; f != nil {
		results = append(results, f.Training)
		if f.Part < 0 || f.Part >= len(l.parts(0)) || f.Fallbacks < 0 || f.Estimates < 0 {
			return fmt.Errorf("part %d, %d and %d fallbacks", f.Part, f.Fallbacks, f.Estimates)
		}
	}
	for _, r := range results {
		if !slices.Contains([]string{"", optim.StoppedCompleted, optim.StoppedPatience}, r.Stopped) ||
			r.Iterations < 0 || r.Best < 0 || r.Best > r.Iterations || r.Skipped < 0 || math.IsInf(r.BestValidation, 0) {
			return fmt.Errorf("training: %+v", r)
		}
	}
	return nil
}

// restored returns the present rules with other parameters.
func (l *learner) restored(p rules.Parameters) (*rules.RuleBase, error) {
	rb := *l.rules
	if rb.Parameters = p; rb.Features() != l.rules.Features() {
		return nil, fmt.Errorf("%w: rules over %d features, where there are %d", ErrCheckpoint, rb.Features(), l.rules.Features())
	}
	return &rb, nil
}

// network builds the network of the present rules, or, after a checkpoint, of those
// that it holds.
func (l *learner) network(from *fitStanding, o graph.Options) (*graph.Network, error) {
	if from == nil {
		return graph.New(l.rules, o)
	}
	rb, err := l.restored(from.Parameters)
	if err != nil {
		return nil, err
	}
	network, err := graph.New(rb, o)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	if err := network.SetLogarithms(from.Logarithms); err != nil {
		network.Close()
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	return network, nil
}
