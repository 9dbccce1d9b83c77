package numeric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// fuses reports whether package math may have been compiled with fused products.
func fuses(x float64) bool { return x*x+-float64(x*x) != 0 }

// same reports whether two numbers have the same bits or are both NaN. Where package
// math has fused products, the last bit may differ.
func same(a, b float64) bool {
	if fuses(0.1) && math.Abs(a-b) <= 0x1p-51*math.Abs(b) {
		return true
	}
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func TestFunctions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for name, f := range map[string]struct{ got, want func(float64) float64 }{
		"Log1p": {Log1p, math.Log1p}, "Expm1": {Expm1, math.Expm1}, "Tanh": {Tanh, math.Tanh}, "Sin": {Sin, math.Sin}, "Cos": {Cos, math.Cos},
	} {
		compare := func(x float64) {
			if got, want := f.got(x), f.want(x); !same(got, want) {
				t.Errorf("%s(%v) = %v, want %v", name, x, got, want)
			}
		}
		for range 100_000 {
			compare(math.Float64frombits(random.Uint64()))
			compare(math.Ldexp(random.NormFloat64(), random.IntN(80)-70))
		}
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 709.78, 709.79, -40, 5e-324, 1 << 29, math.Inf(1), math.Inf(-1), math.NaN()} {
			compare(x)
		}
	}
}

// TestNormal checks that Normal draws the numbers of package rand with as many calls of
// its source.
func TestNormal(t *testing.T) {
	a, b := rand.New(rand.NewPCG(1, 0)), rand.New(rand.NewPCG(1, 0))
	beyond := 0
	for i := range 2_000_000 {
		got, want := Normal(a), b.NormFloat64()
		if !same(got, want) {
			t.Fatalf("draw %d: %v, want %v", i, got, want)
		}
		if math.Abs(got) > tail {
			beyond++
		}
	}
	if beyond < 1000 {
		t.Errorf("%d of the numbers are of the tail", beyond)
	}
}
