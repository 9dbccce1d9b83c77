package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// equal checks numbers to the bit; all NaN are equal.
func equal(t rapid.TB, name string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if math.Float64bits(got[i]) != math.Float64bits(w) && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
			t.Fatalf("%s[%d] = %v, want %v", name, i, got[i], w)
		}
	}
}

// wild returns numbers of any size, some of which are not finite.
func wild(rng *rand.Rand, n int) []float64 {
	v := normal(rng, n)
	for i := range v {
		switch rng.IntN(40) {
		case 0:
			v[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300, 5e-324}[rng.IntN(6)]
		case 1:
			v[i] = 0
		}
	}
	return v
}

// TestColumns compares the column kernels with their definitions, a sample at a time, to the bit.
func TestColumns(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, M, R int) {
		x, c, sigma, w := wild(rng, B*M), wild(rng, M), positive(rng, M), wild(rng, M+1)
		p, z, y := make([]float64, 2*M), rubbish(B), rubbish(B)
		PackGaussian(p, c, sigma)
		GaussianColumn(z, x, p, B, M)
		ConsequentColumn(y, x, w, B, M)
		for b := range B {
			level, output := 0.0, w[0]
			for m := range M {
				u := (x[m*B+b] - c[m]) * (math.Sqrt2 / 2 / sigma[m])
				level += -u * u
				output += float64(w[m+1] * x[m*B+b])
			}
			equal(t, "z", z[b:], []float64{level})
			equal(t, "y", y[b:], []float64{output})
		}

		levels, outputs, sum := wild(rng, B*R), wild(rng, B*R), wild(rng, B*R)
		want := make([]float64, B*R)
		for i, f := range levels {
			if want[i] = sum[i]; f != 0 {
				want[i] += float64(f * outputs[i])
			}
		}
		AddWeighted(sum, levels, outputs)
		equal(t, "sum", sum, want)
	})
}

// TestNormaliseColumns compares both halves of the normalisation with their definitions, to the bit.
func TestNormaliseColumns(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, _, R int) {
		z, levels := wild(rng, B*R), half(rng, B*R)
		for i := range levels {
			if levels[i] = math.Abs(levels[i]); rng.IntN(3*R) == 0 {
				levels[i] = []float64{math.NaN(), math.Inf(1), math.MaxFloat64, 1e-310}[rng.IntN(4)]
			}
		}
		shifted, shares, uncovered := append([]float64(nil), z...), append([]float64(nil), levels...), make([]float64, B)
		for b := range B {
			top, sum := math.Inf(-1), 0.0
			for r := range R {
				if z[r*B+b] > top {
					top = z[r*B+b]
				}
				sum += levels[r*B+b]
			}
			for r := range R {
				shifted[r*B+b] -= top
				if shares[r*B+b] /= sum; !(sum > 1e-300) || math.IsInf(sum, 0) {
					shares[r*B+b] = 0
				} else {
					uncovered[b] = 1
				}
			}
		}
		covered := rubbish(B)
		ShiftColumns(z, B, R)
		NormaliseColumns(covered, levels, 1e-300, B, R)
		equal(t, "z", z, shifted)
		equal(t, "level", levels, shares)
		equal(t, "covered", covered, uncovered)
	})
}

// moderates returns moderate numbers of all sizes, many of them close to one another.
func moderates(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		switch rng.IntN(8) {
		case 0:
			v[i] = 0
		case 1:
			v[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(880)-190)
		case 2:
			v[i] = math.Copysign(2e200, rng.NormFloat64())
		case 3:
			if v[i] = 1; i > 0 {
				v[i] = math.Nextafter(v[i-1], rng.NormFloat64())
			}
		default:
			v[i] = rng.NormFloat64()
		}
		if !Moderate(v[i : i+1]) {
			v[i] = 0
		}
	}
	return v
}

// TestTrapezoidColumn compares the products of grades with their definition, divisions included, to the bit.
func TestTrapezoidColumn(t *testing.T) {
	onShapes(t, func(t *rapid.T, rng *rand.Rand, B, M, _ int) {
		x, corners := moderates(rng, B*M), moderates(rng, 4*M)
		a, b, c, d := corners[:M], corners[M:2*M], corners[2*M:3*M], corners[3*M:]
		for m := range M {
			a[m], b[m] = min(a[m], b[m]), max(a[m], b[m])
			c[m], d[m] = min(c[m], d[m]), max(c[m], d[m])
			if b[m]-a[m] < 1e-50 {
				b[m] = a[m] + max(1, math.Abs(a[m]))
			}
			if d[m]-c[m] < 1e-50 {
				d[m] = c[m] + max(1, math.Abs(c[m]))
			}
		}
		p, f := make([]float64, 6*M), rubbish(B)
		if !PackTrapezoid(p, a, b, c, d) {
			t.Fatalf("not moderate: %v", p)
		}
		TrapezoidColumn(f, x, p, B, M)
		for n := range B {
			level := 1.0
			for m := range M {
				v := x[m*B+n]
				level *= max(0, min(1, (v-a[m])/(b[m]-a[m]), (d[m]-v)/(d[m]-c[m])))
			}
			equal(t, "f", f[n:], []float64{level})
		}
	})
}

// TestQuotients compares grades on the left leg from 0 to w, the quotients v/w, with division: of random numbers, and
// of those whose quotient lies next to a number or to the middle between two.
func TestQuotients(t *testing.T) {
	const n = 64
	onImplementations(t, func(t *testing.T, _ *implementation) {
		rng := rand.New(rand.NewPCG(3, 1))
		x, f, want, p := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, 6)
		for range 20_000 {
			w := 1 + rng.Float64()
			switch rng.IntN(3) {
			case 0: // next to a power of two
				w = 2 - math.Ldexp(float64(rng.IntN(1<<rng.IntN(40))), -52)
			case 1:
				w = 1 + math.Ldexp(float64(rng.IntN(1<<rng.IntN(40))), -52)
			}
			for i := range x {
				q := rng.Float64()
				if i%2 == 0 { // the middle between two numbers
					x[i] = math.FMA(q, w, math.Ldexp(q, -54)*w)
				} else {
					x[i] = w - math.Ldexp(float64(rng.IntN(1<<rng.IntN(50))), -52)
				}
				x[i] = max(0, min(w, x[i]))
				want[i] = x[i] / w
			}
			if !PackTrapezoid(p, []float64{0}, []float64{w}, []float64{2}, []float64{3}) {
				t.Fatal(w)
			}
			TrapezoidColumn(f, x, p, n, 1)
			equal(t, "quotient", f, want)
		}
	})
}

// TestModerate checks the limits, at any place of a vector.
func TestModerate(t *testing.T) {
	onImplementations(t, func(t *testing.T, _ *implementation) {
		for v, want := range map[float64]bool{
			0: true, math.Copysign(0, -1): true, 1: true, -2e200: true, 0x1p-200: true, -0x1p702: true, 0x1.01p702: false,
			0x1.ffp-201: false, -5e-324: false, math.Inf(-1): false, 1e300: false,
		} {
			for n := 1; n < 20; n++ {
				for i := range n {
					x := make([]float64, n)
					if x[i] = v; Moderate(x) != want {
						t.Fatalf("%v at %d of %d: %v", v, i, n, !want)
					}
				}
			}
		}
		if Moderate([]float64{1, math.NaN()}) {
			t.Error("NaN is moderate")
		}
		if PackTrapezoid(make([]float64, 6), []float64{0}, []float64{0}, []float64{1}, []float64{2}) ||
			PackTrapezoid(make([]float64, 6), []float64{0}, []float64{1}, []float64{1}, []float64{math.NaN()}) {
			t.Error("a leg without width")
		}
	})
}
