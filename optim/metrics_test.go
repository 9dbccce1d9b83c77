package optim_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
)

func TestByMember(t *testing.T) {
	m := func(member, iteration int) optim.Metrics { return optim.Metrics{Member: member, Iteration: iteration} }
	got := optim.ByMember([]optim.Metrics{m(2, 1), m(1, 1), m(2, 2), m(1, 2)})
	if want := [][]optim.Metrics{{m(2, 1), m(2, 2)}, {m(1, 1), m(1, 2)}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if optim.ByMember(nil) != nil {
		t.Error("nothing has members")
	}
}

// tenfold is a loss of ten times the squared loss, judged by its mean.
type tenfold struct{ loss.Squared }

func (tenfold) Value(y, t float64) float64 { return 10 * loss.Squared{}.Value(y, t) }
func (tenfold) Metric() loss.Metric {
	return loss.Metric{Name: "mean", Of: func(sum, weight float64) float64 { return sum / weight }}
}

// The metric of the loss is reported, RMSE without one; and how far a loss may rise is measured in its own unit.
func TestMetricOfTheLoss(t *testing.T) {
	reported := func(l loss.Loss, data float64) (metric float64, err error) {
		tr := newTraining(10)
		tr.Loss = l
		tr.obj = &meddler{line: tr.line, meddle: func(_ int, d, _ *float64, _ *int) error {
			*d = data
			return nil
		}}
		tr.OnIteration = func(m optim.Metrics) error {
			metric = m.Batch
			return nil
		}
		_, err = tr.run()
		return metric, err
	}
	if got, err := reported(nil, 32); err != nil || math.Abs(got-2) > 1e-15 { // sqrt(2 32/16)
		t.Errorf("RMSE %v, %v", got, err)
	}
	if got, err := reported(tenfold{}, 32); err != nil || got != 2 { // 32/16
		t.Errorf("mean %v, %v", got, err)
	}
	limit := 0.0 // of the squared loss, to a factor of two
	for data := 1.0; limit == 0; data *= 2 {
		if _, err := reported(nil, data); err != nil {
			limit = data
		}
	}
	if _, err := reported(tenfold{}, limit); err != nil {
		t.Errorf("ten times the loss diverges where the loss does: %v", err)
	}
}

// TestMetricsInJSON checks the keys, and that reading is the inverse of writing.
func TestMetricsInJSON(t *testing.T) {
	v := 0.25
	for want, m := range map[string]optim.Metrics{
		`{"iteration":3,"loss":2,"penalty":1,"skipped":4,"metric":"RMSE","metric_batch":0.5}`:                                         {Iteration: 3, Loss: 2, Penalty: 1, Metric: "RMSE", Batch: 0.5, Skipped: 4},
		`{"member":1,"iteration":3,"loss":2,"penalty":0,"skipped":0,"metric":"log loss","metric_batch":0.5,"metric_validation":0.25}`: {Member: 1, Iteration: 3, Loss: 2, Metric: "log loss", Batch: 0.5, Validation: &v},
	} {
		text, err := json.Marshal(m)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
		var back optim.Metrics
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, m) {
			t.Errorf("%+v, %v, want %+v", back, err, m)
		}
	}
}
