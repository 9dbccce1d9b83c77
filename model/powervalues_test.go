package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// TestPowerValues compares the transforms of columns with those of single z-scores, to the bit: for all exponents, and
// for z-scores of all sizes, close to powers of two minus one, and not finite.
func TestPowerValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, lambda := range []float64{-5, -2, -0.3, 0, 1e-9, 0.5, 1, 1.7, 2, 2 - 1e-12, 3.1, 5} {
		p := Power{Lambda: lambda, Mean: 0.1 * rng.NormFloat64(), SD: 1e-3 + rng.Float64()}
		for range 400 {
			z := make([]float64, 1+rng.IntN(70))
			for n := range z {
				switch rng.IntN(6) {
				case 0:
					z[n] = math.Ldexp(rng.NormFloat64(), rng.IntN(140)-80)
				case 1:
					z[n] = math.Ldexp(1, rng.IntN(5)) - 1 + math.Ldexp(rng.NormFloat64(), -rng.IntN(56))
				case 2:
					z[n] = []float64{0, math.Copysign(0, -1), math.Sqrt2 - 1, 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 5e-324}[rng.IntN(11)]
				default:
					z[n] = 3 * rng.NormFloat64()
				}
			}
			u := make([]float64, len(z))
			p.values(u, z, make([]float64, len(z)))
			for n, v := range z {
				if want := p.Value(v); math.Float64bits(u[n]) != math.Float64bits(want) && !(math.IsNaN(want) && math.IsNaN(u[n])) {
					t.Fatalf("lambda %v, z %v: %v, want %v", lambda, v, u[n], want)
				}
			}
		}
	}
}

// TestOrdinary compares the kernels of the transforms with the functions of package numeric: in assembly nearly all
// elements are ordinary.
func TestOrdinary(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	x, y := make([]float64, 64), make([]float64, 64)
	for name, f := range map[string]struct {
		kernel func(dst, x []float64)
		one    func(float64) float64
		size   int // of the exponents
	}{"log1p": {kernel.Log1p, numeric.Log1p, 50}, "expm1": {kernel.Expm1, numeric.Expm1, 3}} {
		left := 0
		for range 10_000 {
			for n := range x {
				x[n] = math.Ldexp(rng.NormFloat64(), rng.IntN(f.size+20)-20)
				if name == "log1p" {
					x[n] = math.Abs(x[n])
				}
			}
			f.kernel(y, x)
			for n, v := range y {
				if math.IsNaN(v) {
					left++
				} else if want := f.one(x[n]); math.Float64bits(v) != math.Float64bits(want) {
					t.Fatalf("%s(%v) = %v, want %v", name, x[n], v, want)
				}
			}
		}
		if kernel.Name() == "avx2" && left > 640_000/20 {
			t.Errorf("%s leaves %d of 640000", name, left)
		}
	}
}
