package optim_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
)

// training is one call of Train, with the usual parts unless a test replaces them.
type training struct {
	ctx     context.Context
	line    *line
	obj     optim.Objective
	solver  optim.Solver
	batches optim.Batches
	optim.Options
}

func newTraining(iterations int) *training {
	l := newLine(2)
	return &training{
		ctx: context.Background(), line: l, obj: l,
		solver:  solver("adabound", nil),
		batches: testenv.Must(newSampler(noisyLine(200), 16, 1, 1, 1)),
		Options: optim.Options{Iterations: iterations},
	}
}

func (tr *training) run() (optim.Result, error) {
	return optim.Train(tr.ctx, tr.obj, tr.solver, tr.batches, tr.Options)
}

// meddler is an Objective whose evaluations can be tampered with; k counts them from 1.
type meddler struct {
	*line
	k       int
	meddle  func(k int, data, penalty *float64, skipped *int) error
	project func()
}

func (m *meddler) Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error) {
	m.k++
	data, penalty, skipped, err = m.line.Evaluate(x, target, mask, weight)
	if m.meddle != nil {
		err = m.meddle(m.k, &data, &penalty, &skipped)
	}
	return data, penalty, skipped, err
}

func (m *meddler) Project() {
	if m.project != nil {
		m.project()
	}
}

func TestMetrics(t *testing.T) {
	tr := newTraining(25)
	d := noisyLine(200)
	for i := range d.Y {
		d.Weight = append(d.Weight, float64(i%3))
	}
	tr.batches = testenv.Must(newSampler(d, 200, 1, 1, 1)) // full batches: the loss can be computed beside it
	tr.obj = &meddler{line: tr.line, meddle: func(k int, data, penalty *float64, skipped *int) error {
		*penalty = 0.5
		if k == 7 {
			*skipped, *data = 200, 0
		}
		if k == 8 {
			*skipped = 50
		}
		return nil
	}}
	tr.Validate = func() (float64, error) { return 100 - float64(tr.obj.(*meddler).k), nil }
	var validated []int
	tr.OnIteration = func(m optim.Metrics) error {
		if m.Iteration != tr.obj.(*meddler).k || m.Penalty != 0.5 {
			t.Errorf("metrics %+v at evaluation %d", m, tr.obj.(*meddler).k)
		}
		if m.Validation != nil {
			validated = append(validated, m.Iteration)
			testenv.Equal(t, *m.Validation, 100-float64(m.Iteration), "validation at %d", m.Iteration)
		}
		var sum float64
		for _, w := range d.Weight {
			sum += w
		}
		sum *= float64(200-m.Skipped) / 200
		want := 0.0
		if sum > 0 {
			want = math.Sqrt(2 * (m.Loss - 0.5) / sum)
		}
		if math.Abs(m.Batch-want) > 1e-9 {
			t.Errorf("iteration %d: RMSE %g, want %g", m.Iteration, m.Batch, want)
		}
		if (m.Skipped == 200) != (m.Iteration == 7) || (m.Skipped == 50) != (m.Iteration == 8) {
			t.Errorf("iteration %d: %d skipped", m.Iteration, m.Skipped)
		}
		return nil
	}
	r := testenv.Must(tr.run())
	testenv.Equal(t, validated, []int{10, 20, 25}, "validated")
	testenv.Equal(t, r, (optim.Result{Iterations: 25, Best: 25, BestValidation: 75, Skipped: 250, Stopped: "completed"}), "result")
}

// The model of the lowest validation RMSE is kept, and it is not the last one.
func TestEarlyStoppingKeepsTheBest(t *testing.T) {
	rmse := map[int]float64{5: 3, 10: 2, 15: 2, 20: 2.5, 25: 4, 30: 1}
	for _, c := range []struct {
		iterations, patience int
		want                 optim.Result
	}{
		{20, 10, optim.Result{Iterations: 20, Best: 10, BestValidation: 2, Stopped: "completed"}}, // the last one anyway
		{30, 0, optim.Result{Iterations: 30, Best: 30, BestValidation: 1, Stopped: "completed"}},
		{30, 10, optim.Result{Iterations: 20, Best: 10, BestValidation: 2, Stopped: "patience"}},
		{30, 11, optim.Result{Iterations: 25, Best: 10, BestValidation: 2, Stopped: "patience"}},
		{30, 16, optim.Result{Iterations: 30, Best: 30, BestValidation: 1, Stopped: "completed"}},
	} {
		tr := newTraining(c.iterations)
		k, thetas := 0, map[int][]float64{}
		tr.ValidateEvery, tr.Patience = 5, c.patience
		tr.Validate = func() (float64, error) {
			k += 5
			thetas[k] = tr.line.theta()
			return rmse[k], nil
		}
		r, err := tr.run()
		if err != nil || r != c.want {
			t.Errorf("patience %d: %+v, %v; want %+v", c.patience, r, err, c.want)
		}
		if !sameBits(tr.line.theta(), thetas[r.Best]) {
			t.Errorf("patience %d: the parameters are not those of iteration %d", c.patience, r.Best)
		}
		if r.Best != r.Iterations && sameBits(tr.line.theta(), thetas[r.Iterations]) {
			t.Errorf("patience %d: the test does not see the last parameters being kept", c.patience)
		}
	}
}

// After each update, before anything looks at the parameters, they are projected.
func TestProjection(t *testing.T) {
	tr := newTraining(100)
	slope := tr.line.slope.value.Float64s()
	tr.obj = &meddler{line: tr.line, project: func() { slope[0] = min(slope[0], 0.25) }}
	tr.OnIteration = func(m optim.Metrics) error {
		if slope[0] > 0.25 {
			t.Errorf("iteration %d: slope %g", m.Iteration, slope[0])
		}
		return nil
	}
	testenv.Must(tr.run())
	testenv.Equal(t, slope[0], 0.25, "slope: the projection was not put to the test")
}

func TestLoopDoesNotAllocate(t *testing.T) {
	allocs := func(iterations int) float64 {
		return testing.AllocsPerRun(5, func() {
			tr := newTraining(iterations)
			tr.solver = optim.Scheduled(tr.solver, func(k int, _ gorgonia.ValueGrad) float64 { return optim.Cosine(k, 2000) })
			tr.OnIteration = func(optim.Metrics) error { return nil }
			testenv.Must(tr.run())
		})
	}
	if short, long := allocs(10), allocs(1010); long > short {
		t.Errorf("%g allocations in 10 iterations, %g in 1010", short, long)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	tr := newTraining(1000)
	tr.ctx = ctx
	var last []float64
	tr.OnIteration = func(m optim.Metrics) error {
		if last = tr.line.theta(); m.Iteration == 17 {
			cancel()
		}
		return nil
	}
	r, err := tr.run()
	wantError(t, err, context.Canceled, "interrupted", "17")
	testenv.Equal(t, r, (optim.Result{Iterations: 17, Best: 17, Stopped: "interrupted"}), "result")
	if !sameBits(tr.line.theta(), last) {
		t.Error("the parameters are not the last ones")
	}
}

func TestCancelKeepsTheBest(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	tr := newTraining(1000)
	tr.ctx, tr.ValidateEvery = ctx, 1
	k, best := 0, []float64(nil)
	tr.Validate = func() (float64, error) {
		switch k++; k {
		case 4:
			best = tr.line.theta()
		case 8:
			cancel()
			return 0, ctx.Err() // a validation that gives up with the context
		}
		return math.Abs(float64(k - 4)), nil
	}
	r, err := tr.run()
	wantError(t, err, context.Canceled, "iteration 8")
	if r.Stopped != "interrupted" || r.Best != 4 || !sameBits(tr.line.theta(), best) {
		t.Errorf("%+v", r)
	}
}

func TestFailures(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		change func(*training)
		made   int
	}{
		"evaluate": {func(tr *training) {
			tr.obj = &meddler{line: tr.line, meddle: func(k int, _, _ *float64, _ *int) error {
				if k == 3 {
					return boom
				}
				return nil
			}}
		}, 2},
		"validate": {func(tr *training) { tr.ValidateEvery, tr.Validate = 3, func() (float64, error) { return 0, boom } }, 3},
		"callback": {func(tr *training) {
			tr.OnIteration = func(m optim.Metrics) error {
				if m.Iteration == 3 {
					return boom
				}
				return nil
			}
		}, 3},
	} {
		tr := newTraining(10)
		c.change(tr)
		r, err := tr.run()
		wantError(t, err, boom, "iteration 3")
		if r.Stopped != "failed" || r.Iterations != c.made {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestTrainRefuses(t *testing.T) {
	validate := func() (float64, error) { return 0, nil }
	for word, change := range map[string]func(*training){
		"iterations is 0":                 func(tr *training) { tr.Iterations = 0 },
		"validations is -1":               func(tr *training) { tr.Validate, tr.ValidateEvery = validate, -1 },
		"patience is -1":                  func(tr *training) { tr.Validate, tr.Patience = validate, -1 },
		"patience is 5, but there is no":  func(tr *training) { tr.Patience = 5 },
		"validations is 5, but there is ": func(tr *training) { tr.ValidateEvery = 5 },
		"nil":                             func(tr *training) { tr.obj = nil },
	} {
		tr := newTraining(10)
		change(tr)
		r, err := tr.run()
		wantError(t, err, optim.ErrOption, word)
		testenv.Equal(t, r.Stopped, "", "%s: result %+v", word, r)
	}
	tr := newTraining(10)
	tr.line.params[1] = nil
	_, err := tr.run()
	wantError(t, err, optim.ErrParameter, "parameter 1")
}
