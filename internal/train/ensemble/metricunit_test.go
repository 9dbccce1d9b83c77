package ensemble_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
)

// TestMetricsInUnits: with targets 1024 times as large, the metrics of the iterations are 1024 times as large where their
// loss has the unit of the target, and the same where it has none, is in standard deviations, or has several targets.
func TestMetricsInUnits(t *testing.T) {
	for _, c := range []struct {
		loss    string
		targets int
		want    float64
	}{
		{"mean", 1, 1024}, {"absolute", 1, 1024}, {"quantile", 1, 1024}, {"poisson", 1, 1024}, {"huber", 1, 1}, {"gamma", 1, 1},
		{"mean", 2, 1}, {"absolute", 2, 1},
	} {
		metrics := func(unit float64) (last optim.Metrics) {
			d := table(t, 120)
			for n, y := range d.Y {
				d.Y[n] = unit * math.Exp(y)
			}
			if c.targets > 1 {
				d.Schema.Others, d.Others = []data.Other{{Name: "second"}}, [][]float64{d.Y}
			}
			o := quick()
			o.Train.Loss, o.Train.Iterations, o.Train.ValidateEvery = c.loss, 5, 1
			if c.loss == "quantile" {
				o.Train.LossParams = loss.Values{"quantiles": {0.1, 0.5}}
			}
			r := ensemble.Run{Recipe: o, OnIteration: func(m optim.Metrics) error {
				last = m
				return nil
			}}
			if _, err := r.Train(t.Context(), d, d); err != nil {
				t.Fatal(err)
			}
			return last
		}
		small, large := metrics(1), metrics(1024)
		for _, of := range [][2]float64{{small.Batch, large.Batch}, {*small.Validation, *large.Validation}} {
			if ratio := of[1] / of[0]; !(math.Abs(ratio/c.want-1) < 1e-6) {
				t.Errorf("%s, %d targets: %v, times 1024 %v: ratio %v, want %v", c.loss, c.targets, of[0], of[1], ratio, c.want)
			}
		}
	}
}
