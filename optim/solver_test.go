package optim_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/optim"
)

// Two steps from theta = 1 with gradients 0.5 and -0.25, all defaults unless said, computed with 40 decimal digits:
//
//	adam     0.001 mhat/(sqrt(vhat)+1e-8), mhat and vhat as for AdaBound
//	rmsprop  v = 0.1*0.25 = 0.025, then 0.9*0.025 + 0.1*0.0625 = 0.02875; 0.001 g/(sqrt(v)+1e-8)
//	sgd      v = 0.5: 1 - 0.1*0.5 = 0.95; v = 0.9*0.5 - 0.25 = 0.2: 0.95 - 0.1*0.2 = 0.93
func TestOtherSolversByHand(t *testing.T) {
	for _, c := range []struct {
		method optim.Method
		want   [2]float64
	}{
		{&optim.Adam{}, [2]float64{0.9990000000199999996, 0.9987336629870784616}},
		{&optim.RMSProp{}, [2]float64{0.9968377225398316080, 0.9983121420144240627}},
		{&optim.SGD{LearningRate: 0.1, Momentum: 0.9}, [2]float64{0.95, 0.93}},
	} {
		s := must(optim.New(c.method))
		p := newParam("theta", 1)
		for k, g := range []float64{0.5, -0.25} {
			p.grad.Float64s()[0] = g
			if err := s.Step(list(p)); err != nil {
				t.Fatal(err)
			}
			if got := p.value.Float64s()[0]; math.Abs(got-c.want[k]) > 1e-15 {
				t.Errorf("%s, step %d: theta is %.17g, want %.17g", c.method.Name(), k+1, got, c.want[k])
			}
		}
	}
}

func TestStepRefuses(t *testing.T) {
	half := newParam("w", 1)
	half.value = tensor.New(tensor.WithShape(1), tensor.Of(tensor.Float32))
	lazy := newParam("w", 1, 2, 3, 4, 5, 6)
	lazy.value = tensor.New(tensor.WithShape(2, 3), tensor.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	lazy.grad = tensor.New(tensor.WithShape(2, 3), tensor.Of(tensor.Float64))
	if err := lazy.value.T(); err != nil {
		t.Fatal(err)
	}
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
		if s.State().Step != 0 {
			t.Error("a refused step was counted")
		}
	}
	s := solver("adabound", nil)
	if err := s.Step(list(good)); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.Step(list(good, good)), optim.ErrParameter, "2 parameters", "1")
	wantError(t, s.Step(list(newParam("longer", 1, 2))), optim.ErrParameter, "(longer)", "2 elements")
}

type noGrad struct{ *param }

func (noGrad) Grad() (gorgonia.Value, error) { return nil, errors.New("no gradient yet") }

// A contiguous part of a larger tensor is updated in place, and only that part.
func TestStepOnPartOfTensor(t *testing.T) {
	whole := tensor.New(tensor.WithShape(3, 2), tensor.WithBacking([]float64{1, 2, 3, 4, 5, 6}))
	row := must(whole.Slice(gorgonia.S(1))).(*tensor.Dense)
	p := &param{"row", row, tensor.New(tensor.WithShape(2), tensor.WithBacking([]float64{1, 2}))}
	s := must(optim.New(&optim.SGD{LearningRate: 0.5}))
	if err := s.Step(list(p)); err != nil {
		t.Fatal(err)
	}
	if got := whole.Float64s(); !slices.Equal(got, []float64{1, 2, 2.5, 3, 5, 6}) {
		t.Errorf("the tensor is %v", got)
	}
}
