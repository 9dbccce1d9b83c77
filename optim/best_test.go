package optim_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
)

// A training of 30 iterations whose error, measured after 10, 20 and the last, is that of the figures, ends with the parameters of the least one.
func TestBestOfTraining(t *testing.T) {
	stop := errors.New("stop")
	for name, c := range map[string]struct {
		figures  []float64
		until    int // the iteration that ends training; 0: none
		by       error
		keepLast bool
		want     optim.Result
	}{
		"worse at the end":            {figures: []float64{5, 3, 4}, want: optim.Result{Iterations: 30, Best: 20, Stopped: "completed", BestTraining: 3, LastTraining: 4}},
		"within 1%":                   {figures: []float64{5, 3, 3.02}, want: optim.Result{Iterations: 30, Best: 30, Stopped: "completed"}},
		"the last are wanted":         {figures: []float64{5, 3}, keepLast: true, want: optim.Result{Iterations: 30, Best: 30, Stopped: "completed"}},
		"interrupted":                 {figures: []float64{5, 3, 3.02}, until: 25, by: context.Canceled, want: optim.Result{Iterations: 25, Best: 20, Stopped: "interrupted", BestTraining: 3, LastTraining: 3.02}},
		"interrupted at its best":     {figures: []float64{5, 3, 2}, until: 25, by: context.Canceled, want: optim.Result{Iterations: 25, Best: 25, Stopped: "interrupted"}},
		"interrupted before measured": {until: 9, by: context.Canceled, want: optim.Result{Iterations: 9, Best: 9, Stopped: "interrupted"}},
		"ended by a callback":         {figures: []float64{3, 5}, until: 15, by: stop, want: optim.Result{Iterations: 15, Best: 10, Stopped: "failed", BestTraining: 3, LastTraining: 5}},
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
