package numeric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// fuses reports whether package math may have been compiled with fused products.
func fuses(x float64) bool { return x*x+-float64(x*x) != 0 }

// portable reports whether this build has an Exp of its own.
var portable = func() bool {
	for x := 0.1; x < 10; x += 0.1 {
		if Exp(x) != math.Exp(x) {
			return true
		}
	}
	return false
}()

// same reports whether two numbers have the same bits or are both NaN. Where package
// math has fused products or another Exp, the last bits may differ.
func same(a, b float64) bool {
	if (fuses(0.1) || portable) && math.Abs(a-b) <= 0x1p-51*math.Abs(b) {
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
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 709.78, 709.79, -40, 5e-324, 1 << 29, math.Inf(1), math.Inf(-1),
			math.NaN()} {
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

// TestExpAndLog compares Exps and Logs with package math, also where results are subnormal or infinite.
func TestExpAndLog(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 0))
	x := []float64{0, 1, -1, 708, 709.78, 709.79, 710, 1e300, -708, -708.5, -745, -745.2, -746, -1e300, 5e-324, 0x1p-1022, math.MaxFloat64,
		math.Inf(1), math.Inf(-1), math.NaN()}
	for range 10_000 {
		x = append(x, 1500*random.Float64()-750, random.NormFloat64(), math.Exp(1400*random.Float64()-745))
	}
	exps, logs := make([]float64, len(x)), make([]float64, len(x))
	Exps(exps, x)
	Logs(logs, x)
	for i, v := range x {
		e := math.Exp(v / 2)
		if e *= e; !(math.Abs(exps[i]-e) <= 0x1p-50*e+0x1p-1074) && exps[i] != e && !math.IsNaN(v) || math.IsNaN(v) != math.IsNaN(exps[i]) {
			t.Errorf("e^%v = %v, want about %v", v, exps[i], e)
		}
		want := math.Log(v)
		if v < 0x1p-1022 && v > 0 {
			want = math.Log(v*0x1p60) - 60*math.Ln2
		}
		if !(math.Abs(logs[i]-want) <= 0x1p-51*math.Abs(want)) && !same(logs[i], want) {
			t.Errorf("log %v = %v, want %v", v, logs[i], want)
		}
	}
}
