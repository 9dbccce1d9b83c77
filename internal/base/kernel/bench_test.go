package kernel

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkExp measures Exp of 2048 numbers, the firing levels of 64 samples and 32 rules.
func BenchmarkExp(b *testing.B) {
	benchmarkCells(b, func(i *implementation) func(dst, x []float64) { return i.exp })
}

func BenchmarkLog(b *testing.B) {
	benchmarkCells(b, func(i *implementation) func(dst, x []float64) { return i.log })
}

func benchmarkCells(b *testing.B, of func(*implementation) func(dst, x []float64)) {
	x := positive(rand.New(rand.NewPCG(1, 2)), 2048)
	dst := make([]float64, len(x))
	for _, i := range implementations {
		b.Run(i.name, func(b *testing.B) {
			for b.Loop() {
				of(i)(dst, x)
			}
		})
	}
}

func BenchmarkExpRows(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const B, R = 64, 32
	z, mask, f := normal(rng, B*R), half(rng, B*R), make([]float64, B*R)
	for _, i := range implementations {
		b.Run(i.name, func(b *testing.B) {
			for b.Loop() {
				i.expRows(f, z, mask, B, R)
			}
		})
	}
}
