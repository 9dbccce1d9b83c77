package optim_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Two steps from theta = 1 with gradients 0.5 and -0.25, all defaults unless said, computed with 40 decimal digits:
//
//	adam     0.001 mhat/(sqrt(vhat)+1e-8), mhat and vhat as for AdaBound
//	rmsprop  v = 0.1*0.25 = 0.025, then 0.9*0.025 + 0.1*0.0625 = 0.02875; 0.001 g/(sqrt(v)+1e-8)
//	sgd      v = 0.5: 1 - 0.1*0.5 = 0.95; v = 0.9*0.5 - 0.25 = 0.2: 0.95 - 0.1*0.2 = 0.93
func TestOtherSolversByHand(t *testing.T) {
	for name, c := range map[string]struct {
		options optim.SolverOptions
		want    [2]float64
	}{
		"adam":    {want: [2]float64{0.9990000000199999996, 0.9987336629870784616}},
		"rmsprop": {want: [2]float64{0.9968377225398316080, 0.9983121420144240627}},
		"sgd":     {optim.SolverOptions{LearningRate: 0.1, Momentum: 0.9}, [2]float64{0.95, 0.93}},
	} {
		s := must(optim.NewSolver(name, c.options))
		p := newParam("theta", 1)
		for k, g := range []float64{0.5, -0.25} {
			p.grad.Float64s()[0] = g
			if err := s.Step(list(p)); err != nil {
				t.Fatal(err)
			}
			if got := p.value.Float64s()[0]; math.Abs(got-c.want[k]) > 1e-15 {
				t.Errorf("%s, step %d: theta is %.17g, want %.17g", name, k+1, got, c.want[k])
			}
		}
	}
}

func TestNewSolverRefuses(t *testing.T) {
	type o = optim.SolverOptions
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		solver  string
		options o
		words   []string
	}{
		{"adamw", o{}, []string{`"adamw"`, "adabound, adam, anfis, rmsprop, sgd"}},
		{"", o{}, []string{`""`}},
		{"sgd", o{FinalLR: 0.1, Epsilon: -1}, []string{"final_lr is 0.1: solver sgd does not use it", "used by adabound", "epsilon is -1: "}},
		{"adam", o{Momentum: 0.9}, []string{"momentum is 0.9: solver adam does not use it", "used by sgd"}},
		{"sgd", o{Epsilon: nan}, []string{"epsilon is NaN: solver sgd does not use it", "adabound, adam, rmsprop"}},
		{"adabound", o{LearningRate: -1}, []string{"learning_rate is -1"}},
		{"adabound", o{LearningRate: nan}, []string{"learning_rate is NaN"}},
		{"adabound", o{FinalLR: inf}, []string{"final_lr is +Inf"}},
		{"adabound", o{Beta1: 1}, []string{"beta1 is 1"}},
		{"adam", o{Beta2: 1.5}, []string{"beta2 is 1.5"}},
		{"adam", o{Epsilon: -1e-8}, []string{"epsilon is -1e-08"}},
		{"rmsprop", o{Rho: 1}, []string{"rho is 1"}},
		{"sgd", o{Momentum: 1}, []string{"momentum is 1"}},
	} {
		s, err := optim.NewSolver(c.solver, c.options)
		wantError(t, err, optim.ErrOption, c.words...)
		if s != nil {
			t.Errorf("%s %+v: a solver along with an error", c.solver, c.options)
		}
	}
}

// Each solver's defaults are valid, are what Resolve fills in, and are set in used options only.
func TestDefaults(t *testing.T) {
	if got := optim.Solvers(); !slices.Equal(got, []string{"adabound", "adam", "anfis", "rmsprop", "sgd"}) {
		t.Errorf("solvers are %v", got)
	}
	for _, name := range optim.Solvers() {
		d := optim.Defaults(name)
		if r, err := optim.Resolve(name, optim.SolverOptions{}); err != nil || r != d {
			t.Errorf("%s: zero options resolve to %+v, %v; the defaults are %+v", name, r, err, d)
		}
		if r, err := optim.Resolve(name, d); err != nil || r != d {
			t.Errorf("%s: its own defaults resolve to %+v, %v", name, r, err)
		}
		for _, option := range optim.Uses(name) {
			o := d
			*o.Option(option) = 0.5
			if r, err := optim.Resolve(name, o); err != nil || r != o {
				t.Errorf("%s: %s 0.5 resolves to %+v, %v", name, option, r, err)
			}
		}
	}
	var o optim.SolverOptions
	if optim.Uses("none") != nil || optim.Defaults("none") != o || o.Option("none") != nil {
		t.Error("something is known of an unknown solver or option")
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
		s := must(optim.NewSolver("adabound", optim.SolverOptions{}))
		wantError(t, s.Step(c.params), optim.ErrParameter, c.words...)
		if s.State().Step != 0 {
			t.Error("a refused step was counted")
		}
	}
	s := must(optim.NewSolver("adabound", optim.SolverOptions{}))
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
	s := must(optim.NewSolver("sgd", optim.SolverOptions{LearningRate: 0.5}))
	if err := s.Step(list(p)); err != nil {
		t.Fatal(err)
	}
	if got := whole.Float64s(); !slices.Equal(got, []float64{1, 2, 2.5, 3, 5, 6}) {
		t.Errorf("the tensor is %v", got)
	}
}
