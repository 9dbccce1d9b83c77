package optim_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
)

func newANFIS(t *testing.T) optim.LossSolver {
	t.Helper()
	return solver("anfis", nil).(optim.LossSolver)
}

// Jang's rule by hand: 0.01, times 1.1 after four falls in a row, times 0.9 after two rises and falls in turn. Losses
// that took part in a change count no more.
func TestStepSizeByHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		losses []float64
		want   []float64 // step size after each
	}{
		{"four falls", []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}, []float64{.01, .01, .01, .01, .011, .011, .011, .011, .0121}},
		{"three falls", []float64{9, 8, 7, 6, 6, 5, 4, 3, 2}, []float64{.01, .01, .01, .01, .01, .01, .01, .01, .011}},
		{"two rises and falls", []float64{5, 6, 4, 6, 4, 6, 4, 6, 4}, []float64{.01, .01, .01, .01, .009, .009, .009, .009, .0081}},
		{"begins with a fall", []float64{7, 5, 6, 4, 6, 4}, []float64{.01, .01, .01, .01, .01, .009}},
		{"rises", []float64{1, 2, 3, 4, 5, 6, 7}, []float64{.01, .01, .01, .01, .01, .01, .01}},
		{"one rise and fall, then falls", []float64{5, 6, 4, 3, 2, 1}, []float64{.01, .01, .01, .01, .01, .011}},
		{"falls after a change", []float64{5, 6, 4, 6, 4, 3, 2, 1, 0}, []float64{.01, .01, .01, .01, .009, .009, .009, .009, .0099}},
	} {
		s := newANFIS(t)
		for k, loss := range c.losses {
			s.Observe(loss)
			if got := s.State().StepSize; math.Abs(got-c.want[k]) > 1e-15 {
				t.Errorf("%s: after %v the step size is %v, want %v", c.name, c.losses[:k+1], got, c.want[k])
			}
		}
	}
}

// The step is as long as the step size whatever the gradient's size, and goes down the gradient of all parameters.
func TestANFISStepByHand(t *testing.T) {
	for _, scale := range []float64{1, 1e-200, 1e150} {
		s, p, q := newANFIS(t), newParam("p", 1, 2), newParam("q", 3)
		copy(p.grad.Float64s(), []float64{3 * scale, 0})
		q.grad.Float64s()[0] = -4 * scale
		testenv.OK(t, s.Step(list(p, q)))
		for i, got := range append(p.value.Float64s(), q.value.Float64s()...) {
			if want := []float64{1 - 0.006, 2, 3 + 0.008}[i]; math.Abs(got-want) > 1e-15 {
				t.Errorf("gradient of size %v: element %d is %v, want %v", scale, i, got, want)
			}
		}
	}
	s, p := newANFIS(t), newParam("p", 1)
	if err := s.Step(list(p)); err != nil || p.value.Float64s()[0] != 1 {
		t.Errorf("without a gradient p is %v, %v", p.value.Float64s(), err)
	}
	p.grad.Float64s()[0] = math.NaN()
	testenv.FailsIs(t, s.Step(list(p)), optim.ErrDiverged, "")
	wantError(t, s.Step(list(newParam("p", 1, 2))), optim.ErrParameter, "in earlier steps 1")
}

// A state that cannot be of the rule is refused; TestCheckpointResumes continues from good ones.
func TestANFISRestoreRefuses(t *testing.T) {
	good := optim.State{Solver: "anfis", StepSize: 0.01}
	for want, change := range map[string]func(*optim.State){
		`solver "adam"`: func(s *optim.State) { s.Solver = "adam" },
		"step is -1":    func(s *optim.State) { s.Step = -1 },
		"no moments":    func(s *optim.State) { s.Moments = map[string][][]float64{"m": {{1}}} },
		"size is 0":     func(s *optim.State) { s.StepSize = 0 },
		"size is +Inf":  func(s *optim.State) { s.StepSize = math.Inf(1) },
		"6 losses":      func(s *optim.State) { s.Losses = make([]float64, 6) },
		"loss 1 is NaN": func(s *optim.State) { s.Losses = []float64{0, math.NaN()} },
	} {
		st := good
		change(&st)
		wantError(t, newANFIS(t).Restore(st), optim.ErrState, want)
	}
	testenv.OK(t, newANFIS(t).Restore(good))
	adam := solver("adam", nil)
	st := adam.State()
	st.StepSize = 1
	wantError(t, adam.Restore(st), optim.ErrState, "step size")
}

// Of full batches, training keeps the parameters of the lowest loss, which is not the last one when steps are long; a
// validation, if there is one, decides instead.
func TestLossSolverKeepsTheLowestLoss(t *testing.T) {
	d := noisyLine(200)
	tr := newTraining(300)
	tr.batches = testenv.Must(newSampler(d, 200, 1, 1, 1))
	tr.solver = testenv.Must(optim.New(&optim.ANFIS{LearningRate: 0.3}))
	lowest, at := math.Inf(1), 0
	tr.OnIteration = func(m optim.Metrics) error {
		if m.Loss < lowest {
			lowest, at = m.Loss, m.Iteration-1 // before the update
		}
		return nil
	}
	before := tr.line.loss(d)
	r := testenv.Must(tr.run())
	if r.Best != at || at == 299 || r.Stopped != optim.StoppedCompleted {
		t.Errorf("%+v, want the parameters after iteration %d", r, at)
	}
	if after := tr.line.loss(d); after != lowest || after > 0.01*before {
		t.Errorf("loss from %g to %g, the lowest was %g", before, after, lowest)
	}

	tr = newTraining(50)
	tr.batches = testenv.Must(newSampler(d, 200, 1, 1, 1))
	tr.solver = newANFIS(t)
	calls := 0.0
	tr.Validate = func() (float64, error) { calls++; return calls, nil } // the first is the best
	if r := testenv.Must(tr.run()); r.Best != 10 {
		t.Errorf("with a validation: %+v", r)
	}
}

func TestCosine(t *testing.T) {
	for _, c := range []struct {
		k    int
		want float64
	}{{1, 1}, {5, 0.5}, {3, (1 + math.Sqrt2/2) / 2}, {9, 0}, {100, 0}} {
		if got := optim.Cosine(c.k, 8); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("step %d of 8: %v, want %v", c.k, got, c.want)
		}
	}
}

// TestScheduledObserves: a schedule keeps the ability to use the loss: with shares of one, the steps are those of the solver.
func TestScheduledObserves(t *testing.T) {
	for _, name := range optim.Solvers() {
		plain, a, b := solver(name, nil), twoParams(), twoParams()
		s := optim.Scheduled(solver(name, nil), func(int, gorgonia.ValueGrad) float64 { return 1 })
		_, want := plain.(optim.LossSolver)
		if _, got := s.(optim.LossSolver); got != want {
			t.Errorf("%s: uses the loss: %v, scheduled %v", name, want, got)
		}
		for range 30 { // the loss falls, so that anfis makes longer steps
			for _, step := range []error{
				stepOn(plain, a, func(p, i int) float64 { return a[p].(*param).value.Float64s()[i] }),
				stepOn(s, b, func(p, i int) float64 { return b[p].(*param).value.Float64s()[i] }),
			} {
				if step != nil {
					t.Fatal(step)
				}
			}
		}
		if !sameBits(values(a), values(b)) {
			t.Errorf("%s: %v, scheduled %v", name, values(a), values(b))
		}
	}
}

// TestScheduledEdges: no schedule is the solver itself, and a share that is not finite moves nothing.
func TestScheduledEdges(t *testing.T) {
	s := solver("adam", nil)
	if optim.Scheduled(s, nil) != s || optim.Scheduled(nil, func(int, gorgonia.ValueGrad) float64 { return 1 }) != nil {
		t.Error("without a schedule, or a solver, another one")
	}
	params := twoParams()
	s = optim.Scheduled(s, func(int, gorgonia.ValueGrad) float64 { return math.NaN() })
	wantError(t, stepOn(s, params, wave(1)), optim.ErrOption, "the schedule is NaN for parameter 0 (a) at step 1")
	if !sameBits(values(params), values(twoParams())) || s.State().Step != 0 {
		t.Errorf("moved to %v, step %d", values(params), s.State().Step)
	}
}
