package optim_test

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/optim"
)

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

// halved is a schedule that halves the steps of one parameter, from step 2 on.
func halved(slow gorgonia.ValueGrad) optim.Schedule {
	return func(k int, p gorgonia.ValueGrad) float64 {
		if p == slow && k >= 2 {
			return 0.5
		}
		return 1
	}
}

func TestScheduledScalesSteps(t *testing.T) {
	for _, name := range optim.Solvers() {
		plain, slow, same := solver(name, nil), newParam("slow", 1, 2), newParam("same", 3)
		free := list(newParam("slow", 1, 2), newParam("same", 3))
		s := optim.Scheduled(solver(name, nil), halved(slow))
		for k := 1; k <= 3; k++ {
			before := [2]float64{slow.value.Float64s()[1], free[0].(*param).value.Float64s()[1]}
			for _, p := range []*param{slow, same, free[0].(*param), free[1].(*param)} {
				for j := range p.grad.Float64s() {
					p.grad.Float64s()[j] = float64(k) - 1.5
				}
			}
			if err := s.Step(list(slow, same)); err != nil {
				t.Fatal(err)
			}
			if err := plain.Step(free); err != nil {
				t.Fatal(err)
			}
			moved, full := slow.value.Float64s()[1]-before[0], free[0].(*param).value.Float64s()[1]-before[1]
			want := full
			if k >= 2 {
				want /= 2
			}
			if math.Abs(moved-want) > 1e-15 || moved == 0 {
				t.Errorf("%s, step %d: moved by %g, want %g", name, k, moved, want)
			}
			if !sameBits(same.value.Float64s(), free[1].(*param).value.Float64s()) {
				t.Errorf("%s, step %d: the parameter with the full share differs", name, k)
			}
		}
	}
}

func TestScheduledDoesNotAllocate(t *testing.T) {
	s := optim.Scheduled(solver("adam", nil), func(k int, _ gorgonia.ValueGrad) float64 { return optim.Cosine(k, 500) })
	params := list(newParam("a", 1, 2, 3), newParam("b", 4))
	if n := testing.AllocsPerRun(100, func() { _ = s.Step(params) }); n != 0 {
		t.Errorf("%g allocations per step", n)
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
	if optim.Scheduled(s, nil) != s || optim.Scheduled(nil, halved(nil)) != nil {
		t.Error("without a schedule, or a solver, another one")
	}
	params := twoParams()
	s = optim.Scheduled(s, func(int, gorgonia.ValueGrad) float64 { return math.NaN() })
	wantError(t, stepOn(s, params, wave(1)), optim.ErrOption, "the schedule is NaN for parameter 0 (a) at step 1")
	if !sameBits(values(params), values(twoParams())) || s.State().Step != 0 {
		t.Errorf("moved to %v, step %d", values(params), s.State().Step)
	}
}
