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

// BenchmarkNextOfStream draws from chunks of the sizes of a bucket of 1e6 and 1e8 rows.
func BenchmarkNextOfStream(b *testing.B) {
	for _, rows := range []int{4000, 400_000} {
		b.Run(fmt.Sprintf("B=64/R=32/M=11/rows=%d", rows), func(b *testing.B) {
			d := optim.Data{X: make([][]float64, rows), Y: make([]float64, rows)}
			cells := make([]float64, rows*11)
			for i := range d.X {
				d.X[i] = cells[i*11 : (i+1)*11]
			}
			s := must(optim.NewStream(d, cut(d, rows), 64, must(optim.NewDropRule(32, 0.5, 1)), 1))
			b.ReportAllocs()
			for b.Loop() {
				s.Next()
			}
		})
	}
}
