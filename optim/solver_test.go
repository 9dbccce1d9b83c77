package optim_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func TestStepRefuses(t *testing.T) {
	half := newParam("w", 1)
	half.value = tensor.New(tensor.WithShape(1), tensor.Of(tensor.Float32))
	lazy := newParam("w", 1, 2, 3, 4, 5, 6)
	lazy.value = tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	lazy.grad = tensor.New(tensor.WithShape(2, 3), tensor.Of(tensor.Float64))
	testenv.OK(t, lazy.value.T())
	short := newParam("w", 1, 2)
	short.grad = tensor.New(tensor.WithShape(1), tensor.Of(tensor.Float64))
	good := newParam("good", 1)
	for _, c := range []struct {
		params []gorgonia.ValueGrad
		words  []string
	}{
		{nil, []string{"none"}},
		{[]gorgonia.ValueGrad{good, nil}, []string{"parameter 1", "nil"}},
		{list(good, half), []string{"parameter 1 (w)", "float32"}},
		{list(good, lazy), []string{"parameter 1 (w)", "contiguous"}},
		{list(good, short), []string{"parameter 1 (w)", "shape"}},
		{[]gorgonia.ValueGrad{noGrad{good}}, []string{"parameter 0 (good)", "no gradient yet"}},
	} {
		s := solver("adabound", nil)
		wantError(t, s.Step(c.params), optim.ErrParameter, c.words...)
		testenv.Equal(t, s.State().Step, 0, "a refused step was counted")
	}
	s := solver("adabound", nil)
	testenv.OK(t, s.Step(list(good)))
	wantError(t, s.Step(list(good, good)), optim.ErrParameter, "2 parameters", "1")
	wantError(t, s.Step(list(newParam("longer", 1, 2))), optim.ErrParameter, "(longer)", "2 elements")
}

type noGrad struct{ *param }

func (noGrad) Grad() (gorgonia.Value, error) { return nil, errors.New("no gradient yet") }

// A contiguous part of a larger tensor is updated in place, and only that part.
func TestStepOnPartOfTensor(t *testing.T) {
	whole := tensor.New(tensor.WithShape(3, 2), tensor.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	row := testenv.Must(whole.Slice(gorgonia.S(1))).(*tensor.Dense)
	p := &param{"row", row, tensor.New(tensor.WithShape(2), tensor.WithBacking([]float64{1, 2}))}
	s := testenv.Must(optim.New(&optim.SGD{LearningRate: 0.5}))
	testenv.OK(t, s.Step(list(p)))
	testenv.Equal(t, whole.Float64s(), []float64{1, 2, 2.5, 3, 5, 6}, "the tensor")
}

// Two steps of AdaBound from theta = 1 with alpha = 0.02 and final_lr = 0.01, the rest default, on three elements:
// the first takes Adam's rate, the second the lower bound, the third the upper bound. Computed with 40 decimal digits:
//
//	k=1: lower = 0.01 (1 - 1/1.001) = 9.99000999e-06, upper = 0.01 (1 + 1/0.001) = 10.01
//	  g = 0.5   mhat = 0.5   vhat = 0.25   0.02/(0.5+1e-8)  = 0.0399999992   rate = 0.0399999992     theta = 0.9800000003999999920
//	  g = 1e5   mhat = 1e5   vhat = 1e10   0.02/(1e5+1e-8)  = 2e-07          rate = lower            theta = 0.0009990009990009990
//	  g = 1e-4  mhat = 1e-4  vhat = 1e-8   0.02/(1e-4+1e-8) = 199.98         rate = upper            theta = 0.998999
//	k=2: lower = 0.01 (1 - 1/1.002) = 1.996007984e-05, upper = 0.01 (1 + 1/0.002) = 5.01
//	  g = -0.25 m = 0.9*0.05 - 0.1*0.25 = 0.02, mhat = 0.02/0.19 = 0.1052631579
//	            v = 0.999*0.00025 + 0.001*0.0625 = 0.00031225, vhat = v/0.001999 = 0.1562031016
//	            rate = 0.02/(sqrt(vhat)+1e-8) = 0.05060403626                                theta = 0.9746732597415692325
//	  g = 3e5   m = 9e3 + 3e4 = 39000, mhat = 205263.1579, vhat = 5.002001001e10, rate = lower  theta = -4.0960700188560257895
//	  g = 2e-4  m = 9e-6 + 2e-5 = 2.9e-5, mhat = 1.526315789e-4, vhat = 2.5e-8,   rate = upper  theta = 0.9982343157894736842
//
// The others step from theta = 1 with gradients 0.5 and -0.25, all defaults unless said:
//
//	adam     0.001 mhat/(sqrt(vhat)+1e-8), mhat and vhat as for AdaBound
//	rmsprop  v = 0.1*0.25 = 0.025, then 0.9*0.025 + 0.1*0.0625 = 0.02875; 0.001 g/(sqrt(v)+1e-8)
//	sgd      v = 0.5: 1 - 0.1*0.5 = 0.95; v = 0.9*0.5 - 0.25 = 0.2: 0.95 - 0.1*0.2 = 0.93
//
// The tolerance of AdaBound covers the rounding of 1 - beta2 and of 1 - 1/1.001; likely misreadings are off by 1e-4 and more.
func TestSolversByHand(t *testing.T) {
	one := [2][]float64{{0.5}, {-0.25}}
	for _, c := range []struct {
		method        optim.Method
		grads, thetas [2][]float64
		tolerance     float64
	}{
		{&optim.Adam{}, one, [2][]float64{{0.9990000000199999996}, {0.9987336629870784616}}, 1e-15},
		{&optim.RMSProp{}, one, [2][]float64{{0.9968377225398316080}, {0.9983121420144240627}}, 1e-15},
		{&optim.SGD{LearningRate: 0.1, Momentum: 0.9}, one, [2][]float64{{0.95}, {0.93}}, 1e-15},
		{&optim.AdaBound{LearningRate: 0.02}, [2][]float64{{0.5, 1e5, 1e-4}, {-0.25, 3e5, 2e-4}}, [2][]float64{
			{0.9800000003999999920, 0.0009990009990009990, 0.998999},
			{0.9746732597415692325, -4.0960700188560257895, 0.9982343157894736842},
		}, 1e-12},
	} {
		s, p := testenv.Must(optim.New(c.method)), newParam("theta", slices.Repeat([]float64{1}, len(c.grads[0]))...)
		for k, grads := range c.grads {
			copy(p.grad.Float64s(), grads)
			testenv.OK(t, s.Step(list(p)))
			for i, want := range c.thetas[k] {
				if got := p.value.Float64s()[i]; math.Abs(got-want) > c.tolerance {
					t.Errorf("%s, step %d, element %d: theta is %.17g, want %.17g", c.method.Name(), k+1, i, got, want)
				}
			}
		}
	}
}

// One step with alpha = 0.02, final_lr = 2 and gamma = 1, so that the bound is 2f, and p = 1, on the gradients
// 1, 7 and 0.01 of one parameter: vhat is 1, 49 and 0.0001, their mean 16.6667, Adam's rates are 0.02, 0.02/7 and 2, and
//
//	f = 2 * 0.02/sqrt(50.0001/3) = 0.00979795
//
// so the first and the third take the bound, the second Adam's rate. p = 0.5 gives f = 2 sqrt(0.02/sqrt(50.0001/3)),
// which is 0.13998536: the bound is above the first two rates.
func TestAdaBoundRelativeByHand(t *testing.T) {
	for _, c := range []struct {
		relative float64
		rates    [3]float64
	}{
		{1, [3]float64{2 * 0.0097979492, 0.02 / 7, 2 * 0.0097979492}},
		{0.5, [3]float64{0.02, 0.02 / 7, 2 * 0.13998536}},
	} {
		s := testenv.Must(optim.New(&optim.AdaBound{LearningRate: 0.02, FinalLR: 2, Gamma: 1, Relative: c.relative}))
		p, other := newParam("theta", 0, 0, 0), newParam("other", 0)
		grads := [3]float64{1, 7, 0.01}
		copy(p.grad.Float64s(), grads[:])
		other.grad.Float64s()[0] = 1e6 // of another parameter: without effect
		testenv.OK(t, s.Step(list(p, other)))
		for i, g := range grads {
			if got, want := -p.value.Float64s()[i]/g, c.rates[i]; math.Abs(got-want) > 1e-7*want {
				t.Errorf("p = %g, gradient %g: rate %.10g, want %.10g", c.relative, g, got, want)
			}
		}
	}
}

// Relative bounds do not depend on the scale of the loss, those of the paper do.
func TestAdaBoundRelativeIgnoresScale(t *testing.T) {
	run := func(v optim.Values, scale float64) []float64 {
		v[optim.LearningRate], v["epsilon"] = 0.02, 1e-300
		s, params := solver("adabound", v), twoParams()
		for k := 1; k <= 300; k++ {
			testenv.OK(t, stepOn(s, params, func(p, i int) float64 { return scale * wave(k)(p, i) }))
		}
		return values(params)
	}
	for _, c := range []struct {
		relative float64
		same     bool
	}{{0, false}, {0.5, false}, {1, true}} {
		v := func() optim.Values {
			return optim.Values{"final_lr": 0.5, "final_relative": c.relative, "final_gamma": 0.02}
		}
		testenv.Equal(t, sameBits(run(v(), 1), run(v(), 0x1p-10)), c.same, "p = %g: the same steps for gradients of another scale", c.relative)
	}
}

// With a relative bound no element moves further than by Adam, however much of the gradient it has.
func TestAdaBoundRelativeStaysWithinAdam(t *testing.T) {
	for _, relative := range []float64{0.5, 1} {
		bound, adam := solver("adabound", optim.Values{optim.LearningRate: 0.06, "final_lr": 6, "final_relative": relative}),
			solver("adam", optim.Values{optim.LearningRate: 0.06})
		p, q := newParam("theta", make([]float64, 100)...), newParam("theta", make([]float64, 100)...)
		for k := range 5000 {
			before, free := slices.Clone(p.value.Float64s()), slices.Clone(q.value.Float64s())
			for _, params := range [][]gorgonia.ValueGrad{list(p), list(q)} {
				for j := range 100 {
					params[0].(*param).grad.Float64s()[j] = math.Sin(float64(3*k+7*j)) * math.Exp(-float64(j))
				}
			}
			testenv.OK(t, errors.Join(bound.Step(list(p)), adam.Step(list(q))))
			for j, v := range p.value.Float64s() {
				if moved, most := math.Abs(v-before[j]), math.Abs(q.value.Float64s()[j]-free[j]); moved > most+1e-12 {
					t.Fatalf("p = %g, step %d: element %d moves by %g, by Adam %g", relative, k+1, j, moved, most)
				}
			}
		}
	}
}

// A schedule scales alpha and the bounds: it closes the bounds as it closes the step.
func TestAdaBoundBoundsFollowSchedule(t *testing.T) {
	const share = 0.25
	plain := optim.Values{optim.LearningRate: 0.5, "final_lr": 0.25, "final_gamma": 0.25}
	scaled := optim.Values{optim.LearningRate: 0.5 * share, "final_lr": 0.25 * share, "final_gamma": 0.25}
	fast, slow := newParam("fast", 0, 0), newParam("slow", 0, 0)
	scheduled := optim.Scheduled(solver("adabound", plain), func(_ int, p gorgonia.ValueGrad) float64 {
		if p == slow {
			return share
		}
		return 1
	})
	a, b := list(fast, slow), solver("adabound", scaled)
	alone := newParam("alone", 0, 0)
	for k := 1; k <= 40; k++ {
		wide := func(p, i int) float64 { return wave(k)(0, i) * math.Pow10(k%4-2) }
		for _, err := range []error{stepOn(scheduled, a, wide), stepOn(b, list(alone), wide)} {
			testenv.OK(t, err)
		}
		for i, want := range alone.value.Float64s() {
			if got := slow.value.Float64s()[i]; math.Abs(got-want) > 1e-12 {
				t.Fatalf("step %d: %g, with scaled alpha and final_lr %g", k, got, want)
			}
		}
	}
	if math.Abs(fast.value.Float64s()[0]-slow.value.Float64s()[0]) < 1e-3 {
		t.Errorf("both parameters moved to %g", fast.value.Float64s()[0])
	}
}

// Zero stands for gamma = 1 - beta2.
func TestAdaBoundGamma(t *testing.T) {
	run := func(gamma float64) []float64 {
		s, params := solver("adabound", optim.Values{"final_gamma": gamma, "beta2": 0.75}), twoParams()
		for k := 1; k <= 20; k++ {
			testenv.OK(t, stepOn(s, params, wave(k)))
		}
		return values(params)
	}
	if !sameBits(run(0), run(0.25)) || sameBits(run(0), run(0.125)) {
		t.Errorf("gamma 0: %v, 0.25: %v, 0.125: %v", run(0), run(0.25), run(0.125))
	}
}
