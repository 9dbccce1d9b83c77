package optim_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/optim"
)

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
				if err := s.Step(params); err != nil {
					b.Fatal(err)
				}
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
			s := must(newSampler(d, 64, 32, keep, 1))
			b.ReportAllocs()
			for b.Loop() {
				s.Next()
			}
		})
	}
}
