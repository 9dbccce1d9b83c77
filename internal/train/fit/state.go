package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// state returns the run state between two stages.
func (t *trainer) state() *checkpoint.State {
	seeds, _ := t.stream.MarshalBinary() // does not fail for a PCG
	return &checkpoint.State{
		Start: t.Start, Stage: t.stage, Rules: checkpoint.RulesOf(t.rules), Seeds: seeds,
		Training: t.training, Rounds: slices.Clone(t.rounds), Fallbacks: t.fallbacks,
	}
}

// during returns the run state within a stage.
func (t *trainer) during(f *checkpoint.FitState) *checkpoint.State {
	s := *t.before
	s.Fit = f
	return &s
}

// restore sets a new trainer with the given number of stages to a run state.
func (t *trainer) restore(s *checkpoint.State, stages int) error {
	if err := t.accepts(s, stages); err != nil {
		return fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	rb, err := t.restored(s.Rules.Parameters)
	if err != nil {
		return err
	}
	rb.SpreadFloor, rb.MergeWeights, rb.Tie, rb.Splits, rb.Keep = s.Rules.SpreadFloor, s.Rules.MergeWeights, s.Rules.Tie, s.Rules.Splits, s.Rules.Keep
	if err := rb.Validate(); err != nil {
		return fmt.Errorf("%w: %w", checkpoint.ErrCheckpoint, err)
	}
	if err := t.stream.UnmarshalBinary(s.Seeds); err != nil {
		return fmt.Errorf("%w: seeds: %w", checkpoint.ErrCheckpoint, err)
	}
	t.rules, t.stage, t.from = rb, s.Stage, s.Fit
	t.training, t.rounds, t.fallbacks = s.Training, slices.Clone(s.Rounds), s.Fallbacks
	return nil
}

// accepts checks that s can be a state of this training.
func (t *trainer) accepts(s *checkpoint.State, stages int) error {
	switch rounds := max(0, s.Stage-1); {
	case s.Stage < 0 || s.Stage > stages || s.Fit != nil && s.Stage == stages:
		return fmt.Errorf("stage %d of %d", s.Stage, stages)
	case (s.Training.Stopped != "") != (s.Stage > 0):
		return fmt.Errorf("training %q at stage %d", s.Training.Stopped, s.Stage)
	case len(s.Rounds) != rounds:
		return fmt.Errorf("%d rounds of pruning at stage %d", len(s.Rounds), s.Stage)
	case (s.Start == nil) != (t.Start == nil):
		return fmt.Errorf("clusters that the rules started from: %t, in a training that has them: %t", s.Start != nil, t.Start != nil)
	}
	results := []optim.Result{s.Training}
	if f := s.Fit; f != nil {
		results = append(results, f.Training)
		if f.Part < 0 || f.Part >= len(parts(t.Recipe.Model, 0)) || f.Fallbacks < 0 || f.Estimates < 0 {
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

// restored returns the current rules with other parameters.
func (t *trainer) restored(p rules.Parameters) (*rules.RuleBase, error) {
	rb := *t.rules
	if rb.Parameters = p; rb.Features() != t.rules.Features() {
		return nil, fmt.Errorf("%w: rules over %d features instead of %d", checkpoint.ErrCheckpoint, rb.Features(), t.rules.Features())
	}
	return &rb, nil
}
