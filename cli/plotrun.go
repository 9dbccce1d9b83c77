//go:build !nofigures

package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

func newPlotLearning() *cobra.Command {
	cmd, d := newDrawing("learning", "Draw the errors over the iterations of a training",
		`Draw the RMSE, or another metric of the loss, of the mini-batches and of the validation part over the iterations of a run, from its metrics.jsonl.`,
		drawLearning)
	addMember(cmd, &d.member)
	return cmd
}

func drawLearning(d *drawing) (*plot.Figure, error) {
	m, err := loadMember(d.model, d.member)
	if err != nil {
		return nil, err
	}
	metrics, err := runs.ReadMetrics(d.dir())
	if err != nil {
		return nil, err
	}
	if len(metrics) == 0 {
		return nil, message.Usagef("%[2]s has no %[1]s: name the directory of a run", runs.MetricsFile, d.dir())
	}
	s, err := runs.ReadSummary(d.dir())
	if err != nil {
		return nil, err
	}
	target, unit := model.Measured(m)
	return plot.Learning(metrics, d.member, prunedAfter(s), target, unit)
}

// prunedAfter returns the iterations of a run after which a round of pruning took place.
func prunedAfter(s *report.Summary) []int {
	if s == nil {
		return nil
	}
	var after []int
	at := s.Iterations
	for _, round := range slices.Backward(s.Prune) {
		if at -= round.Refinement.Iterations; at > 0 { // a saved model is pruned before the first
			after = append(after, at)
		}
	}
	return after
}

func newPlotPruning() *cobra.Command {
	cmd, _ := newDrawing("pruning", "Draw the pruning of a run",
		`Draw error and fidelity (that of the strongest rule alone over that of the model; a line at 1.15) over the number of rules
of a pruning path (tskgraph prune --path) or, for a run with rounds of pruning, how many rules each round kept, merged and
removed, from its summary.json.`,
		drawPruning)
	return cmd
}

func drawPruning(d *drawing) (*plot.Figure, error) {
	m, err := model.Load(d.model)
	if err != nil {
		return nil, err
	}
	s, err := runs.ReadSummary(d.dir())
	switch {
	case err != nil:
		return nil, err
	case s == nil || len(s.Path) == 0 && len(s.Prune) == 0:
		return nil, message.Usagef("%s has no record of pruning: name a run of tskgraph prune, or of a training with prune.rounds", d.dir())
	case len(s.Path) > 0:
		target, unit := model.Measured(m)
		return plot.PruningPath(s.Path, s.Rules, target, unit)
	}
	return plot.PruningRounds(s.Prune)
}
