package optim_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
)

// saved is a checkpoint with the parameters of that iteration.
type saved struct {
	checkpoint []byte
	theta      []float64
}

// saving returns a training of 60 iterations with the solver of that name, on a line with or without validation, and collects a
// checkpoint after every one of them.
func saving(name string, validated bool, checkpoints *[]saved) *training {
	tr := newTraining(60)
	tr.solver = solver(name, optim.Values{optim.LearningRate: 0.02})
	if _, ok := tr.solver.(optim.LossSolver); !ok {
		tr.solver = optim.Scheduled(tr.solver, func(k int, _ gorgonia.ValueGrad) float64 { return optim.Cosine(k, 60) })
	}
	if validated {
		d := noisyLine(40)
		tr.Validate = func() (float64, error) { return math.Sqrt(tr.line.loss(d) / 20), nil }
		tr.ValidateEvery, tr.Patience = 3, 20
	} else {
		tr.Training, tr.TrainingEvery = func() (float64, error) { return 2 + math.Sin(1e3*tr.line.theta()[0]), nil }, 7
	}
	tr.Due = func() bool { return true }
	tr.Save = func(c optim.Checkpoint) {
		*checkpoints = append(*checkpoints, saved{testenv.Must(json.Marshal(c)), tr.line.theta()})
	}
	return tr
}

// resume returns the same training from the checkpoint on.
func (m saved) resume(name string, validated bool) *training {
	var checkpoints []saved
	tr := saving(name, validated, &checkpoints)
	copy(tr.line.slope.value.Float64s(), m.theta)
	copy(tr.line.intercept.value.Float64s(), m.theta[2:])
	tr.From = new(optim.Checkpoint)
	if err := json.Unmarshal(m.checkpoint, tr.From); err != nil {
		panic(err)
	}
	return tr
}

// A training that resumes from any of its checkpoints ends as the uninterrupted one, to the bit: parameters,
// result, metrics. So it does if the context ended it.
func TestCheckpointResumes(t *testing.T) {
	for _, name := range optim.Solvers() {
		for _, validated := range []bool{false, true} {
			var checkpoints []saved
			whole := saving(name, validated, &checkpoints)
			var metrics []optim.Metrics
			whole.OnIteration = func(m optim.Metrics) error { metrics = append(metrics, m); return nil }
			want := testenv.Must(whole.run())
			ctx, cancel := context.WithCancel(context.Background())
			var interrupted []saved
			cut := saving(name, validated, &interrupted)
			cut.ctx, cut.Due = ctx, func() bool { return false }
			cut.OnIteration = func(m optim.Metrics) error {
				if m.Iteration == 7 {
					cancel()
				}
				return nil
			}
			if _, err := cut.run(); !errors.Is(err, context.Canceled) || len(interrupted) != 1 {
				t.Fatalf("%s: interrupted: %v, %d checkpoints", name, err, len(interrupted))
			}
			if string(interrupted[0].checkpoint) != string(checkpoints[6].checkpoint) {
				t.Errorf("%s: the checkpoint of an interrupt is not that after iteration 7", name)
			}
			for i, s := range checkpoints {
				again := s.resume(name, validated)
				made := i + 1
				again.OnIteration = func(m optim.Metrics) error {
					if w := metrics[made]; m.Iteration != w.Iteration || m.Loss != w.Loss || (m.Validation == nil) != (w.Validation == nil) {
						t.Errorf("%s from %d: metrics %+v, want %+v", name, i+1, m, w)
					}
					made++
					return nil
				}
				got, err := again.run()
				if err != nil || got != want || !sameBits(again.line.theta(), whole.line.theta()) {
					t.Errorf("%s, validation %t, from iteration %d: %+v, %v at %v; want %+v at %v",
						name, validated, i+1, got, err, again.line.theta(), want, whole.line.theta())
				}
			}
		}
	}
}

// What cannot be a checkpoint of the training is refused, and no parameter is touched.
func TestCheckpointRefused(t *testing.T) {
	var checkpoints []saved
	testenv.OK(t, testenv.Err(saving("adam", true, &checkpoints).run()))
	nan := math.NaN()
	for name, spoil := range map[string]func(c *optim.Checkpoint){
		"iteration 61 of 60":    func(c *optim.Checkpoint) { c.Iteration = 61 },
		"iteration -1 of 60":    func(c *optim.Checkpoint) { c.Iteration = -1 },
		"best iteration is 11":  func(c *optim.Checkpoint) { c.Best = 11 },
		"best iteration is -1":  func(c *optim.Checkpoint) { c.Best = -1 },
		"-1 samples":            func(c *optim.Checkpoint) { c.Skipped = -1 },
		"10 iterations blown":   func(c *optim.Checkpoint) { c.BlownUp = 10 },
		"11 steps in 10":        func(c *optim.Checkpoint) { c.Solver.Step = 11 },
		"lowest figure is NaN":  func(c *optim.Checkpoint) { c.Figure = &nan },
		"kept: 1 parameters":    func(c *optim.Checkpoint) { c.Kept = c.Kept[:1] },
		"kept: parameter 0 has": func(c *optim.Checkpoint) { c.Kept[0] = c.Kept[0][:1] },
		"kept is NaN":           func(c *optim.Checkpoint) { c.Kept[1][0] = nan },
		"of this training": func(c *optim.Checkpoint) {
			for name, m := range c.Solver.Moments {
				c.Solver.Moments[name] = m[:1]
			}
		},
		"of solver":  func(c *optim.Checkpoint) { c.Solver.Solver = "sgd" },
		"batch size": func(c *optim.Checkpoint) { c.Sampler.Batch = 3 },
	} {
		tr := checkpoints[9].resume("adam", true)
		before := slices.Clone(tr.line.theta())
		spoil(tr.From)
		r, err := tr.run()
		wantError(t, err, optim.ErrState, name)
		if r.Stopped != "" || !sameBits(tr.line.theta(), before) {
			t.Errorf("%s: %+v, parameters touched: %t", name, r, !sameBits(tr.line.theta(), before))
		}
	}
	tr := newTraining(5)
	tr.Due = func() bool { return true }
	_, err := tr.run()
	wantError(t, err, optim.ErrOption, "Save and Due go together")
}

// A training of 30 iterations whose error, measured after 10, 20 and the last, is that of the figures, ends with the
// parameters of the least one.
func TestBestOfTraining(t *testing.T) {
	stop := errors.New("stop")
	for name, c := range map[string]struct {
		figures  []float64
		until    int // the iteration that ends training; 0: none
		by       error
		keepLast bool
		want     optim.Result
	}{
		"worse at the end": {figures: []float64{5, 3, 4},
			want: optim.Result{Iterations: 30, Best: 20, Stopped: "completed", BestTraining: 3, LastTraining: 4}},
		"within 1%": {figures: []float64{5, 3, 3.02}, want: optim.Result{Iterations: 30, Best: 30, Stopped: "completed"}},
		"the last are wanted": {figures: []float64{5, 3}, keepLast: true,
			want: optim.Result{Iterations: 30, Best: 30, Stopped: "completed"}},
		"interrupted": {figures: []float64{5, 3, 3.02}, until: 25, by: context.Canceled,
			want: optim.Result{Iterations: 25, Best: 20, Stopped: "interrupted", BestTraining: 3, LastTraining: 3.02}},
		"interrupted at its best": {figures: []float64{5, 3, 2}, until: 25, by: context.Canceled,
			want: optim.Result{Iterations: 25, Best: 25, Stopped: "interrupted"}},
		"interrupted before measured": {until: 9, by: context.Canceled, want: optim.Result{Iterations: 9, Best: 9, Stopped: "interrupted"}},
		"ended by a callback": {figures: []float64{3, 5}, until: 15, by: stop,
			want: optim.Result{Iterations: 15, Best: 10, Stopped: "failed", BestTraining: 3, LastTraining: 5}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		tr, calls := newTraining(30), 0
		after := [][]float64{tr.line.theta()}
		tr.ctx, tr.TrainingEvery, tr.KeepLast = ctx, 10, c.keepLast
		tr.Training = func() (float64, error) {
			if calls++; calls > len(c.figures) {
				t.Fatalf("%s: measured %d times", name, calls)
			}
			return c.figures[calls-1], nil
		}
		tr.OnIteration = func(m optim.Metrics) error {
			if after = append(after, tr.line.theta()); m.Iteration != c.until {
				return nil
			}
			if cancel(); c.by == stop {
				return stop
			}
			return nil
		}
		r, err := tr.run()
		if cancel(); !errors.Is(err, c.by) || r != c.want || calls != len(c.figures) {
			t.Errorf("%s: %+v, want %+v; measured %d times; %v", name, r, c.want, calls, err)
		}
		if !sameBits(tr.line.theta(), after[r.Best]) {
			t.Errorf("%s: the parameters are not those of iteration %d", name, r.Best)
		}
	}
}

// A training that diverges ends with the parameters of the least error of training.
func TestDivergedKeepsBestOfTraining(t *testing.T) {
	tr := newTraining(100)
	tr.obj = &meddler{line: tr.line, meddle: func(k int, data, _ *float64, _ *int) error {
		if k > 60 {
			*data = 1e12
		}
		return nil
	}}
	figures := []float64{5, 3, 4, 4, 4, 4}
	tr.TrainingEvery, tr.Training = 10, func() (float64, error) {
		next := figures[0]
		figures = figures[1:]
		return next, nil
	}
	if r, err := tr.run(); !errors.Is(err, optim.ErrDiverged) || r.Best != 20 {
		t.Errorf("%+v, %v", r, err)
	}
}
