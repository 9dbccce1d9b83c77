package optim_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
)

// A loss that is blown up, finite all along, ends training at the tenth such iteration in a row, and restores good parameters: nine are
// forgiven, again and again; a batch of which every sample was skipped does not interrupt the row; no snapshot is taken while the loss
// is blown up. What predicting zero would cost is weighted as the loss is, and where it has no loss, no loss is a blow-up.
func TestBlowUp(t *testing.T) {
	completed := optim.Result{Iterations: 100, Best: 100, Stopped: "completed"}
	blown := func(at func(k int) bool) func(*training) {
		return func(tr *training) {
			tr.obj = &meddler{line: tr.line, meddle: func(k int, data, _ *float64, _ *int) error {
				if at(k) {
					*data = 1e12
				}
				return nil
			}}
		}
	}
	on := func(change func(d *optim.Data), batch int) func(*training) {
		return func(tr *training) {
			d := noisyLine(200)
			change(&d)
			tr.batches = testenv.Must(newSampler(d, batch, 1, 1, 1))
		}
	}
	for name, c := range map[string]struct {
		change func(*training)
		want   optim.Result
		words  []string // of the error; nil: none
	}{
		"a large learning rate": {func(tr *training) { tr.solver = testenv.Must(optim.New(&optim.SGD{LearningRate: 1e6})) },
			optim.Result{Iterations: 10, Stopped: "diverged"}, []string{"iteration 11", "predicting zero in 10 consecutive"}},
		"for a while": {blown(func(k int) bool { return k%10 != 0 }), completed, nil},
		"between skipped": {func(tr *training) {
			tr.obj = &meddler{line: tr.line, meddle: func(k int, data, _ *float64, skipped *int) error {
				if *data = 1e12; k%2 == 0 {
					*data, *skipped = 0, 16
				}
				return nil
			}}
		}, optim.Result{Iterations: 18, Skipped: 144, Stopped: "diverged"}, []string{"iteration 19"}},
		"before a snapshot": {blown(func(k int) bool { return k >= 45 }), optim.Result{Iterations: 53, Stopped: "diverged"},
			[]string{"iteration 54"}},
		"large weights": {func(tr *training) {
			on(func(d *optim.Data) { d.Weight = slices.Repeat([]float64{1e9}, 200) }, 16)(tr)
			tr.solver = testenv.Must(optim.New(&optim.SGD{LearningRate: 1e-12}))
		}, completed, nil},
		"zero targets":                     {on(func(d *optim.Data) { clear(d.Y) }, 16), completed, nil},
		"targets of most batches are zero": {on(func(d *optim.Data) { clear(d.Y); d.Y[0] = 1 }, 1), completed, nil},
		"all samples are skipped": {func(tr *training) {
			tr.obj = &meddler{line: tr.line, meddle: func(_ int, _, _ *float64, skipped *int) error { *skipped = 16; return nil }}
		}, optim.Result{Iterations: 100, Best: 100, Skipped: 1600, Stopped: "completed"}, nil},
	} {
		tr := newTraining(100)
		start := []float64{0.5, -0.5, 0.25}
		copy(tr.line.slope.value.Float64s(), start)
		copy(tr.line.intercept.value.Float64s(), start[2:])
		c.change(tr)
		r, err := tr.run()
		testenv.Equal(t, r, c.want, "%s, %v", name, err)
		if c.words != nil {
			wantError(t, err, optim.ErrDiverged, c.words...)
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if still := c.want.Best == 0 || c.want.Skipped == 1600; still && !sameBits(tr.line.theta(), start) {
			t.Errorf("%s: the parameters are %v", name, tr.line.theta())
		}
	}
}

// Whatever is not finite stops training at once and restores the last good snapshot: the parameters that were
// evaluated without a fault at iteration 51 of 60, those after iteration 50.
func TestNotFinite(t *testing.T) {
	nan := math.NaN()
	for word, fault := range map[string]func(tr *training, m *meddler, data, penalty *float64){
		"data loss is NaN": func(_ *training, _ *meddler, data, _ *float64) { *data = nan },
		"penalty +Inf":     func(_ *training, _ *meddler, _, penalty *float64) { *penalty = math.Inf(1) },
		"gradient is NaN":  func(tr *training, _ *meddler, _, _ *float64) { tr.line.slope.grad.Float64s()[1] = nan },
		"parameter 0 (slope) is ": func(tr *training, m *meddler, _, _ *float64) {
			m.project = func() { tr.line.slope.value.Float64s()[1] = nan }
		},
	} {
		tr := newTraining(100)
		m := &meddler{line: tr.line}
		m.meddle = func(k int, data, penalty *float64, _ *int) error {
			if k == 60 {
				fault(tr, m, data, penalty)
			}
			return nil
		}
		tr.obj = m
		var after50 []float64
		tr.OnIteration = func(m optim.Metrics) error {
			if m.Iteration == 50 {
				after50 = tr.line.theta()
			}
			return nil
		}
		r, err := tr.run()
		wantError(t, err, optim.ErrDiverged, word, "iteration 60")
		testenv.Equal(t, r, (optim.Result{Iterations: 59, Best: 50, Stopped: "diverged"}), "%s: result", word)
		if !sameBits(tr.line.theta(), after50) {
			t.Errorf("%s: the parameters are not those after iteration 50", word)
		}
	}
}

// With validation, the best model is restored after a divergence.
func TestDivergenceKeepsTheBest(t *testing.T) {
	tr := newTraining(100)
	var best []float64
	k := 0
	tr.Validate = func() (float64, error) {
		switch k += 10; k {
		case 20:
			best = tr.line.theta()
			return 1, nil
		case 80:
			return math.NaN(), nil
		}
		return 2, nil
	}
	r, err := tr.run()
	wantError(t, err, optim.ErrDiverged, "validation RMSE is NaN", "iteration 80")
	testenv.Equal(t, r, (optim.Result{Iterations: 80, Best: 20, BestValidation: 1, Stopped: "diverged"}), "result")
	if !sameBits(tr.line.theta(), best) {
		t.Error("the parameters are not those after iteration 20")
	}
}

func TestInitialParametersNotFinite(t *testing.T) {
	tr := newTraining(10)
	tr.line.intercept.value.Float64s()[0] = math.Inf(1)
	_, err := tr.run()
	wantError(t, err, optim.ErrDiverged, "parameter 1 (intercept) is +Inf")
}

func TestByMember(t *testing.T) {
	m := func(member, iteration int) optim.Metrics { return optim.Metrics{Member: member, Iteration: iteration} }
	got := optim.ByMember([]optim.Metrics{m(2, 1), m(1, 1), m(2, 2), m(1, 2)})
	testenv.Equal(t, got, [][]optim.Metrics{{m(2, 1), m(2, 2)}, {m(1, 1), m(1, 2)}})
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
		`{"iteration":3,"loss":2,"penalty":1,"skipped":4,"metric":"RMSE","metric_batch":0.5}`: {
			Iteration: 3, Loss: 2, Penalty: 1, Metric: "RMSE", Batch: 0.5, Skipped: 4,
		},
		`{"member":1,"iteration":3,"loss":2,"penalty":0,"skipped":0,"metric":"log loss","metric_batch":0.5,"metric_validation":0.25}`: {
			Member: 1, Iteration: 3, Loss: 2, Metric: "log loss", Batch: 0.5, Validation: &v,
		},
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
