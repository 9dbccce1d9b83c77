package optim_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"gorgonia.org/gorgonia"
)

func list(params ...*param) []gorgonia.ValueGrad {
	l := make([]gorgonia.ValueGrad, len(params))
	for i, p := range params {
		l[i] = p
	}
	return l
}

// newSampler returns a sampler with masks by DropRule, of the same seed.
func newSampler(d optim.Data, batch, rules int, keep float64, seed uint64) (*optim.Sampler, error) {
	masks, err := optim.NewDropRule(rules, keep, seed)
	if err != nil {
		return nil, err
	}
	return optim.NewSampler(d, batch, masks, seed)
}

// noisyLine has n samples of y = 2 x_0 - x_1 + noise.
func noisyLine(n int) optim.Data {
	r := rand.New(rand.NewPCG(7, 7))
	var d optim.Data
	for range n {
		x := []float64{r.NormFloat64(), r.NormFloat64()}
		d.X, d.Y = append(d.X, x), append(d.Y, 2*x[0]-x[1]+0.1*r.NormFloat64())
	}
	return d
}

// theta is a copy of all of a line's parameters.
func (l *line) theta() []float64 {
	return slices.Concat(l.slope.value.Float64s(), l.intercept.value.Float64s())
}

// loss is the line's loss on all data.
func (l *line) loss(d optim.Data) float64 {
	weight := make([]float64, len(d.Y))
	for i := range weight {
		weight[i] = 1
	}
	data, _, _, _ := l.Evaluate(slices.Concat(d.X...), d.Y, nil, weight)
	return data
}

// sameBits reports whether two slices are equal to the bit.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// wantError fails unless err wraps sentinel and its message holds all words.
func wantError(t *testing.T, err, sentinel error, words ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("error is %v, want one that wraps %q", err, sentinel)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not say %q", err, w)
		}
	}
}

// solver returns a solver by name.
func solver(name string, v optim.Values) optim.Solver {
	return testenv.Must(optim.New(testenv.Must(optim.Lookup(name, v))))
}

// stepOn makes a step of s on params with the given gradients.
func stepOn(s optim.Solver, params []gorgonia.ValueGrad, gradient func(p, i int) float64) error {
	for p, vg := range params {
		for i := range vg.(*param).value.Float64s() {
			vg.(*param).grad.Float64s()[i] = gradient(p, i)
		}
	}
	return s.Step(params)
}

// wave is a gradient that depends on the step alone.
func wave(k int) func(p, i int) float64 {
	return func(p, i int) float64 { return math.Sin(float64(k*(i+3))) / float64(3+p) }
}

// values are all elements of the parameters.
func values(params []gorgonia.ValueGrad) (all []float64) {
	for _, p := range params {
		all = append(all, p.(*param).value.Float64s()...)
	}
	return all
}

func twoParams() []gorgonia.ValueGrad { return list(newParam("a", 1, -2), newParam("b", 0.5)) }

// BenchmarkStep steps as many elements as a Gaussian system of R=32, M=11 has.
func BenchmarkStep(b *testing.B) {
	for _, name := range optim.Solvers() {
		b.Run(name, func(b *testing.B) {
			s := solver(name, nil)
			p := newParam("theta", make([]float64, 32*(3*11+1))...)
			r := rand.New(rand.NewPCG(1, 2))
			for i := range p.grad.Float64s() {
				p.grad.Float64s()[i] = r.NormFloat64()
			}
			params := list(p)
			b.ReportAllocs()
			for b.Loop() {
				testenv.OK(b, s.Step(params))
			}
		})
	}
}

func BenchmarkNext(b *testing.B) {
	for _, keep := range []float64{0.5, 1} {
		b.Run(fmt.Sprintf("B=64/R=32/M=11/keep=%g", keep), func(b *testing.B) {
			d := optim.Data{X: make([][]float64, 4096), Y: make([]float64, 4096)}
			for i := range d.X {
				d.X[i] = make([]float64, 11)
			}
			s := testenv.Must(newSampler(d, 64, 32, keep, 1))
			b.ReportAllocs()
			for b.Loop() {
				s.Next()
			}
		})
	}
}

// BenchmarkNextOfStream draws from chunks of the sizes of a bucket of 1e6 and 1e8 rows.
func BenchmarkNextOfStream(b *testing.B) {
	for _, rows := range []int{4000, 400_000} {
		b.Run(fmt.Sprintf("B=64/R=32/M=11/rows=%d", rows), func(b *testing.B) {
			d := optim.Data{X: make([][]float64, rows), Y: make([]float64, rows)}
			cells := make([]float64, rows*11)
			for i := range d.X {
				d.X[i] = cells[i*11 : (i+1)*11]
			}
			s := testenv.Must(optim.NewStream(d, cut(d, rows), 64, testenv.Must(optim.NewDropRule(32, 0.5, 1)), 1))
			b.ReportAllocs()
			for b.Loop() {
				s.Next()
			}
		})
	}
}
