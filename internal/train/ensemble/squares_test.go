package ensemble_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
)

// TestConsequentsAreLeastSquares: the final consequents are the least-squares estimates for
// the final antecedents, for any optimizer, with and without a validation part; the
// reported loss is theirs.
func TestConsequentsAreLeastSquares(t *testing.T) {
	d := table(150)
	for _, optimizer := range []string{"anfis", "adabound"} {
		for _, v := range []*data.Dataset{nil, table(40)} {
			o := anfis("least-squares", 5, 30)
			o.Train.Optimizer, o.Train.L2 = optimizer, 0.01
			if optimizer == "anfis" {
				o.Train.Solver.Set("learning_rate", 0.3) // so long that the last is not the best
			}
			lowest := math.Inf(1)
			m := train(t, d, v, ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error {
				lowest = min(lowest, m.Loss)
				return nil
			}}).Model
			x, y, rb := testenv.Must(m.Scale(d.X)), m.Targets(d), m.RuleBase
			want := testenv.Must(testenv.Must(lse.New(context.Background(), x, y, nil, 5, 0.01)).Estimate(context.Background(), rb))
			if !slices.EqualFunc(rb.Consequents, want, slices.Equal) {
				t.Fatalf("%s: consequents %v, of least squares %v", optimizer, rb.Consequents, want)
			}
			if data, penalty, _ := rb.Loss(x, y, nil, nil, nil, penalty.Slopes{Lambda: 0.01}); optimizer == "anfis" && v == nil &&
				!near(data+penalty, lowest, 1e-9) {
				t.Errorf("the kept model has the loss %v, the lowest was %v", data+penalty, lowest)
			}
		}
	}
}

// TestLeastSquaresPrune: each round of pruning estimates the consequents.
func TestLeastSquaresPrune(t *testing.T) {
	o := anfis("least-squares", 6, 20)
	o.Prune = recipe.Prune{Rounds: 1, Gamma: 1, Theta: 1}
	r := train(t, table(150), nil, o)
	if r.Model.RuleBase.Rules() >= 6 || !(r.Model.Training.Metrics["rmse_train"] < 1) {
		t.Errorf("%d rules, %v", r.Model.RuleBase.Rules(), r.Model.Training.Metrics)
	}
}
