package ensemble_test

import (
	"context"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
)

// TestAgreement checks that rules trained with agreement disagree less, for the sum and the
// mean of the errors and with both engines.
func TestAgreement(t *testing.T) {
	racedetector.Skip(t)
	parts := friedman(t, data.Split{})
	disagreement := func(loss, engine string, alpha float64) float64 {
		o := recipe.Paper()
		o.Model.Rules, o.Model.Init, o.Model.Engine, o.Train.Iterations, o.Prune.Rounds = 8, "kmeans", engine, 60, 0
		o.Train.Loss, o.Train.Batch, o.Train.DropRule, o.Train.L2, o.Train.Agreement = loss, 0, 1, 0, alpha
		var run ensemble.Run
		var last optim.Metrics
		run.OnIteration = func(m optim.Metrics) error { last = m; return nil }
		if _, err := with(run, o).Train(context.Background(), parts.Train, nil); err != nil {
			t.Fatal(err)
		}
		return last.Penalty / alpha // half of the sum of D
	}
	for _, loss := range []string{"sum", "mean"} {
		for _, engine := range []string{"fused", "autodiff"} {
			without, with := disagreement(loss, engine, 1e-9), disagreement(loss, engine, 1)
			if !(with > 0 && with < without/2) {
				t.Errorf("%s, %s: the rules disagree by %v, without the penalty by %v", loss, engine, with, without)
			}
		}
	}
}
